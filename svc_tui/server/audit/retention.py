"""Removal of audit records after their retention, once a day."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from svc_tui.interface.dates import stamp
from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost

#: Seconds between two removals.
_EVERY = 86_400.0


@background_job
def audit_retention(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove old audit records for the length of a block."""

    async def act() -> None:
        if count := await remove_old(service):
            log.info("old audit records removed: %d", count)

    return in_turn(service, "old audit records", act, _EVERY, "old audit records could not be removed")


async def remove_old(service: Service) -> int:
    """Remove the audit records that are older than their retention. Returns how many there were."""
    limit = service.clock.now() - timedelta(days=service.settings.audit_retention_days)
    async with service.database.unit() as store:
        return await store.audit_records.remove_all(AtMost("date", stamp(limit)))
