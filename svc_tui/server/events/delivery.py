"""Moves events from the outbox to the logs of their recipients: after each change with events, at start-up, and every
few seconds, for events that a killed process left behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from svc_tui.server.log_lines import log
from svc_tui.server.running.background import in_background
from svc_tui.server.store.database import Database

_BATCH = 500
#: Seconds between two checks for events of processes that are gone.
_LOOK_SECONDS = 5.0


class EventDelivery:
    """The delivery of one process. Several processes take turns. `delivered` is called after new events."""

    def __init__(self, database: Database, look_seconds: float = _LOOK_SECONDS) -> None:
        self.delivered: Callable[[], None] = lambda: None
        database.shared.wake_delivery = self.wake
        self._database, self._look_seconds = database, look_seconds
        self._wanted = asyncio.Event()
        self._idle = asyncio.Event()

    def wake(self) -> None:
        """Deliver new events soon."""
        self._idle.clear()
        self._wanted.set()

    async def settled(self) -> None:
        """Wait until all events of this process are delivered."""
        await self._idle.wait()

    async def deliver(self) -> int:
        """Deliver all pending events. Returns how many there were."""
        count = 0
        while True:
            async with self._database.unit() as store:
                moved = await store.events.deliver(most=_BATCH)
            count += moved
            if moved:
                self.delivered()
            if moved < _BATCH:
                return count

    async def _work(self) -> None:
        while True:
            self._wanted.clear()
            try:
                await self.deliver()
            except Exception as error:
                # The events stay in the outbox until the next check. `settled` must not wait for it.
                log.error("events could not be delivered: %s", type(error).__name__)
            if not self._wanted.is_set():
                self._idle.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._look_seconds):
                    await self._wanted.wait()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Deliver while the block runs, and all pending events at its end."""
        async with in_background(self._work()):
            yield
            await self.settled()
