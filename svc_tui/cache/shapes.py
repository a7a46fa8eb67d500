"""What the cache hands out: records and pages of lists, each with the time it was fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]

#: Rows in one page of a list, the unit in which lists are kept, read and dropped.
PAGE = 100


@dataclass(slots=True)
class KeptRecord:
    """A record as it was read. `fetched` is seconds since 1970; `stale`: a change was sent and no answer came."""

    data: Row
    fetched: float
    stale: bool = False


@dataclass(slots=True)
class KeptPage:
    """Up to PAGE consecutive rows of a list; page n starts at row n * PAGE."""

    rows: list[Row]
    fetched: float
    stale: bool = False


@dataclass(slots=True)
class KeptList:
    """Some pages of a list by their numbers, and how many rows the service said it has (None: never seen)."""

    total: int | None = None
    pages: dict[int, KeptPage] = field(default_factory=dict)
