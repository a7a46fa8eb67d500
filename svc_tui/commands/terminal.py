"""Check for a terminal that can show the console."""

from __future__ import annotations

import os
import sys

from svc_tui.commands.exits import UsageError
from svc_tui.console.terminal.capabilities import capabilities


def require_terminal() -> None:
    """UsageError unless there is a terminal to draw on and to type in."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.isatty(2)):
        raise UsageError("The console needs a terminal. Use `svc-tui call` in scripts, and `ssh -t` over SSH.")
    if capabilities(os.environ).dumb:
        term = os.environ.get("TERM", "")
        raise UsageError(f"The console cannot draw on this terminal (TERM={term}). Use `svc-tui call` instead.")
