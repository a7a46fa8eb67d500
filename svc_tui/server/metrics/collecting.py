"""Keeps the numbers of each company of each day: what the records of tomorrow cannot tell any more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.server.clock import Clock
from svc_tui.server.metrics.numbers import users_of
from svc_tui.server.store.database import Database

log = logging.getLogger("svc_tui.server")

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

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Look every hour for the length of a block."""
        task = asyncio.create_task(self._for_ever())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _for_ever(self) -> None:
        while True:
            await asyncio.sleep(_PAUSE)
            try:
                await self.collect()
            except (SQLAlchemyError, OSError) as error:
                log.error("statistics could not be collected: %s", type(error).__name__)
