"""A console on a private demo service: it opens while the data is prepared, and the data can be put back."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from svc_tui.cache import opening
from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import share
from svc_tui.language import _
from svc_tui.workspace.core.folders import file_name

if TYPE_CHECKING:
    from svc_tui.console.core.demo import Demo
    from svc_tui.console.terminal.capabilities import Capabilities
    from svc_tui.workspace.workspace import Workspace

#: Seconds in which the preparation has to go on before the time left is estimated.
SHORT = 2.0
#: The cells of its bar.
BAR = 20


class ResetQuestion(Question):
    """Whether all changes of the demo are discarded."""

    KEYS = (
        DialogKey("question.yes", ("y",), "Reset", "Answer with yes"),
        DialogKey("question.no", ("enter", "n"), "Keep", "Answer with no"),
        CLOSE.labelled(_("Keep")),
    )


async def prepared(demo: Demo, show_message: Callable[[str], None], terminal: Capabilities) -> None:
    """Wait until the service of a demo responds, with its progress in the status line. Raises what `Demo.wait` does."""
    loop, began = asyncio.get_running_loop(), time.monotonic()
    done: asyncio.Future[None] = loop.create_future()

    def end(error: Exception | None) -> None:
        if not done.done():
            done.set_result(None) if error is None else done.set_exception(error)

    def report(percent: int) -> None:
        text = _("Preparing the demo data… {percent}%").format(percent=percent)
        seconds = time.monotonic() - began
        # What changes all the time is not read aloud.
        if not terminal.linear:
            text += "  " + safe_text(share(percent, 100, BAR), terminal.unicode).text
        if 0 < percent < 100 and seconds >= SHORT and not terminal.linear:
            left = int((100 - percent) * seconds / percent)
            text += "   " + _("{time} left").format(time=f"{left // 60}:{left % 60:02}")
        loop.call_soon_threadsafe(show_message, text)

    def wait() -> None:
        # The loop is closed when the console was quit.
        with suppress(RuntimeError):
            try:
                demo.wait(report)
            except Exception as error:
                loop.call_soon_threadsafe(end, error)
            else:
                loop.call_soon_threadsafe(end, None)

    show_message(_("Preparing the demo data…"))
    # Not a thread of the loop, whose end would wait for it.
    threading.Thread(target=wait, daemon=True).start()
    await done
    show_message("")


async def reset_data(frame: StageScreen, __: str) -> None:
    """Put the data of the demo back, and begin again on the start page."""
    demo = frame.console.demo
    if demo is None:
        frame.show_message(_("Only the data of `svc-tui demo` can be reset."), "warn")
        return
    if frame.workspace.client is None:
        frame.show_message(_("The demo data is still being prepared."), "warn")
        return
    text = f"{_('All your changes in the demo are undone.')} {frame.loss}".rstrip()
    if not await frame.ask(ResetQuestion(_("Reset the demo data?"), text)):
        return
    frame.show_message(_("Resetting the demo data…"))
    if error_message := await asyncio.to_thread(demo.reset):
        frame.show_message(error_message, "bad")
    else:
        await frame.console.start_over(_("The demo data was reset."))


async def close_and_clear(workspace: Workspace) -> None:
    """Close a workspace, and remove its cached records and the changes that it could undo. The session stays."""
    for entry in workspace.journal.entries:
        workspace.journal.forget(entry)
    await workspace.close()
    opening.clear(workspace.folders.cache, file_name(workspace.profile.name))
