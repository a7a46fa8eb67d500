"""The present screen as a new file for a ticket, from a view or a dialog."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

from textual.app import App

from svc_tui.console.terminal import screenshot
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files import saved_files
from svc_tui.workspace.files import saved_files as file_text
from svc_tui.workspace.files.downloads import first_path

#: The actions that save the screen, whose keys work in dialogs too -> the ending of their files.
ENDINGS = {"save_screen": ".svg", "save_screen_text": ".txt"}
#: Screens that can be saved in one second.
_MOST = 100


async def save_screen(app: App[int], kind: str, ending: str) -> tuple[str, str]:
    """Save the screen, as it is, in a file with this ending; returns the message and its style.

    `kind` is what is on the screen, for the name of the file.
    """
    content = screenshot.as_svg(app) if ending == ".svg" else screenshot.as_text(app)
    name = f"svc-tui-{kind}-{datetime.now():%Y-%m-%d-%H%M%S}"
    try:
        path = await asyncio.to_thread(_written, name, content, ending)
    except OSError as error:
        return _("The screen cannot be saved: {reason}.").format(reason=file_text.reason_of(error)), "bad"
    return _("Saved {path}").format(path=path), "ok"


def _written(name: str, content: str, ending: str) -> Path:
    """Write a new file in the download folder, or in the home folder. OSError when that is not possible."""
    for number in range(1, _MOST):
        path = expanded(Path(first_path(name if number == 1 else f"{name}-{number}", ending)))
        try:
            with saved_files.saved_file(path, overwrite=False) as file:
                file.write(content.encode())
        except FileExistsError:
            continue
        return path
    raise FileExistsError(17, _("too many files with this name"))
