"""What a process does beside answering: as long as it runs, again and again, whatever the database does meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

log = logging.getLogger("svc_tui.server")

Sleep = Callable[[float], Awaitable[object]]


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do something for the length of a block; at its end it is cancelled, and has ended."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def run_repeatedly(
    act: Callable[[], Awaitable[object]],
    seconds: float,
    trouble: str,
    *,
    immediately: bool = False,
    sleep: Sleep = asyncio.sleep,
) -> None:
    """Act every so many seconds, the first time after them or `immediately`.

    A database that does not answer is tried again the next time; `trouble` says in the log what could not be done.
    """
    if not immediately:
        await sleep(seconds)
    while True:
        try:
            await act()
        except (SQLAlchemyError, OSError) as error:
            log.error("%s: %s", trouble, type(error).__name__)
        await sleep(seconds)
