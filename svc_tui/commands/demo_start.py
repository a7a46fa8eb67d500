"""The check of the terminal, and the first line of a demo, before what it needs is loaded: that takes half a second."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any

from svc_tui.commands.exits import UsageError
from svc_tui.commands.progress import ProgressLine
from svc_tui.console.terminal.capabilities import LINEAR
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import demo_console
else:
    demo_console = lazy_import("svc_tui.commands.demo_console")


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


def start_demo(*, linear: bool = False, **options: Any) -> int:
    """Open the console on a private demo service; `options` are those of `demo_console.open_demo`."""
    prepare_console(linear=linear)
    progress = ProgressLine()
    progress.update(lambda: _("Preparing the demo data…"))
    try:
        return demo_console.open_demo(progress.clear, **options)
    finally:
        progress.clear()
