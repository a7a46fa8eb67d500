"""Deletes recordings whose time is over (8), in the background of the server, at its start and twice an hour."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.voice.recordings import SHORTEST_RECORDING
from svc_tui.interface.voice.retention import kept_since
from svc_tui.server.answers import log
from svc_tui.server.clock import stamp
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import All, Any, AtMost, Condition, Is, Referred
from svc_tui.server.store.tables import Document

#: Seconds between two rounds; they must come once an hour at least.
EVERY = 1800.0
_BEFORE = timedelta(milliseconds=1)

Sleep = Callable[[float], Awaitable[object]]


@asynccontextmanager
async def keeping(service: Service, sleep: Sleep = asyncio.sleep) -> AsyncIterator[None]:
    """While the block runs recordings are kept as long as they should be, and no longer."""
    task = asyncio.create_task(_for_ever(service, sleep))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _for_ever(service: Service, sleep: Sleep) -> None:
    while True:
        try:
            if count := await expire(service):
                log.info("recordings deleted at the end of their time: %d", count)
        except (SQLAlchemyError, OSError) as error:
            # They are there at the next round too.
            log.error("recordings could not be looked through: %s", type(error).__name__)
        await sleep(EVERY)


async def expire(service: Service) -> int:
    """Delete what is due now, company by company; how many there were."""
    async with service.database.unit() as store:
        recorded = (await store.companies.find(Referred("recordings", "companyId", All(())))).documents
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
    return Is("companyId", company["id"]), Any((AtMost("date", stamp(since - _BEFORE)), too_short))
