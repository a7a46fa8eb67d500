"""Runs the network work of a command, with its progress, and ends it immediately on Ctrl+C; and signals that end the
program: the terminal is restored and temporary folders are removed first.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType
from typing import Any, NoReturn, TypeVar

from svc_tui.commands.progress import INTERVAL, ProgressLine
from svc_tui.commands.styles import measured

T = TypeVar("T")
#: What is done, of how much (0 where it is not known), the same in words, and the unit of the rate.
Amount = tuple[float, float, str, str]


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
async def progress(text: Callable[[], str]) -> AsyncIterator[ProgressLine]:
    """A line on the terminal with the current text during the block, updated regularly; clear it before a message."""
    line = ProgressLine()

    async def update() -> None:
        while True:
            line.update(text)
            await asyncio.sleep(INTERVAL)

    task = asyncio.create_task(update())
    try:
        yield line
    finally:
        task.cancel()
        line.clear()


@asynccontextmanager
async def counting(amount: Callable[[], Amount]) -> AsyncIterator[ProgressLine]:
    """The same with a bar, the rate and the time left."""
    began = time.monotonic()
    async with progress(lambda: measured(*amount(), time.monotonic() - began)) as line:
        yield line


_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """SIGTERM, and SIGHUP of a closed terminal, raise SystemExit within the block, so that every `finally` runs."""
    previous = {number: signal.signal(number, _exit) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _exit(number: int, frame: FrameType | None) -> None:
    # A second signal must not interrupt the cleanup, and the SIGCONT that a terminal sends along must not resume a
    # screen that is being closed. SIG_IGN would be reported for a signal that has already arrived.
    for each in (*_SIGNALS, signal.SIGCONT):
        signal.signal(each, _ignore)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        _end(128 + number)
    # In its own callback: raised in a task, it would also be reported as an error of that task.
    loop.call_soon_threadsafe(_end, 128 + number)


def _end(code: int) -> NoReturn:
    raise SystemExit(code)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Do nothing."""
