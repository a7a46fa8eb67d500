"""Removal of events for users who do not connect, after their retention, once an hour."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial

from svc_tui.server.running.background import Sleep
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service

#: Seconds between two removals.
EVERY = 3600.0


def event_retention(service: Service, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
    """Remove events that are too old for the length of a block."""
    act, done = partial(remove_old, service), "events removed that were not received in time"
    return in_turn(service, "events", act, EVERY, "old events could not be removed", done=done, sleep=sleep)


async def remove_old(service: Service) -> int:
    """Remove the events that are older than the retention, and return their number."""
    limit = service.clock.now() - timedelta(days=service.settings.event_retention_days)
    async with service.database.unit() as store:
        return await store.events.remove_before(limit)
