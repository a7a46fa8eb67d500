"""Background work of a process: repeated while it runs, whatever fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from svc_tui.server.log_lines import log

Sleep = Callable[[float], Awaitable[object]]


@asynccontextmanager
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run the work while the block runs. At its end the work is cancelled and has ended."""
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
    failure: str,
    *,
    immediately: bool = False,
    sleep: Sleep = asyncio.sleep,
) -> None:
    """Act at this interval, the first time after one interval or `immediately`.

    After any error, the next round tries again; `failure` describes it in the log.
    """
    if not immediately:
        await sleep(seconds)
    while True:
        try:
            await act()
        except Exception as error:
            log.error("%s: %s", failure, type(error).__name__)
        await sleep(seconds)
