"""Cached statistics: shown until the service responds, and while offline, with their age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.workspace.core.service import ListService, ReadError
from svc_tui.workspace.lists.list_reader import OFFLINE_EMPTY, list_key

#: The kind of these responses among the records of the cache.
_KIND = "numbers"


@dataclass(frozen=True, slots=True)
class Numbers:
    """A response, `fetched` in seconds since 1970. One that is not `live` is a cached response to the same request."""

    body: Mapping[str, Any]
    fetched: float
    live: bool


async def cached_numbers(
    service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> Numbers | None:
    """The last response to this request; None when there was none."""
    cached = await service.cache.read_record(_KIND, list_key(operation_id, path, query))
    return Numbers(cached.data, cached.fetched, live=False) if cached is not None else None


async def read_numbers(
    service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> Numbers:
    """The response of the service, or the cached one while offline. ReadError when there is neither."""
    try:
        if service.obstacle() == "offline":
            raise ReadError(OFFLINE_EMPTY, offline=True)
        answer = await service.read(operation_id, path, query)
    except ReadError as error:
        known = await cached_numbers(service, operation_id, path, query) if error.offline else None
        if known is None:
            raise
        return known
    found = Numbers(answer if isinstance(answer, dict) else {}, service.now(), live=True)
    await service.cache.store_record(
        _KIND, list_key(operation_id, path, query), dict(found.body), operation_id=operation_id, fetched=found.fetched
    )
    return found
