"""The requests of one search: how many in all, and how many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from svc_tui.cache.store import Cache
from svc_tui.workspace.core.service import Obstacle, ReadError, Service

#: Most requests of one search; as many again for each time that it is continued.
MOST_REQUESTS = 80
#: Most requests of a search that continues by itself, for a number whose owner is not among the first CloudPBXs.
MOST_BY_ITSELF = 400
#: Requests in progress at once: fewer than the client has connections, so that the console stays usable.
AT_ONCE = 6


class Budget:
    """The service for the lists of one search. `requests` were sent; `spent` is true when more were needed."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._most = MOST_REQUESTS
        self.requests = 0
        self.spent = False

    def extend(self) -> None:
        """Allow as many requests again."""
        self._most, self.spent = self.requests + MOST_REQUESTS, False

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response; ReadError without one, also when no request is left."""
        async with self._slots:
            if self.requests >= self._most:
                self.spent = True
                raise ReadError("", missing=True)
            self.requests += 1
            return await self._service.read(operation_id, path, query)

    @property
    def cache(self) -> Cache:
        return self._service.cache

    def now(self) -> float:
        return self._service.now()

    def obstacle(self) -> Obstacle | None:
        return self._service.obstacle()

    def retry_now(self) -> None:
        self._service.retry_now()

    def forget_open(self, view: object) -> None:
        """A search opens no views."""

    @property
    def frugal(self) -> bool:
        return self._service.frugal
