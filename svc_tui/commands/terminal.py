"""Preparation of this process and check of the terminal for the console."""

from __future__ import annotations

import gc
import os
import sys

from svc_tui.commands.exits import UsageError
from svc_tui.console.terminal.capabilities import capabilities


def prepare_console() -> None:
    """UsageError unless there is a terminal to draw on and to type in.

    Garbage is not collected until the first picture (`console.shell.startup`), because all objects of the start stay.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.isatty(2)):
        raise UsageError("The console needs a terminal. Use `svc-tui call` in scripts, and `ssh -t` over SSH.")
    if capabilities(os.environ).dumb:
        term = os.environ.get("TERM", "")
        raise UsageError(f"The console cannot draw on this terminal (TERM={term}). Use `svc-tui call` instead.")
    gc.disable()
