"""What a search found, and what it did not search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from svc_tui.cache.cached import RecordDict


@dataclass(slots=True)
class SearchResult:
    """A found record. `above`: kind -> id of the records in the path of its list; `cached`: not confirmed yet.

    `rank` is how well it fits the text, the best first (see `ranking`).
    """

    kind: str
    id: str
    record: RecordDict
    rank: int
    above: Mapping[str, str] = field(default_factory=dict)
    cached: bool = False


@dataclass(frozen=True, slots=True)
class SearchGap:
    """Something that was not searched: `asked` of `total` records of a kind (`of`), or the reason as a sentence."""

    kind: str
    reason: str = ""
    of: str = ""
    asked: int = 0
    total: int = 0
