"""Putting rows in order here, where the service does not: lists that come whole, or are made of others."""

from __future__ import annotations

from collections.abc import Iterable

from svc_tui.cache.shapes import Row


def ordered(rows: Iterable[Row], field: str, *, descending: bool = False) -> list[Row]:
    """Rows by a field: numbers by value, texts in any capitals; what has none comes last either way."""
    given: list[Row] = []
    lacking: list[Row] = []
    for row in rows:
        (lacking if row.get(field) in (None, "") else given).append(row)
    return [*sorted(given, key=lambda row: _rank(row[field]), reverse=descending), *lacking]


def _rank(value: object) -> tuple[bool, float, str]:
    number = isinstance(value, int | float)
    return not number, float(value) if isinstance(value, int | float) else 0.0, "" if number else str(value).casefold()
