"""The turns of the jobs that a server runs beside requests."""

from __future__ import annotations

import asyncio

from tests.support.world import World


async def had_turn(world: World, name: str) -> None:
    """Wait until the server of this world has done a job for the first time."""
    now = world.clock.now()
    async with asyncio.timeout(20), world.service.database.unit() as store:
        while (due := await store.turns.due(name)) is None or due <= now:
            # The question itself is what is waited for.
            continue
