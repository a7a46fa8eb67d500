"""Delivers events from the outbox: woken after each change that tells something, and once at start for what is left."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.server.background import in_background
from svc_tui.server.responses import log
from svc_tui.server.store.database import Database

_BATCH = 500


class Courier:
    """One for each process; those of several processes take turns."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._wanted = asyncio.Event()
        self._idle = asyncio.Event()

    def wake(self) -> None:
        """Something was told."""
        self._idle.clear()
        self._wanted.set()

    async def settled(self) -> None:
        """Wait until everything that this process told is delivered."""
        await self._idle.wait()

    async def deliver(self) -> int:
        """Deliver all that waits; how many events there were."""
        count = 0
        while True:
            async with self._database.unit() as store:
                moved = await store.events.deliver(most=_BATCH)
            count += moved
            if moved < _BATCH:
                return count

    async def _work(self) -> None:
        while True:
            self._wanted.clear()
            try:
                await self.deliver()
            except (SQLAlchemyError, OSError) as error:
                # It stays in the outbox: the next change, or the next start, delivers it.
                log.error("events could not be delivered: %s", type(error).__name__)
            if not self._wanted.is_set():
                self._idle.set()
            await self._wanted.wait()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Deliver for the length of a block, and what is left at its end."""
        async with in_background(self._work()):
            yield
            await self.settled()
