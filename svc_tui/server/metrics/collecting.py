"""Daily storage of the numbers of companies, which cannot be counted from later records."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from svc_tui.interface.typed_access import document_of
from svc_tui.server.hooks import background_job
from svc_tui.server.metrics.company_numbers import users_of
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service

#: Seconds between two rounds. The last round of a day leaves its numbers.
_PAUSE = 3600.0


class StatisticsCollector:
    """Of all processes one collects."""

    def __init__(self, service: Service) -> None:
        self._service, self._database, self._clock = service, service.database, service.clock

    async def collect(self) -> int:
        """Store the numbers of today. Returns the number of companies."""
        now = self._clock.now()
        async with self._database.unit() as store:
            ids = await store.companies.ids()
            users = await users_of(store, ids, now)
            day = now.date().isoformat()
            counted = [id for id in ids if users[id].total]
            await store.daily_stats.put_all(
                {"id": f"{id}/{day}", "companyId": id, "date": day, "users": document_of(users[id])} for id in counted
            )
        return len(counted)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Store the numbers every hour while the block runs."""
        failure = "statistics could not be collected"
        return in_turn(self._service, "statistics", self.collect, _PAUSE, failure, immediately=False)


@background_job
def collecting(service: Service) -> AbstractAsyncContextManager[None]:
    """Store the numbers of companies while the server runs."""
    return service.part(StatisticsCollector).running()
