"""Deletion of expired recordings (8): in the background of the server, at its start and twice an hour."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from svc_tui.interface.dates import stamp
from svc_tui.interface.voice.recordings import SHORTEST_RECORDING
from svc_tui.interface.voice.retention import retained_since
from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.running.background import Sleep
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AllOf, AnyOf, AtMost, Condition, Is, ReferencedBy

#: Seconds between two rounds. At least one an hour is required.
INTERVAL = 1800.0
_BEFORE = timedelta(milliseconds=1)


@background_job
def keeping(service: Service, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
    """Delete expired recordings while the block runs."""

    async def delete() -> None:
        if count := await expire(service):
            log.info("expired recordings deleted: %d", count)

    # The next round finds what could not be deleted.
    return in_turn(service, "recordings", delete, INTERVAL, "expired recordings could not be deleted", sleep=sleep)


async def expire(service: Service) -> int:
    """Delete the expired recordings, company by company. Returns their number."""
    async with service.database.unit() as store:
        kept = await store.companies.numbers(
            "cloudPbxRecordingRetention", ReferencedBy("recordings", "companyId", AllOf(()))
        )
    count = 0
    for company_id, days in kept.items():
        async with service.database.unit() as store:
            where = _due(service, company_id, days)
            # Count first: without expired recordings no other request waits for this transaction.
            if await store.recordings.count(*where):
                count += await store.recordings.remove_all(*where)
    return count


def _due(service: Service, company_id: str, days: int | None) -> tuple[Condition, ...]:
    since = retained_since(service.clock.now(), days)
    too_short = AtMost("duration", f"{SHORTEST_RECORDING - 1:012d}")
    return Is("companyId", company_id), AnyOf((AtMost("date", stamp(since - _BEFORE)), too_short))
