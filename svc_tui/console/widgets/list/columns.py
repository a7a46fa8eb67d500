"""Columns of a list: their declaration, the text of their values, and their widths."""

import dataclasses
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from svc_tui.console.terminal.text import Align, SafeText, cut, fit, safe_text, width
from svc_tui.console.widgets.formatting import SIGNS, age, day, share
from svc_tui.language import ENGLISH, _, current, translated

#: Cells between two columns, and the most where there is room.
GAP, WIDEST_GAP = 1, 3
#: Cells of the sign of a state and the space behind it.
SIGN = 2
#: The most and the fewest columns of the bar of a share, and the cells of its number and the space before it.
_BAR, _SMALLEST_BAR, _NUMBER = 8, 4, 8
#: Characters of a value that a cell draws; no terminal is wider. Names of a list's rows are drawn with every move.
_MOST_IN_CELL = 1_000
#: Exceptions of a record that does not fit its declaration.
GARBLED = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column. `field` is the wire name or a dotted path into the record.

    `width` is the smallest width in cells; `flex` its share of the remaining cells (0 keeps the width); `limit` the
    largest width. On a narrow terminal the columns with the highest `priority` number are left out first; those with a
    higher one than a column that identifies records, also until this has the width at which its values are `whole`.
    `state` turns a value into a word and its style: ok, warn, bad, dim, accent. `of` computes the value from several
    fields.
    """

    field: str
    title: str
    width: int = 10
    flex: int = 0
    limit: int = 0
    whole: int = 0
    align: Align = "left"
    format: Callable[[Any, Mapping[str, Any]], str] | None = None
    sort_field: str | None = None
    state: Mapping[Any, tuple[str, str]] = dataclasses.field(default_factory=dict)
    priority: int = 0
    of: Callable[[Mapping[str, Any]], Any] | None = None
    #: The style of the value in a row, for values that are no words of `state`: ok, warn, bad, dim, accent.
    style: Callable[[Any, Mapping[str, Any]], str] | None = None
    #: The part and the whole of a value such as 41/50: a bar is drawn before it where there is room.
    part: Callable[[Mapping[str, Any]], tuple[float, float] | None] | None = None
    #: Whether the value is a time that is drawn as its age; filters also find its day.
    aged: bool = False
    #: Further fields of the value, for an export.
    also: tuple[str, ...] = ()
    #: The dotted paths to the values of an object, for an export.
    exported: tuple[str, ...] = ()
    #: The company of a row, by its ID or its name: only shown in lists that span several companies.
    across: bool = False
    #: Reads the value of each row on the screen: from the workspace, and the path of the record. It is in no file.
    looks_up: Callable[[Any, Mapping[str, str]], Awaitable[Any]] | None = None
    #: The width of the longest translated word with its sign; 0 in English, for whose words `width` is declared.
    wanted: int = dataclasses.field(default=0, init=False)

    def __post_init__(self) -> None:
        if current() != ENGLISH:
            translated(self, "title")
            words = {value: (_(word), style) for value, (word, style) in self.state.items()}
            object.__setattr__(self, "state", words)
            longest = max(width(self.title), *(width(word) for word, _style in words.values()), 0)
            object.__setattr__(self, "wanted", longest + (SIGN if self.has_signs else 0))

    @property
    def has_signs(self) -> bool:
        """Whether its words are states that can need attention, drawn with a sign; directions and kinds have none."""
        return any(style in ("warn", "bad") for _word, style in self.state.values())

    @property
    def least(self) -> int:
        """The fewest cells: a state has its sign before the word."""
        return self.width + (SIGN if self.has_signs else 0)

    @property
    def most(self) -> int:
        """The most cells: more would only move the values of the other columns away."""
        return self.limit or max(self.least * 3, 44)

    def value(self, row: Mapping[str, Any]) -> Any:
        """The value of the column in a record; None if the path does not exist."""
        if self.of is not None:
            # The record does not fit its declaration: the field is drawn unchanged.
            with suppress(*GARBLED):
                return self.of(row)
        value: Any = row
        for name in self.field.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    def text(self, row: Mapping[str, Any], unicode: bool = True) -> tuple[SafeText, str]:
        """The text of the value, and the name of its style ("" for the style of the row)."""
        value = self.value(row)
        word = self._state(value)
        if word is not None:
            return safe_text(word[0], unicode), word[1]
        return safe_text(self._words(value, row)[:_MOST_IN_CELL], unicode), self._style(value, row)

    def share(self, row: Mapping[str, Any]) -> tuple[float, float] | None:
        """The part and the whole of the value; None where it is no share."""
        with suppress(*GARBLED):
            return self.part(row) if self.part is not None else None
        return None

    def _style(self, value: Any, row: Mapping[str, Any]) -> str:
        if self.style is not None:
            with suppress(*GARBLED):
                return self.style(value, row)
        return ""

    def words(self, row: Mapping[str, Any]) -> str:
        """The text of the value as a filter searches it: not made safe to draw."""
        value = self.value(row)
        word = self._state(value)
        if self.aged:
            return f"{day(value)} {age(value)}"
        return word[0] if word is not None else self._words(value, row)

    def _state(self, value: Any) -> tuple[str, str] | None:
        try:
            return self.state.get(value)
        except TypeError:  # A list or an object instead of a word is drawn like any value.
            return None

    def _words(self, value: Any, row: Mapping[str, Any]) -> str:
        if self.aged:
            return age(value)
        if self.format is None:
            return unformatted(value)
        try:
            return self.format(value, row)
        except GARBLED:
            # The record does not fit its declaration: the value is drawn unchanged.
            return unformatted(value)


def unformatted(value: Any) -> str:
    """A value of a column without a format, or one that does not fit its declaration."""
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={unformatted(item)}" for name, item in value.items()) or "—"
    if isinstance(value, list | tuple):
        return ", ".join(map(unformatted, value)) or "—"
    return str(value)


class ColumnPlace(NamedTuple):
    """A visible column with its first cell and its width."""

    column: Column
    x: int
    width: int


def arranged(columns: Sequence[Column], chosen: Sequence[str]) -> tuple[Column, ...]:
    """The columns with these fields in this order, of which the first ones are left out last; all without a choice.

    Fields that no column has any longer are ignored.
    """
    named = {column.field: column for column in columns}
    found = [named[field] for field in dict.fromkeys(chosen) if field in named]
    if not found:
        return tuple(columns)
    return tuple(dataclasses.replace(column, priority=place) for place, column in enumerate(found))


def lay_out(columns: Sequence[Column], cells: int) -> tuple[ColumnPlace, ...]:
    """The places of the columns in `cells` cells; columns that do not fit are left out by priority.

    No column gets wider than its values can be; what is left then separates the columns. Where columns can grow, one
    cell more is kept between a number at the right of its column and the text behind it.
    """
    important = max((column.priority for column in columns if column.whole), default=0)
    kept, least = _fitting(columns, [column.whole or column.least for column in columns], cells)
    if any(column.priority <= important for column in columns if column not in kept):
        kept, least = _fitting(columns, [column.least for column in columns], cells)
    if not kept:
        return ()
    after_number = [one.align == "right" != other.align for one, other in pairwise(kept)]
    widths = _grow(kept, least, max(cells - _needed(least) - sum(after_number), 0))
    if len(kept) == 1:
        widths[0] = max(min(widths[0], cells), 0)
    spare = cells - sum(widths) - GAP * (len(kept) - 1)
    gap = GAP + max(0, min(WIDEST_GAP - GAP, spare // max(1, len(kept) - 1)))
    places, x = [], 0
    for column, size, number in zip(kept, widths, (*after_number, False), strict=True):
        places.append(ColumnPlace(column, x, size))
        more = int(number and gap == GAP and spare > 0)
        spare -= more
        x += size + gap + more
    return tuple(places)


def _fitting(columns: Sequence[Column], least: list[int], cells: int) -> tuple[list[Column], list[int]]:
    """The columns that fit with these widths, and their widths; columns that do not fit are left out by priority."""
    kept = list(columns)
    while len(kept) > 1 and _needed(least) > cells:
        least_needed = max(range(len(kept)), key=lambda index: (kept[index].priority, index))
        del kept[least_needed], least[least_needed]
    return kept, least


def _needed(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _grow(columns: Sequence[Column], least: Sequence[int], spare: int) -> list[int]:
    """The widths after `spare` cells are shared by weight, within the limits of the columns.

    Before, columns without a share get what their translated words need: of these cells, and up to a quarter of each
    column that has a share.
    """
    widths = list(least)
    shorter = {i: column.least // 4 for i, column in enumerate(columns) if column.flex}
    for i, column in enumerate(columns):
        needed = 0 if column.flex else max(column.wanted - column.least, 0)
        more = min(needed, spare)
        spare -= more
        while more < needed and any(shorter.values()):
            widest = max((each for each in shorter if shorter[each]), key=lambda each: widths[each])
            widths[widest] -= 1
            shorter[widest] -= 1
            more += 1
        widths[i] += more
    while spare > 0:
        open_ones = [i for i, column in enumerate(columns) if column.flex and not column.most <= widths[i]]
        if not open_ones:
            break
        weight = sum(columns[i].flex for i in open_ones)
        share = spare
        for i in open_ones:
            more = min(spare, max(share * columns[i].flex // weight, 1))
            more = min(more, columns[i].most - widths[i])
            widths[i] += more
            spare -= more
    return widths


class Cell(NamedTuple):
    """A cell as wide as its place."""

    text: str
    style: str


def draw_cell(place: ColumnPlace, row: Mapping[str, Any], unicode: bool = True) -> Cell:
    """The value of a record in its place, with a warning sign before data with dangerous characters."""
    column = place.column
    drawn, style = column.text(row, unicode)
    ellipsis = "…" if unicode else "~"
    text = ("⚠ " if unicode else "! ") + drawn.text if drawn.hostile else drawn.text
    if column.has_signs:
        text = safe_text(f"{SIGNS.get(style, ' ')} ", unicode).text + text
    elif (
        (bar := min(_BAR, place.width - _NUMBER)) >= _SMALLEST_BAR
        and width(text) < place.width - bar
        and (part := column.share(row)) is not None
    ):
        # The number stays at the right of its bar.
        text = safe_text(f"{share(*part, bar)} ", unicode).text + text.rjust(place.width - bar - 1)
    return Cell(fit(text, place.width, column.align, ellipsis), style)


def draw_title(place: ColumnPlace, mark: str, unicode: bool = True) -> str:
    """The title of a column in its place, with the mark of the sort order."""
    ellipsis = "…" if unicode else "~"
    title = safe_text(place.column.title, unicode).text.upper()
    if not mark:
        return fit(title, place.width, place.column.align, ellipsis)
    room = place.width - width(mark) - 1
    text = f"{cut(title, room, ellipsis)} {mark}" if room > 0 else mark
    return fit(text, place.width, place.column.align, ellipsis)


def sort_letters(columns: Sequence[Column]) -> dict[str, Column]:
    """Letter -> sortable column: the first free letter of each title."""
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
    """The sort field of the next or previous sortable column; "" when there is none."""
    fields = [column.sort_field for column in columns if column.sort_field]
    if not fields:
        return ""
    here = fields.index(field) if field in fields else -1 if by > 0 else 0
    return fields[(here + by) % len(fields)]
