"""Keeps the numbers of each company of each day: what the records of tomorrow cannot tell any more."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from svc_tui.server.background import in_background, run_repeatedly
from svc_tui.server.clock import Clock
from svc_tui.server.metrics.numbers import users_of
from svc_tui.server.store.database import Database

#: Seconds between two times of looking; the last look of a day is what stays of it.
_PAUSE = 3600.0


class Collecting:
    """One for each process; several write the same."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    async def collect(self) -> int:
        """Write down the numbers of today; of how many companies."""
        now = self._clock.now()
        async with self._database.unit() as store:
            await store.lock("daily stats")
            ids = [each["id"] for each in (await store.companies.find()).documents]
            users = await users_of(store, ids, now)
            day = now.date().isoformat()
            known = [
                {"id": f"{id}/{day}", "companyId": id, "date": day, "users": users[id]}
                for id in ids
                if users[id]["total"]
            ]
            for document in known:
                await store.daily_stats.put(document)
        return len(known)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Look every hour for the length of a block."""
        return in_background(run_repeatedly(self.collect, _PAUSE, "statistics could not be collected"))
