"""Sorting of rows that the service does not sort: lists without pages, and lists derived from others."""

from __future__ import annotations

from collections.abc import Iterable

from svc_tui.cache.cached import RecordDict


def ordered(rows: Iterable[RecordDict], field: str, *, descending: bool = False) -> list[RecordDict]:
    """Rows sorted by a field: numbers by value, texts without regard to case; empty values are last either way."""
    filled: list[RecordDict] = []
    empty: list[RecordDict] = []
    for row in rows:
        (empty if row.get(field) in (None, "") else filled).append(row)
    return [*sorted(filled, key=lambda row: _rank(row[field]), reverse=descending), *empty]


def precedes(one: RecordDict, other: RecordDict, field: str, *, descending: bool = False) -> bool:
    """Whether a row is before another in the order of `ordered`."""
    first, second = _row_rank(one, field), _row_rank(other, field)
    if first[0] or second[0]:
        return not first[0] and second[0]
    return first > second if descending else first < second


def _row_rank(row: RecordDict, field: str) -> tuple[bool, bool, float, str]:
    """The rank of a row among others; one without a value is the last."""
    value = row.get(field)
    return (value in (None, ""), *_rank(value))


def _rank(value: object) -> tuple[bool, float, str]:
    number = isinstance(value, int | float)
    return not number, float(value) if isinstance(value, int | float) else 0.0, "" if number else str(value).casefold()
