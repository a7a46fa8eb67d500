"""The turns of the jobs that a server runs beside requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

from svc_tui.server.running import turns

if TYPE_CHECKING:
    from tests.support.world import World


async def had_turn(world: World, name: str) -> None:
    """Wait until the server of this world has done a job for the first time."""
    now = world.clock.now()
    async with asyncio.timeout(20), world.service.database.unit() as store:
        while (due := await store.turns.due(name)) is None or due <= now:
            # The question itself is what is waited for.
            continue


class Jobs:
    """The jobs that servers start in a block."""

    def __init__(self) -> None:
        self._started = self._done = 0
        self._changed = asyncio.Event()

    async def take_turn(self, *words: Any, **options: Any) -> float:
        """Do a job as the server does, and count it."""
        self._started += 1
        try:
            return await _take_turn(*words, **options)
        finally:
            self._done += 1
            self._changed.set()

    async def done(self) -> None:
        """Wait until all jobs have been done for the first time."""
        while not self._started or self._done < self._started:
            self._changed.clear()
            await self._changed.wait()


_take_turn = turns.take_turn


@contextmanager
def jobs_noted() -> Iterator[Jobs]:
    """Count the jobs of the servers that start in this block."""
    jobs = Jobs()
    with mock.patch.object(turns, "take_turn", jobs.take_turn):
        yield jobs
