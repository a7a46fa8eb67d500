"""Columns of a list: what is declared of them, how their values read, and how they share the width of a terminal."""

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from svc_tui.console.terminal.text import Align, Shown, cut, fit, shown, width

#: Cells between two columns.
GAP = 1
#: What goes wrong where a record is taken for what its declaration says, and is not.
GARBLED = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column. `field` is the wire name or a dotted path into the record.

    `width` is in cells and the least it gets; `flex` its share of what is left over (0 keeps the width); `limit` the
    most it gets. On a narrow terminal the columns with the highest `priority` number go first. `state` turns a value
    into a word and the style of that word: ok, warn, bad, dim, accent. `of` gives the value where more than one field
    makes it.
    """

    field: str
    title: str
    width: int = 10
    flex: int = 0
    limit: int = 0
    align: Align = "left"
    format: Callable[[Any, Mapping[str, Any]], str] | None = None
    sort_field: str | None = None
    state: Mapping[Any, tuple[str, str]] = dataclasses.field(default_factory=dict)
    priority: int = 0
    of: Callable[[Mapping[str, Any]], Any] | None = None
    #: Further fields that its value is made of, for an export.
    also: tuple[str, ...] = ()
    #: What stands for it in an export, where it is an object: dotted paths to its values.
    exported: tuple[str, ...] = ()

    def value(self, row: Mapping[str, Any]) -> Any:
        """The column's value in a record; None where the path leads nowhere."""
        if self.of is not None:
            # Of a garbled record the field alone is drawn, as it came.
            with suppress(*GARBLED):
                return self.of(row)
        value: Any = row
        for name in self.field.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    def text(self, row: Mapping[str, Any], unicode: bool = True) -> tuple[Shown, str]:
        """The value as it is drawn, and the name of its style ("" for the row's own)."""
        value = self.value(row)
        word = self._state(value)
        if word is not None:
            return shown(word[0], unicode), word[1]
        return shown(self._words(value, row), unicode), ""

    def _state(self, value: Any) -> tuple[str, str] | None:
        try:
            return self.state.get(value)
        except TypeError:  # a list or an object where a word was expected: drawn as any value
            return None

    def _words(self, value: Any, row: Mapping[str, Any]) -> str:
        if self.format is None:
            return plain(value)
        try:
            return self.format(value, row)
        except GARBLED:
            # One garbled record must not take the list with it: its value is drawn as it came.
            return plain(value)


def plain(value: Any) -> str:
    """A JSON value in words."""
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={plain(item)}" for name, item in value.items()) or "—"
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value)) or "—"
    return str(value)


class ColumnPlace(NamedTuple):
    """A column that is drawn, from which cell on and how many cells wide."""

    column: Column
    x: int
    width: int


def lay_out(columns: Sequence[Column], cells: int) -> tuple[ColumnPlace, ...]:
    """Give each column its place in `cells` cells; what does not fit goes by priority, one column always stays."""
    kept = list(columns)
    while len(kept) > 1 and _least(kept) > cells:
        least_needed = max(range(len(kept)), key=lambda index: (kept[index].priority, index))
        del kept[least_needed]
    if not kept:
        return ()
    widths = _grow(kept, max(cells - _least(kept), 0))
    if len(kept) == 1:
        widths[0] = max(min(widths[0], cells), 0)
    places, x = [], 0
    for column, size in zip(kept, widths, strict=True):
        places.append(ColumnPlace(column, x, size))
        x += size + GAP
    return tuple(places)


def _least(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def _grow(columns: Sequence[Column], spare: int) -> list[int]:
    """Widths after `spare` cells are shared by weight; what a column may not take goes to the others."""
    widths = [column.width for column in columns]
    while spare > 0:
        open_ones = [i for i, column in enumerate(columns) if column.flex and not 0 < column.limit <= widths[i]]
        if not open_ones:
            break
        weight = sum(columns[i].flex for i in open_ones)
        share = spare
        for i in open_ones:
            more = min(spare, max(share * columns[i].flex // weight, 1))
            if columns[i].limit:
                more = min(more, columns[i].limit - widths[i])
            widths[i] += more
            spare -= more
    return widths


class Cell(NamedTuple):
    """A cell ready to draw: exactly as wide as its place."""

    text: str
    style: str


def draw_cell(place: ColumnPlace, row: Mapping[str, Any], unicode: bool = True) -> Cell:
    """A record's value in its place; a warning sign stands before data that held dangerous characters."""
    drawn, style = place.column.text(row, unicode)
    ellipsis = "…" if unicode else "~"
    text = ("⚠ " if unicode else "! ") + drawn.text if drawn.hostile else drawn.text
    return Cell(fit(text, place.width, place.column.align, ellipsis), style)


def draw_title(place: ColumnPlace, mark: str, unicode: bool = True) -> str:
    """A column's title in its place, with the mark of its sort order when it has one."""
    ellipsis = "…" if unicode else "~"
    title = shown(place.column.title, unicode).text.upper()
    if not mark:
        return fit(title, place.width, place.column.align, ellipsis)
    room = place.width - width(mark) - 1
    text = f"{cut(title, room, ellipsis)} {mark}" if room > 0 else mark
    return fit(text, place.width, place.column.align, ellipsis)


def sort_letters(columns: Sequence[Column]) -> dict[str, Column]:
    """A letter of its own for every column that can be sorted by: the first free letter of its title."""
    letters: dict[str, Column] = {}
    for column in columns:
        if column.sort_field is None:
            continue
        candidates = re.findall(r"[a-z0-9]", column.title.lower()) + list("abcdefghijklmnopqrstuvwxyz")
        free = next((letter for letter in candidates if letter not in letters), None)
        if free is not None:
            letters[free] = column
    return letters


def next_sort(columns: Sequence[Column], field: str, by: int) -> str:
    """The sort field of the next column that can be sorted by, or of the previous one; "" when none can."""
    fields = [column.sort_field for column in columns if column.sort_field]
    if not fields:
        return ""
    here = fields.index(field) if field in fields else -1 if by > 0 else 0
    return fields[(here + by) % len(fields)]
