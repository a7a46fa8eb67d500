"""The fonts of printed documents, chosen by what their texts need: no text is written without its own letters.

The files come from packages that are installed with the program (docs/decisions.md): Noto Sans for Latin, Greek and
Cyrillic letters, FiraGO for Arabic, Hebrew, Thai, Georgian and Devanagari, and Noto Sans CJK for Chinese, Japanese and
Korean, which is large and read only where it is needed. Only the letters that are used are embedded.
"""

from __future__ import annotations

import logging
import re
import tempfile
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pymupdf_fonts
from fontTools.ttLib import TTFont

#: Families in the order in which they are asked for a letter.
LATIN, WIDE, CJK = "latin", "wide", "cjk"
FAMILIES = (LATIN, WIDE, CJK)
#: Names in the package of the fonts that it keeps compressed: of the regular and of the bold style.
_COMPRESSED = {LATIN: ("notos", "notosbo"), WIDE: ("figo", "figbo")}
#: Similar characters for those that no font has and that have no decomposition.
_SIMILAR = {"−": "-"}
#: Joiners between letters, which change how these are written. All other format characters are invisible.
_JOINERS = "\u200c\u200d"
#: Spaces at which a line is not broken, as in `1 234,50 EUR`.
_NO_BREAK = "\u00a0\u202f"
#: Characters that do not begin a line, and those that do not end one, in Chinese and Japanese.
_CLOSING = "、。，．：；！？）」』】〕］｝〉》…・ーァィゥェォッャュョヮヵヶぁぃぅぇぉっゃゅょゎ々ゝゞヽヾ"
_OPENING = "（「『【〔［｛〈《"
ZERO_WIDTH_SPACE = "\u200b"
#: Words that are too long for a column, which may be broken behind one of these signs.
_LONG_WORD = re.compile(r"\S{25,}")
_DIVIDING = re.compile(r"(?<=[/_-])(?=\w)")

# It reports each table of a font that it leaves out.
logging.getLogger("fontTools").setLevel(logging.ERROR)


@cache
def font_files(family: str) -> tuple[Path, ...]:
    """The files of the regular and, where there is one, of the bold style of a family."""
    if family == CJK:
        return (Path(str(files("noto_cjk_sans_jp_regular") / "NotoSansCJKjp-Regular.otf")),)
    return tuple(_unpacked(name) for name in _COMPRESSED[family])


def _unpacked(name: str) -> Path:
    path = Path(_folder().name) / f"{name}.ttf"
    path.write_bytes(pymupdf_fonts.fontbuffers[name]())
    return path


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for unpacked fonts. It is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="svc-tui-fonts-")


@cache
def _letters(family: str) -> frozenset[int]:
    """The characters of a family."""
    with TTFont(font_files(family)[0], lazy=True) as font:
        return frozenset(font.getBestCmap())


def family_of(character: str) -> str:
    """The first family that has a character; empty if none has it."""
    return next((family for family in FAMILIES if ord(character) in _letters(family)), "")


def families_of(texts: Iterable[str]) -> list[str]:
    """The families that texts need beside the first one."""
    needed = {family_of(character) for character in set().union(*texts)}
    return [family for family in FAMILIES[1:] if family in needed]


def printable(text: str) -> tuple[str, bool]:
    """A text in one line in characters that can be printed, and whether one of them is only similar or a `?`."""
    visible = "".join(map(_visible, unicodedata.normalize("NFC", text)))
    line = " ".join(part for part in visible.split(" ") if part)
    printed = "".join(map(_replacement, line))
    return printed, printed != line


def _visible(character: str) -> str:
    """The character; a space for control characters, also those that change the direction of a line."""
    if character in _JOINERS or character in _NO_BREAK:
        return character
    return " " if unicodedata.category(character)[0] in "CZ" else character


def _replacement(character: str) -> str:
    if character in _JOINERS or character in _NO_BREAK or family_of(character):
        return character
    if character in _SIMILAR:
        return _SIMILAR[character]
    plain = "".join(each for each in unicodedata.normalize("NFKD", character) if not unicodedata.combining(each))
    return plain if plain and all(map(family_of, plain)) else "?"


def language_of(text: str, country: str) -> str | None:
    """The language whose form of its Chinese characters a text needs (BCP 47); None without such characters.

    Kana and hangul show it. A text without them is in the language of the country (ISO 3166-1 alpha-3), or Chinese.
    """
    names = {_writing(character) for character in text}
    if "HANGUL" in names:
        return "ko"
    if names & {"HIRAGANA", "KATAKANA"}:
        return "ja"
    if "CJK" not in names:
        return None
    return {"JPN": "ja", "KOR": "ko", "TWN": "zh-Hant", "HKG": "zh-Hant-HK", "MAC": "zh-Hant"}.get(country, "zh-Hans")


def _writing(character: str) -> str:
    """The first word of the name of a character, which is its script."""
    return unicodedata.name(character, "").partition(" ")[0]


def breakable(line: str) -> str:
    """A line with a space of no width where it may be broken: between two characters that are written without spaces,
    and behind a dividing sign of a long word."""
    line = _LONG_WORD.sub(lambda word: _DIVIDING.sub(ZERO_WIDTH_SPACE, word[0]), line)
    found = list(line[:1])
    for before, after in pairwise(line):
        if (_is_wide(before) or _is_wide(after)) and before not in _OPENING and after not in _CLOSING:
            found.append(ZERO_WIDTH_SPACE)
        found.append(after)
    return "".join(found)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
