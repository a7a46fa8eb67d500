"""The terminal of a command: its check and the preparation of this process for the console, and signals that end the
program: the terminal is restored and temporary folders are removed first.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from svc_tui.commands.exits import UsageError
from svc_tui.console.terminal.capabilities import LINEAR
from svc_tui.language import _


def prepare_console(*, linear: bool = False) -> None:
    """UsageError unless there is a terminal to draw on and to type in. `linear` reads views as lines of text.

    Garbage is not collected until the first picture (`console.shell.startup`), because all objects of the start stay.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.isatty(2)):
        raise UsageError(_("The console needs a terminal. Use `svc-tui call` in scripts, and `ssh -t` over SSH."))
    if linear:
        use_linear_mode()
    gc.disable()


def use_linear_mode() -> None:
    """Read views as lines of text in this process."""
    os.environ[LINEAR] = "1"


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
