"""The present screen as a picture (SVG) or as text, for a ticket.

Secrets are masked, also those that are shown on the screen.
"""

from __future__ import annotations

import io
import re

from rich.console import Console
from textual._compositor import LayoutUpdate
from textual.app import App

from svc_tui.console.terminal.secrets import masked_strip


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
