"""Deletes recordings whose time is over (8), in the background of the server, at its start and twice an hour."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from svc_tui.interface.voice.recordings import SHORTEST_RECORDING
from svc_tui.interface.voice.retention import kept_since
from svc_tui.server.background import Sleep, again_and_again, beside
from svc_tui.server.clock import stamp
from svc_tui.server.responses import log
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AllOf, AnyOf, AtMost, Condition, Is, Referred
from svc_tui.server.store.tables import Document

#: Seconds between two rounds; they must come once an hour at least.
EVERY = 1800.0
_BEFORE = timedelta(milliseconds=1)


def keeping(service: Service, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
    """While the block runs recordings are kept as long as they should be, and no longer."""

    async def look() -> None:
        if count := await expire(service):
            log.info("recordings deleted at the end of their time: %d", count)

    # What could not be deleted is there at the next round too.
    return beside(again_and_again(look, EVERY, "recordings could not be looked through", at_once=True, sleep=sleep))


async def expire(service: Service) -> int:
    """Delete what is due now, company by company; how many there were."""
    async with service.database.unit() as store:
        recorded = (await store.companies.find(Referred("recordings", "companyId", AllOf(())))).documents
    count = 0
    for company in recorded:
        async with service.database.unit() as store:
            where = _due(service, company)
            # Looking first: where nothing is due nobody waits for a change that is none.
            if await store.recordings.count(*where):
                count += await store.recordings.remove_all(*where)
    return count


def _due(service: Service, company: Document) -> tuple[Condition, ...]:
    since = kept_since(service.clock.now(), company.get("cloudPbxRecordingRetention"))
    too_short = AtMost("duration", f"{SHORTEST_RECORDING - 1:012d}")
    return Is("companyId", company["id"]), AnyOf((AtMost("date", stamp(since - _BEFORE)), too_short))
