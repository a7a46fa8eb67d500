"""Numbers that were seen before: shown until the service answers, and while it does not, with their age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.source import OFFLINE_EMPTY, ListService, list_key

#: What these answers are among the records of the cache.
_KIND = "numbers"


@dataclass(frozen=True, slots=True)
class Numbers:
    """An answer, `fetched` in seconds since 1970; one that is not `live` was given to the same question back then."""

    body: Mapping[str, Any]
    fetched: float
    live: bool


async def seen_before(
    service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> Numbers | None:
    """What the service last answered to this question; None when it was never asked."""
    kept = await service.cache.read_record(_KIND, list_key(operation_id, path, query))
    return Numbers(kept.data, kept.fetched, live=False) if kept is not None else None


async def read(
    service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> Numbers:
    """What the service answers; while it is not reachable what it answered before. ReadError when there is neither."""
    try:
        if service.obstacle() == "offline":
            raise ReadError(OFFLINE_EMPTY, offline=True)
        answer = await service.read(operation_id, path, query)
    except ReadError as problem:
        known = await seen_before(service, operation_id, path, query) if problem.offline else None
        if known is None:
            raise
        return known
    found = Numbers(answer if isinstance(answer, dict) else {}, service.now(), live=True)
    await service.cache.store_record(
        _KIND, list_key(operation_id, path, query), dict(found.body), operation_id=operation_id, fetched=found.fetched
    )
    return found
