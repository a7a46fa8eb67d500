"""Removal of counters and daily numbers after their retention, once a day."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost

#: Seconds between two removals.
_EVERY = 86_400.0


@background_job
def statistics_retention(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove old statistics for the length of a block."""

    async def act() -> None:
        if count := await remove_old(service):
            log.info("old counters and daily numbers removed: %d", count)

    return in_turn(service, "old statistics", act, _EVERY, "old statistics could not be removed")


async def remove_old(service: Service) -> int:
    """Remove the counters and daily numbers that are older than their retention. Returns how many there were."""
    limit = service.clock.now() - timedelta(days=service.settings.statistics_retention_days)
    async with service.database.unit() as store:
        count = await store.counters.remove_before(limit)
    async with service.database.unit() as store:
        return count + await store.daily_stats.remove_all(AtMost("date", f"{limit - timedelta(days=1):%Y-%m-%d}"))
