"""Cached records and pages of lists, each with the time it was fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RecordDict = dict[str, Any]

#: Rows in one page of a list, the unit in which lists are stored, read and dropped.
PAGE = 100


@dataclass(slots=True)
class CachedRecord:
    """A record as it was read. `fetched` is seconds since 1970; `stale`: a change was sent without a response."""

    data: RecordDict
    fetched: float
    stale: bool = False


@dataclass(slots=True)
class CachedPage:
    """Up to PAGE consecutive rows of a list. Page n starts at row n * PAGE."""

    rows: list[RecordDict]
    fetched: float
    stale: bool = False


@dataclass(slots=True)
class CachedList:
    """Some pages of a list by their numbers, and its number of rows at the service (None: unknown)."""

    total: int | None = None
    pages: dict[int, CachedPage] = field(default_factory=dict)
