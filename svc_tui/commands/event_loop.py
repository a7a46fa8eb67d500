"""Runs the network work of a command, with its progress, and ends it immediately on Ctrl+C."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from svc_tui.commands.progress import INTERVAL, ProgressLine

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine. Ctrl+C raises KeyboardInterrupt."""
    return asyncio.run(_awake(work))


async def _awake(work: Coroutine[Any, Any, T]) -> T:
    # A signal that arrives just before the loop goes to sleep would be seen only when the loop wakes up: after the
    # timeout of a request, which then ends the command instead. A byte for each signal wakes the loop.
    loop = asyncio.get_running_loop()
    inner, outer = socket.socketpair()
    with inner, outer:
        inner.setblocking(False)
        outer.setblocking(False)
        loop.add_reader(inner, inner.recv, 4096)
        previous = signal.set_wakeup_fd(outer.fileno(), warn_on_full_buffer=False)
        try:
            return await work
        finally:
            signal.set_wakeup_fd(previous)
            loop.remove_reader(inner)


@asynccontextmanager
async def progress(text: Callable[[], str]) -> AsyncIterator[None]:
    """A line on the terminal with the current text during the block, updated regularly."""
    line = ProgressLine()

    async def update() -> None:
        while True:
            line.update(text)
            await asyncio.sleep(INTERVAL)

    task = asyncio.create_task(update())
    try:
        yield
    finally:
        task.cancel()
        line.clear()
