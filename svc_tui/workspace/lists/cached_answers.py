"""Cached responses that are no records, such as statistics: shown until the service responds, and while offline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc_tui.workspace.core.service import ListService, ReadError
from svc_tui.workspace.lists.list_reader import OFFLINE_EMPTY, list_key

if TYPE_CHECKING:
    from svc_tui.cache.store import Cache

#: The kind of these responses among the records of the cache.
_KIND = "answers"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, `fetched` in seconds since 1970. One that is not `live` is a cached response to the same request."""

    body: Mapping[str, Any]
    fetched: float
    live: bool


async def cached_answer(
    service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> Answer | None:
    """The last response to this request; None when there was none."""
    cached = await service.cache.read_record(_KIND, list_key(operation_id, path, query))
    return Answer(cached.data, cached.fetched, live=False) if cached is not None else None


async def read_answer(
    service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> Answer:
    """The response of the service, or the cached one while offline. ReadError when there is neither."""
    try:
        if service.obstacle() == "offline":
            raise ReadError(OFFLINE_EMPTY, offline=True)
        answer = await service.read(operation_id, path, query)
    except ReadError as error:
        known = await cached_answer(service, operation_id, path, query) if error.offline else None
        if known is None:
            raise
        return known
    found = Answer(answer if isinstance(answer, dict) else {}, service.now(), live=True)
    await service.cache.store_record(
        _KIND, list_key(operation_id, path, query), dict(found.body), operation_id=operation_id, fetched=found.fetched
    )
    return found


class KeptReads:
    """The workspace for what reads from it and its cache only: responses are kept, for a time without a service."""

    def __init__(self, service: ListService) -> None:
        self._service = service
        #: When the oldest of the responses came.
        self._fetched = service.now()

    @property
    def cache(self) -> Cache:
        """The cache of the workspace."""
        return self._service.cache

    def now(self) -> float:
        """The time at which what was read was true."""
        return self._fetched

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response, or of the cached one while offline. ReadError when there is neither."""
        found = await read_answer(self._service, operation_id, path, query)
        self._fetched = min(self._fetched, found.fetched)
        return found.body
