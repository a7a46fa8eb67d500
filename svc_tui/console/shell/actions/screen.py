"""The screen itself: drawing it again, and saving it for a ticket."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from svc_tui.console.core.actions import READING, Action
from svc_tui.console.core.resource import Context
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.console.editing import saving
    from svc_tui.workspace.files import saved_files
    from svc_tui.workspace.files import text as file_text
else:
    saving = late("svc_tui.console.editing.saving")
    saved_files = late("svc_tui.workspace.files.saved_files")
    file_text = late("svc_tui.workspace.files.text")

_ALL = READING | {"form"}
#: Screens that can be saved in one second.
_MOST = 100


def _redraw(context: Context) -> None:
    context.stage.repaint()


async def _save_svg(context: Context) -> None:
    await _save(context, context.stage.screenshot(svg=True), ".svg")


async def _save_text(context: Context) -> None:
    await _save(context, context.stage.screenshot(svg=False), ".txt")


async def _save(context: Context, content: str, ending: str) -> None:
    name = f"svc-tui-{context.view.place.kind}-{datetime.now():%Y-%m-%d-%H%M%S}"
    try:
        path = await asyncio.to_thread(_written, name, content, ending)
    except OSError as error:
        context.stage.say(f"The screen cannot be saved: {file_text.reason_of(error)}.", "bad")
    else:
        context.stage.say(f"Saved {path}", "ok")


def _written(name: str, content: str, ending: str) -> Path:
    """Write a new file in the download folder, or in the home folder. OSError when that is not possible."""
    for number in range(1, _MOST):
        path = Path(saving.start(name if number == 1 else f"{name}-{number}", ending)).expanduser()
        try:
            with saved_files.saved_file(path, overwrite=False) as file:
                file.write(content.encode())
        except FileExistsError:
            continue
        return path
    raise FileExistsError(17, "too many files with this name")


ACTIONS = (
    Action(
        name="redraw",
        keys=("ctrl+l",),
        label="Redraw",
        help="Redraw the screen",
        run=_redraw,
        group="Go",
        views=_ALL,
    ),
    Action(
        name="save_screen",
        keys=("f9",),
        label="Save screen",
        help="Save the screen as a picture (SVG) for a ticket, as it is: masked secrets stay masked",
        run=_save_svg,
        group="Go",
        views=_ALL,
    ),
    Action(
        name="save_screen_text",
        keys=("f8",),
        label="Save as text",
        help="Save the screen as text for a ticket, as it is: masked secrets stay masked",
        run=_save_text,
        group="Go",
        views=_ALL,
    ),
)
