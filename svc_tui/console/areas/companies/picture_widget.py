"""An image in a view or dialog: half blocks where the terminal has them, otherwise a sentence with type and size."""

from __future__ import annotations

import asyncio
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import work
from textual.strip import Strip
from textual.widget import Widget

from svc_tui.client.content import type_of
from svc_tui.console.terminal.text import fit
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.files.saved_files import size_text
from svc_tui.workspace.files.uploads import type_name

if TYPE_CHECKING:
    from svc_tui.console.terminal import blocks
    from svc_tui.console.terminal.blocks import BlockImage, Colour
    from svc_tui.console.terminal.capabilities import Capabilities
else:
    blocks = lazy_import("svc_tui.console.terminal.blocks")

_UPPER = "▀"


class Blocks(Widget):
    """Draws bytes as an image within its size, and again when the size changes."""

    DEFAULT_CSS = "Blocks { width: 1fr; height: 1fr; }"

    def __init__(self, terminal: Capabilities, data: bytes = b"", text: str = "") -> None:
        super().__init__()
        self._terminal = terminal
        self._data = data
        self._text = text
        self._drawn: BlockImage | None = None
        self._room = (0, 0)

    def show(self, data: bytes, text: str = "") -> None:
        """Show another image; without bytes only the sentence."""
        if (data, text) != (self._data, self._text):
            self._data, self._text, self._drawn, self._room = data, text, None, (0, 0)
            self._draw()

    @property
    def facts(self) -> str:
        """Type, pixels and size, as far as known: `PNG, 128 x 96 pixels, 12 kB`."""
        if not self._data:
            return ""
        sides = (
            _("{width} x {height} pixels").format(width=self._drawn.width, height=self._drawn.height)
            if self._drawn
            else ""
        )
        return ", ".join(
            part for part in (type_name(type_of(self._data[:16])), sides, size_text(len(self._data))) if part
        )

    @property
    def drawn(self) -> bool:
        """Whether the image, or the sentence in its place, is on the screen."""
        return self._drawn is not None or not self._data

    @property
    def drawable(self) -> bool:
        """Whether this terminal can show images."""
        return self._terminal.unicode and self._terminal.colours > 0

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._data and self.size.width and (self.size.width, self.size.height) != self._room:
            self._room = (self.size.width, self.size.height)
            self._draw_now(self._data, *self._room)
        self.refresh()

    @work(exclusive=True, group="draw", exit_on_error=False)
    async def _draw_now(self, data: bytes, columns: int, rows: int) -> None:
        try:
            drawn = await asyncio.to_thread(blocks.draw, data, columns, rows)
        except blocks.NotDrawn as error:
            self._text = str(error)
        else:
            if data is self._data:
                self._drawn = drawn
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if self._drawn is not None and self.drawable:
            return _line(self._drawn, y, width, self.rich_style)
        text = self._text
        if self._drawn is not None:
            why = _("colours") if self._terminal.unicode else _("half blocks")
            text = _("{facts}. Not shown: this terminal has no {why}.").format(facts=self.facts, why=why)
        lines = _wrapped(text, width)
        return Strip([Segment(fit(lines[y] if y < len(lines) else "", width), self.rich_style)], width)


def _line(drawn: BlockImage, y: int, width: int, ground: Style) -> Strip:
    if y >= len(drawn.rows):
        return Strip([Segment(" " * width, ground)], width)
    segments: list[Segment] = []
    row = drawn.rows[y]
    start = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at] != row[start]:
            segments.append(Segment(_UPPER * (at - start), ground + _style(*row[start])))
            start = at
    return Strip([*segments, Segment(" " * (width - len(row)), ground)], width)


def _style(upper: Colour, lower: Colour | None) -> Style:
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower) if lower else None)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, max(8, width))
