"""Preparation of this process and check of the terminal for the console."""

from __future__ import annotations

import gc
import os
import sys

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
