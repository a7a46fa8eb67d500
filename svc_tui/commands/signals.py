"""Signals that end the program: the terminal is restored and temporary folders are removed first."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

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
