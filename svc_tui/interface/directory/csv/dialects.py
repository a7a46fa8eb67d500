"""The dialects of CSV that programs write: read by the client, before it converts a file. The service takes none.

`sep=;` and `#TYPE …` lines, several byte order marks, `="01000"`, and columns without a name or without values. A
comment begins only at the start of a line, so that `80% part-time` is a value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from svc_tui.interface.directory.csv.faults import QUOTE, Lines

BYTE_ORDER_MARK = "\ufeff"
_SEPARATOR_LINE = re.compile(rf"{QUOTE}?sep=(.|\\t){QUOTE}?\s*", re.IGNORECASE)
_TYPE_LINE = re.compile(r"#TYPE\b.*", re.IGNORECASE | re.DOTALL)
_FORMULA = re.compile(r'="(.*)"', re.DOTALL)
#: Joiners between letters of scripts that are written with them, as in Persian and Hindi, are part of a name.
_JOINERS, _JOINED_FROM = "\u200c\u200d", "\u0600"


def separator_in(line: str) -> str:
    """The delimiter that a `sep=` line names. Empty for any other line."""
    found = _SEPARATOR_LINE.fullmatch(line.lstrip(BYTE_ORDER_MARK))
    return "" if found is None else "\t" if found[1] == "\\t" else found[1]


class DialectLines(Lines):
    """The lines of a file for the CSV reader, without those of programs. Comments begin at the start of a line."""

    _at_start = True

    def _text(self, line: str) -> str | None:
        if self._at_start:
            line = line.lstrip(BYTE_ORDER_MARK)
            if separator_in(line) or _TYPE_LINE.fullmatch(line):
                return None
        if not self.pending and self._comment and line.lstrip(" ").startswith(self._comment):
            return None
        self._at_start = self._at_start and not line.strip()
        return _without_formulas(line, self._delimiter, quoted=bool(self.pending)) if f"={QUOTE}" in line else line


def _without_formulas(line: str, delimiter: str, *, quoted: bool) -> str:
    """The line with `"…"` in place of each `="…"` that is a whole value."""
    kept, at_start, place = [], not quoted, 0
    while place < len(line):
        sign = line[place]
        if at_start and line.startswith(f"={QUOTE}", place):
            place += 1
            continue
        if sign == QUOTE and (quoted or at_start):
            # A doubled quote closes the value and opens it again.
            quoted = not quoted
        at_start = not quoted and sign == delimiter
        kept.append(sign)
        place += 1
    return "".join(kept)


def plain_value(value: str) -> str:
    """A value without the `="…"` in which a spreadsheet keeps it as text."""
    found = _FORMULA.fullmatch(value) if value.startswith("=") else None
    return value if found is None else found[1].replace(QUOTE * 2, QUOTE)


def visible(text: str) -> str:
    """A text without signs that are not seen: those that format a text, and variation selectors."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        sign for place, sign in enumerate(text) if not _is_invisible(sign) or _is_joined(text, place)
    ).strip()


def _is_invisible(sign: str) -> bool:
    return unicodedata.category(sign) == "Cf" or "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"


def _is_joined(text: str, place: int) -> bool:
    """Whether this is a joiner between two letters of a script that has joiners."""
    around = text[place - 1 : place] + text[place + 1 : place + 2]
    return text[place] in _JOINERS and len(around) == 2 and all(sign >= _JOINED_FROM for sign in around)


def surplus(rows: Iterable[Sequence[str]], names: Sequence[str]) -> tuple[int, frozenset[int]]:
    """How many empty values each row has behind those of the header, and the nameless columns that can be left out.

    Those at the end can also be left out where most rows have no value: the others are then faulty.
    """
    filled = dict.fromkeys((place for place, name in enumerate(names) if not name), 0)
    behind: set[int] = set()
    count = 0
    for cells in rows:
        count += 1
        behind.add(len(cells) - len(names) if not any(cells[len(names) :]) else 0)
        for place in filled:
            filled[place] += place < len(cells) and bool(cells[place].strip())
    last = max((place for place, name in enumerate(names) if name), default=-1)
    empty = frozenset(place for place, most in filled.items() if not most or (place > last and most * 2 < count))
    return (max(behind.pop(), 0) if len(behind) == 1 else 0), empty


def spans_rows(cells: Sequence[str], delimiter: str) -> Iterator[int]:
    """The positions of values with line ends and delimiters: a closing quote may be missing."""
    for place, cell in enumerate(cells):
        if delimiter in cell and ("\n" in cell or "\r" in cell):
            yield place
