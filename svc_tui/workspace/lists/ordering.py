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


def _rank(value: object) -> tuple[bool, float, str]:
    number = isinstance(value, int | float)
    return not number, float(value) if isinstance(value, int | float) else 0.0, "" if number else str(value).casefold()
