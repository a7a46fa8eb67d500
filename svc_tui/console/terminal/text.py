"""Text from the service made safe to draw: the one door between data and the screen.

Names, comments and CSV cells can hold terminal escapes, bidirectional overrides and invisible characters. `shown` turns
each dangerous character into a visible mark and leaves the rest exactly as it is; widgets draw only its result.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

from rich.cells import cell_len, get_character_cell_size, split_graphemes

Align = Literal["left", "right"]

# More marks than this on one letter are drawn over the lines around it by some terminals; no language needs as many.
MOST_COMBINING = 4
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "␡"
_PRINTABLE_ASCII = re.compile(r"[ -~]*")
# Faults of layout, not of safety: a comment may hold them, so they are marked but carry no warning.
_LAYOUT_CONTROLS = "\t\n"
_MARKED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_HARMLESS_CATEGORIES = frozenset({"Co", "Cn"})
# Invisible by Unicode's own list (Default_Ignorable_Code_Point), though filed under letters and marks.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
# They only choose between a black-and-white and a coloured picture; terminals disagree about the width of the result.
_PICTURE_SELECTORS = "\ufe0e\ufe0f"


class Shown(NamedTuple):
    """Text as it is drawn. `hostile`: the data held characters that could deceive a reader or drive a terminal."""

    text: str
    hostile: bool


_EMPTY = Shown("", False)


@lru_cache(maxsize=8192)
def shown(text: str, unicode: bool = True) -> Shown:
    """What is drawn for one line of service text; `unicode=False` for a terminal that has only ASCII.

    Applying it again changes nothing, and the result holds no control, bidirectional or invisible character.
    """
    if _PRINTABLE_ASCII.fullmatch(text):
        return Shown(text, False) if text else _EMPTY
    drawn, hostile = _replace(text)
    return Shown(drawn if unicode else to_ascii(drawn), hostile)


def shown_lines(text: str, unicode: bool = True) -> tuple[Shown, ...]:
    """What is drawn for text of several lines, such as a comment: one `Shown` a line, tabs drawn as spaces."""
    lines = text.replace("\r\n", "\n").split("\n")
    return tuple(shown(line.expandtabs(4), unicode) for line in lines)


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
    """The visible mark that stands for a character ("" when it is drawn as it is), and whether it is dangerous."""
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
    """Safe text of as many characters, for editors that count them; what is not drawn as it is becomes `\ufffd`."""
    if _PRINTABLE_ASCII.fullmatch(text):
        return text
    return "".join(char if shown(char).text == char and not unicodedata.combining(char) else "\ufffd" for char in text)


def to_ascii(text: str) -> str:
    """The nearest ASCII for text that is already safe: accents fall away, marks keep their meaning, the rest is `?`."""
    return "".join(map(ascii_for, text))


@lru_cache(maxsize=2048)
def ascii_for(character: str) -> str:
    """The ASCII that stands for one character; for a drawing character as wide as it, for a control's mark longer."""
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
    """How many terminal cells safe text takes."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: str, cells: int, ellipsis: str = "…") -> str:
    """Safe text in at most `cells` cells; an ellipsis says that it was cut. A wide character is never halved."""
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
