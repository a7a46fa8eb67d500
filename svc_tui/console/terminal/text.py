"""Text from the service, made safe to draw.

Names, comments and CSV cells can contain terminal escapes, bidirectional overrides and invisible characters.
`safe_text` turns each dangerous character into a visible mark and keeps the rest; widgets draw only its result.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

from rich.cells import cell_len, get_character_cell_size, split_graphemes

Align = Literal["left", "right"]

# Some terminals draw more marks on one letter over the lines around it; no language needs that many.
MOST_COMBINING = 4
#: The most characters of one line that are drawn. Drawing a longer one would keep the console from answering.
LONGEST_LINE = 10_000
#: Longer lines are not kept: they are rare, and thousands of them would fill the memory.
_LONGEST_KEPT = 512
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "␡"
_PRINTABLE_ASCII = re.compile(r"[ -~]*")
# Line breaks and tabs in comments are harmless: they are marked, without a warning.
_LAYOUT_CONTROLS = "\t\n"
_MARKED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_HARMLESS_CATEGORIES = frozenset({"Co", "Cn"})
# Invisible characters (Default_Ignorable_Code_Point) among letters and marks.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
# Variation selectors change only the colour of an emoji; terminals disagree about the width of the result.
_PICTURE_SELECTORS = "\ufe0e\ufe0f"


class SafeText(NamedTuple):
    """Text that is safe to draw. `hostile`: the data has characters that deceive readers or control a terminal."""

    text: str
    hostile: bool


_EMPTY = SafeText("", False)


def safe_text(text: str, unicode: bool = True) -> SafeText:
    """One line of service text, safe to draw; `unicode=False` for a terminal with only ASCII.

    The result contains no control, bidirectional or invisible character; applying it again changes nothing. It has at
    most LONGEST_LINE characters and an ellipsis.
    """
    if len(text) <= _LONGEST_KEPT:
        return _kept(text, unicode)
    drawn, hostile = safe_text_of_any_length(text[:LONGEST_LINE], unicode)
    if len(text) > LONGEST_LINE or len(drawn) > LONGEST_LINE:
        drawn = drawn[:LONGEST_LINE] + ("…" if unicode else "~")
    return SafeText(drawn, hostile)


def safe_lines(text: str, unicode: bool = True) -> tuple[SafeText, ...]:
    """Text of several lines, for example a comment: one `SafeText` per line of any length, with spaces for tabs."""
    lines = (line.expandtabs(4) for line in text.replace("\r\n", "\n").split("\n"))
    return tuple(
        safe_text(line, unicode) if len(line) <= _LONGEST_KEPT else safe_text_of_any_length(line, unicode)
        for line in lines
    )


@lru_cache(maxsize=8192)
def _kept(text: str, unicode: bool) -> SafeText:
    return safe_text_of_any_length(text, unicode)


def safe_text_of_any_length(text: str, unicode: bool = True) -> SafeText:
    """The same for a line of any length, for output that is not drawn again and again."""
    if _PRINTABLE_ASCII.fullmatch(text):
        return SafeText(text, False) if text else _EMPTY
    drawn, hostile = _replace(text)
    return SafeText(drawn if unicode else to_ascii(drawn), hostile)


def _replace(text: str) -> tuple[str, bool]:
    drawn: list[str] = []
    hostile = False
    combining = surplus = 0
    previous = ""
    for character in text.replace("\r\n", "\n"):
        if character in _PICTURE_SELECTORS and previous and unicodedata.category(previous) == "So":
            continue
        mark, dangerous = _mark(character)
        hostile |= dangerous
        if not mark and get_character_cell_size(character) == 0:
            if not drawn:
                drawn.append("◌")
            combining += 1
            if combining > MOST_COMBINING:
                surplus += 1
                hostile = True
                continue
        elif surplus:
            drawn.append(f"·+{surplus}·")
            combining = surplus = 0
        else:
            combining = 0
        drawn.append(mark or character)
        previous = drawn[-1][-1]
    if surplus:
        drawn.append(f"·+{surplus}·")
    return "".join(drawn), hostile


@lru_cache(maxsize=1024)
def _mark(character: str) -> tuple[str, bool]:
    """The visible mark for a character ("" when it is drawn itself), and whether it is dangerous."""
    category = unicodedata.category(character)
    if category not in _MARKED_CATEGORIES and character not in _INVISIBLE:
        return "", False
    code = ord(character)
    dangerous = character not in _LAYOUT_CONTROLS and category not in _HARMLESS_CATEGORIES
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code), dangerous
    if code == 0x7F:
        return _DELETE_PICTURE, dangerous
    return f"·U+{code:04X}·", dangerous


_ASCII_FOR = {
    "▌": "|",
    "▐": "|",
    "▲": "^",
    "▼": "v",
    "…": "~",
    "▸": ">",
    "●": "*",
    "◐": "o",
    "○": "-",
    "—": "-",
    "–": "-",
    "→": ">",
    "↪": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    "·": ".",
    "⚠": "!",
    "✓": "+",
    "✗": "x",
    "•": "*",
    "×": "x",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "␡": "<DEL>",
    "◌": ".",
    "▾": "v",
    "↔": "~",
    "‹": "<",
    "›": ">",
    "◂": "<",
} | {chr(_CONTROL_PICTURES + code): f"<{code:02X}>" for code in range(0x20)}


def one_by_one(text: str) -> str:
    """Safe text with the same number of characters, for editors; unsafe ones become `\ufffd`."""
    if _PRINTABLE_ASCII.fullmatch(text):
        return text
    return "".join(
        char if safe_text(char).text == char and not unicodedata.combining(char) else "\ufffd" for char in text
    )


def to_ascii(text: str) -> str:
    """The nearest ASCII for safe text: without accents, marks as words, the rest as `?`."""
    return "".join(map(ascii_for, text))


@lru_cache(maxsize=2048)
def ascii_for(character: str) -> str:
    """The ASCII for one character, as wide as it; longer for the mark of a control character."""
    if character < "\x7f":
        return character
    known = _ASCII_FOR.get(character)
    if known is not None:
        return known
    code = ord(character)
    if 0x2500 <= code <= 0x257F:
        return _ascii_line(character)
    if 0x2580 <= code <= 0x259F:
        return "#"
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    width = get_character_cell_size(character)
    return plain if len(plain) == width and plain.isprintable() else "?" * width


def _ascii_line(character: str) -> str:
    name = unicodedata.name(character, "")
    if "HORIZONTAL" in name and "VERTICAL" not in name:
        return "-"
    if "VERTICAL" in name and "HORIZONTAL" not in name and not {"LEFT", "RIGHT"} & set(name.split()):
        return "|"
    return "+"


def width(text: str) -> int:
    """The terminal cells of safe text."""
    return len(text) if text.isascii() else cell_len(text)


def most_characters(cells: int) -> int:
    """A number of characters of safe text that does not fit into these cells: each has at most its marks."""
    return (max(cells, 0) + 1) * (1 + MOST_COMBINING)


def cut(text: str, cells: int, ellipsis: str = "…") -> str:
    """Safe text in at most `cells` cells, cut with an ellipsis. Wide characters are not split."""
    text = text[: most_characters(cells)]
    if width(text) <= cells:
        return text
    room = cells - width(ellipsis)
    if room < 0:
        return ellipsis[:cells] if cells > 0 else ""
    if text.isascii():
        return text[:room] + ellipsis
    kept = used = 0
    for _, end, size in split_graphemes(text)[0]:
        if used + size > room:
            break
        used += size
        kept = end
    return text[:kept] + ellipsis


def fit(text: str, cells: int, align: Align = "left", ellipsis: str = "…") -> str:
    """Safe text in exactly `cells` cells, cut or filled with spaces."""
    text = cut(text, cells, ellipsis)
    blank = " " * (cells - width(text))
    return blank + text if align == "right" else text + blank
