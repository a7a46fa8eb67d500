"""Removal of reports on imports and checks after their retention, and of what imports left, once a day."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from svc_tui.interface.dates import stamp
from svc_tui.server.directory.import_storage import remove_unnamed
from svc_tui.server.directory.stored import RUNNING
from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost, In, Is, Not

#: Seconds between two removals.
_EVERY = 86_400.0


@background_job
def report_retention(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove old reports for the length of a block."""

    async def act() -> None:
        if count := await remove_old(service):
            log.info("old reports on imports removed: %d", count)
        await remove_unnamed(service)

    return in_turn(service, "old import reports", act, _EVERY, "old import reports could not be removed")


async def remove_old(service: Service) -> int:
    """Remove the reports that are older than their retention, with their rows. Returns how many there were."""
    limit = stamp(service.clock.now() - timedelta(days=service.settings.report_retention_days))
    old = (AtMost("startTime", limit), Not(In("state", RUNNING)))
    async with service.database.unit() as store:
        count = 0
        for id in await store.import_reports.ids(*old):
            # Not if an import with this report has begun since it was found.
            if await store.import_reports.remove_all(Is("id", id), *old):
                await store.imported_rows.remove_all(Is("report", id))
                count += 1
    return count
