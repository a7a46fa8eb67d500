"""The first line of a demo, before what a demo needs is loaded: on a busy machine that takes half a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from svc_tui.commands.progress import ProgressLine
from svc_tui.commands.terminal import prepare_console
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import demo_console
else:
    demo_console = lazy_import("svc_tui.commands.demo_console")


def start_demo(*, linear: bool = False, **options: Any) -> int:
    """Open the console on a private demo service; `options` are those of `demo_console.open_demo`."""
    prepare_console(linear=linear)
    progress = ProgressLine()
    progress.update(lambda: _("Preparing the demo data…"))
    try:
        return demo_console.open_demo(progress.clear, **options)
    finally:
        progress.clear()
