"""The present screen as a new file for a ticket, from a view or a dialog: a picture (SVG) or text. Secrets are
masked, also those that are shown on the screen.
"""

from __future__ import annotations

import asyncio
import io
import re
from datetime import datetime
from pathlib import Path

from rich.console import Console
from textual._compositor import LayoutUpdate
from textual.app import App

from svc_tui.console.terminal.secrets import masked_strip
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files import saved_files
from svc_tui.workspace.files import saved_files as file_text
from svc_tui.workspace.files.downloads import first_path


def as_text(app: App[int]) -> str:
    """The lines of the screen without colours."""
    lines = (line.rstrip() for line in _drawn(app).export_text(styles=False).splitlines())
    return "\n".join(lines).rstrip("\n") + "\n"


def as_svg(app: App[int]) -> str:
    """The screen with its colours. It names fonts, but no address: reading it makes no request."""
    return without_addresses(_drawn(app).export_svg(title=app.title))


def without_addresses(svg: str) -> str:
    """A picture with fonts of this machine (those of rich are on a public host), and with the same ids each time."""
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg)
    return re.sub(r"terminal-\d+", "terminal", svg)


def _drawn(app: App[int]) -> Console:
    width, height = app.size
    console = Console(
        width=width,
        height=height,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    screen = app.screen
    update = screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    if isinstance(update, LayoutUpdate):
        update.strips[:] = [[masked_strip(line)] for line in update.strips]
    console.print(update)
    return console


#: The actions that save the screen, whose keys work in dialogs too -> the ending of their files.
ENDINGS = {"save_screen": ".svg", "save_screen_text": ".txt"}
#: Screens that can be saved in one second.
_MOST = 100


async def save_screen(app: App[int], kind: str, ending: str) -> tuple[str, str]:
    """Save the screen, as it is, in a file with this ending; returns the message and its style.

    `kind` is what is on the screen, for the name of the file.
    """
    content = as_svg(app) if ending == ".svg" else as_text(app)
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
