"""Jobs that all processes and machines on one database do together: each time exactly one of them does it.

The turn is a locked row (`FOR UPDATE SKIP LOCKED`): a process that is killed loses it immediately, and the job stays
due.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from svc_tui.server.http.measures import TURNS, Measures
from svc_tui.server.log_lines import log
from svc_tui.server.running.background import Sleep, in_background
from svc_tui.server.service import Service
from svc_tui.server.store import audit

#: Seconds before another look, while another process is at a job or after a failure; at most the interval.
_RETRY = 60.0


async def take_turn(
    service: Service, name: str, act: Callable[[], Awaitable[object]], seconds: float, *, immediately: bool = True
) -> float:
    """Act if the job is due and no other process is at it. Returns the seconds until the next check.

    The job is due again after this interval. One that was never done is due `immediately`, or after an interval.
    """
    every, now = timedelta(seconds=seconds), service.clock.now()
    async with service.database.unit() as store:
        due = await store.turns.due(name)
        if due is None and not immediately:
            await store.turns.set_due(name, now + every)
            return seconds
        if due is not None and due > now:
            return min((due - now).total_seconds(), seconds)
        if not await store.turns.take(name, now=now):
            return min(_RETRY, seconds)
        with audit.job(name):
            await act()
        await store.turns.set_due(name, now + every)
    service.part(Measures).add(TURNS, name, "done")
    return seconds


def in_turn(
    service: Service,
    name: str,
    act: Callable[[], Awaitable[object]],
    seconds: float,
    failure: str,
    *,
    done: str = "",
    immediately: bool = True,
    sleep: Sleep = asyncio.sleep,
) -> AbstractAsyncContextManager[None]:
    """Act at this interval while a block runs, in one of all processes.

    `failure` describes a failure in the log, `done` what `act` returned the number of.
    """

    async def logged() -> None:
        count = await act()
        if done and count:
            log.info("%s: %d", done, count)

    async def repeat() -> None:
        while True:
            try:
                pause = await take_turn(service, name, logged, seconds, immediately=immediately)
            except Exception as error:
                # After any error the job stays due: it must not be forgotten until the next start.
                service.part(Measures).add(TURNS, name, "failed")
                log.error("%s: %s", failure, type(error).__name__)
                pause = min(_RETRY, seconds)
            await sleep(pause)

    return in_background(repeat())
