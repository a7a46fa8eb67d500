"""Usage counters: requests are counted in memory and stored every few seconds, so that no request waits."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.catalogue import usage_group_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.server.hooks import background_job, request_observer
from svc_tui.server.running.background import in_background, run_repeatedly
from svc_tui.server.service import Service
from svc_tui.server.store.coordination import Counted

log = logging.getLogger("svc_tui.server")

#: Seconds between two rounds.
_PAUSE = 5.0
_FAILURE = "usage could not be stored"
#: Paths whose operations have their own group.
_PATHS = (("/users", "users"), ("/recordings", "recording"), ("/subscribers", "pbxtelephony"), ("/offers", "billing"))


def group_of(operation: AnyOperation) -> str:
    """The usage group of an operation (4.8)."""
    return _group(operation.id, operation.path)


@cache
def _group(operation_id: str, path: str) -> str:
    return next((group for part, group in _PATHS if part in path), usage_group_of(operation_id))


class CallCounter:
    """The counters of one process."""

    def __init__(self, service: Service) -> None:
        self._database, self._clock = service.database, service.clock
        self._counts: Counter[Counted] = Counter()

    def count(self, application_id: str, operation: AnyOperation) -> None:
        """Count an answered request of an application."""
        if application_id:
            # To the hour, in UTC.
            hour = self._clock.now().isoformat()[:13]
            self._counts[application_id, hour, group_of(operation)] += 1

    async def write(self) -> None:
        """Store the counters."""
        if not self._counts:
            return
        counts, self._counts = self._counts, Counter()
        try:
            async with self._database.unit() as store:
                await store.counters.add(counts)
        except (SQLAlchemyError, OSError) as error:
            self._counts += counts
            log.error("%s: %s", _FAILURE, type(error).__name__)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Store the counters every few seconds while the block runs, and at its end."""
        try:
            async with in_background(run_repeatedly(self.write, _PAUSE, _FAILURE)):
                yield
        finally:
            await self.write()


@background_job
def counter_storage(service: Service) -> AbstractAsyncContextManager[None]:
    """Store the counters while the server runs."""
    return service.part(CallCounter).running()


@request_observer
def count_request(service: Service, application_id: str, operation: AnyOperation) -> None:
    """Count each authenticated request, and each login."""
    service.part(CallCounter).count(application_id, operation)
