"""The present screen as a picture (SVG) or as text, for a ticket.

Masked secrets stay masked, and those that a dialog shows once are masked: their widgets have the class `SECRET`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from rich.console import Console
from rich.segment import Segment
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip

from svc_tui.console.terminal.text import SECRET

_MASK = "••••••••"


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
        for widget in screen.query(f".{SECRET}"):
            _mask(update.strips, widget.region)
    console.print(update)
    return console


def _mask(strips: list[Iterable[Strip]], region: Region) -> None:
    """Replace what is drawn in a region, the first line by a mask."""
    for y in range(max(region.y, 0), min(region.bottom, len(strips))):
        line = Strip.join(list(strips[y]))
        before, inside, after = line.crop(0, region.x), line.crop(region.x, region.right), line.crop(region.right)
        style = next((segment.style for segment in inside), None)
        text = (_MASK if y == region.y else "").ljust(inside.cell_length)[: inside.cell_length]
        strips[y] = [before, Strip([Segment(text, style)]), after]
