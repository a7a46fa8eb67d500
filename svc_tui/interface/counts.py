"""A number with its noun."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """`1 row`, `12,345 rows`; `several` for a plural that does not only add an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
