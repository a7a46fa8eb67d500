"""Whether a row matches the terms of a filter, as it is seen on the screen. Pure functions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.language import typed_dates
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.lists.expressions import Expression, ExpressionError
from svc_tui.workspace.lists.ranges import BEGINS_WITH_DAY, in_local_time, range_of
from svc_tui.workspace.lists.terms import Term

#: Fewest characters of an ID that are searched without a column: shorter words occur in IDs by chance.
SHORTEST_ID_PART = 6
#: What lists show for an empty value; such values are found by it.
NOTHING = "—"


#: Whether a row is shown.
Picks = Callable[[RecordData], bool]


def both(one: Picks | None, other: Picks | None) -> Picks | None:
    """The conjunction of two filters; None is no filter."""
    if one is None or other is None:
        return one or other
    return lambda row: one(row) and other(row)


def _nothing(row: RecordData) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class FilterColumn:
    """A column of a list. `name` is its wire name, `title` its heading, `shown` the text of a row on the screen.

    `value` is the value of a row where it is not simply that of the field, `words` the words that are shown for values.
    """

    name: str
    title: str = ""
    shown: Callable[[RecordData], str] = _nothing
    value: Callable[[RecordData], Any] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    def value_in(self, row: RecordData) -> Any:
        return self.value(row) if self.value else row.get(self.name)


@dataclass(frozen=True, slots=True)
class SearchTargets:
    """What the terms search: the columns by their keys, and the fields of the kind that identify a record."""

    columns: Mapping[str, FilterColumn]
    kind: Kind

    def column(self, key: str) -> FilterColumn:
        """The column with a key; a field that is not a column is searched by its value."""
        return self.columns.get(key) or FilterColumn(key)

    def identifying(self) -> Iterable[str]:
        """The fields that identify a record and are not columns, without its ID."""
        shown = {column.name for column in self.columns.values()}
        return (wire for wire in self.kind.identifiers if wire not in shown)


def predicate(terms: Sequence[Term], searched: SearchTargets) -> Callable[[RecordData], bool]:
    """A check whether all terms match a row."""
    checks = [_check(term, searched) for term in terms]
    return partial(_all, checks)


def _all(checks: Sequence[Callable[[RecordData], bool]], row: RecordData) -> bool:
    return all(check(row) for check in checks)


def _check(term: Term, searched: SearchTargets) -> Callable[[RecordData], bool]:
    found = _found_by(term, searched)
    if not term.excludes:
        return found
    return lambda row: not found(row)


def _found_by(term: Term, searched: SearchTargets) -> Callable[[RecordData], bool]:
    match term.match:
        case "range":
            return _in_range(term, searched)
        case "expression":
            try:
                fits = Expression(term.text).found_in
            except ExpressionError:
                return lambda row: False
            return lambda row: any(fits(folded(text)) for text in _texts(term, searched, row))
        case "whole":
            whole = folded(term.text)
            return lambda row: any(folded(text) == whole for text in _texts(term, searched, row))
    text = folded(term.text)
    if term.match == "letters":
        return lambda row: any(_in_order(text, folded(each)) for each in _texts(term, searched, row))
    matchers = _matchers(term, searched.kind)

    def found(row: RecordData) -> bool:
        # One comparison for all texts. The character between them cannot be typed.
        joined = folded("\0".join(_texts(term, searched, row)))
        return text in joined or any(match(term.text, row.get(wire), row) for wire, match in matchers.items())

    return found


def _matchers(term: Term, kind: Kind) -> Mapping[str, Callable[[str, Any, RecordData], bool]]:
    return {wire: match for wire, match in kind.matchers.items() if term.column in ("", wire)}


def _in_range(term: Term, searched: SearchTargets) -> Callable[[RecordData], bool]:
    column = searched.column(term.column)
    try:
        limits = range_of(term.text)
    except ValueError:
        limits = None
    if limits is None:
        return lambda row: False
    return lambda row: limits.holds(column.value_in(row), tuple(_in_column(column, row)))


def _in_column(column: FilterColumn, row: RecordData, *, every: bool = True) -> Iterable[str]:
    """The texts of a column: as it is shown, that with its dates as they are typed, and the value.

    A time is only compared as it is shown, in the zone of the user: its stored text is a day of UTC, perhaps another
    one. It has the seconds that are not shown. Values that are no text count only with `every`, or if nothing is shown.
    """
    value, shown = column.value_in(row), column.shown(row)
    typed = typed_dates(shown)
    if shown:
        yield shown
        if typed != shown:
            yield typed
    if not every and shown and (shown == value or not isinstance(value, str)):
        return
    stored = searched_text(value)
    day = BEGINS_WITH_DAY.match(typed)
    if day is None or stored.startswith(day[0]) or not BEGINS_WITH_DAY.match(stored):
        yield stored


def _texts(term: Term, searched: SearchTargets, row: RecordData) -> Iterable[str]:
    """The texts of a row that a term searches."""
    if term.column:
        column = searched.column(term.column)
        yield from _in_column(column, row)
        return
    for column in searched.columns.values():
        yield from _in_column(column, row, every=False)
    if term.match not in ("letters", "expression") and not _is_shown_date(term.text, searched, row):
        for wire in searched.identifying():
            yield searched_text(row.get(wire))
        if len(term.text) >= SHORTEST_ID_PART:
            yield searched.kind.id_of(dict(row))


def _is_shown_date(text: str, searched: SearchTargets, row: RecordData) -> bool:
    """Whether a text is a date and the row shows one: dates inside of other fields, such as names of files, are UTC."""
    return BEGINS_WITH_DAY.match(text) is not None and any(
        BEGINS_WITH_DAY.match(typed_dates(column.shown(row))) for column in searched.columns.values()
    )


def folded(text: str) -> str:
    """A text for comparison: without differences of case and of the encoding of accents."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def searched_text(value: Any) -> str:
    """A value as the text that a filter searches; a time is that of the user's zone."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case dict():
            return " ".join(searched_text(inner) for inner in value.values())
        case list():
            return " ".join(searched_text(inner) for inner in value)
        case str():
            return in_local_time(value)
    return str(value)


def without_separators(name: str) -> str:
    """A name as it may be typed before a colon: without spaces and signs, in small letters."""
    return re.sub(r"[\W_]", "", name).lower()


def _in_order(searched: str, text: str) -> bool:
    letters = iter(text)
    return all(letter in letters for letter in searched if not letter.isspace())
