"""A picture in a view or a box: half blocks where the terminal has them, otherwise a sentence with type and size."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import work
from textual.strip import Strip
from textual.widget import Widget

from svc_tui.client.content import type_of
from svc_tui.console.terminal.text import fit
from svc_tui.workspace.files.text import size_text
from svc_tui.workspace.files.uploads import type_name

if TYPE_CHECKING:
    from svc_tui.console.terminal.blocks import Colour, Drawn
    from svc_tui.console.terminal.capabilities import Capabilities

_UPPER = "▀"


class Blocks(Widget):
    """Draws bytes as a picture within its own size; again when the size changes."""

    DEFAULT_CSS = "Blocks { width: 1fr; height: 1fr; }"

    def __init__(self, terminal: Capabilities, data: bytes = b"", said: str = "") -> None:
        super().__init__()
        self._terminal = terminal
        self._data = data
        self._said = said
        self._drawn: Drawn | None = None
        self._room = (0, 0)

    def show(self, data: bytes, said: str = "") -> None:
        """Another picture; without bytes only what is said."""
        if (data, said) != (self._data, self._said):
            self._data, self._said, self._drawn, self._room = data, said, None, (0, 0)
            self._draw()

    @property
    def facts(self) -> str:
        """Type, sides and size, as far as they are known: `PNG, 128 x 96 pixels, 12 kB`."""
        if not self._data:
            return ""
        sides = f"{self._drawn.width} x {self._drawn.height} pixels" if self._drawn else ""
        return ", ".join(
            part for part in (type_name(type_of(self._data[:16])), sides, size_text(len(self._data))) if part
        )

    @property
    def drawn(self) -> bool:
        """Whether the picture is on the screen, or what is said in its place."""
        return self._drawn is not None or not self._data

    @property
    def drawable(self) -> bool:
        """Whether this terminal can show pictures at all."""
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
        from svc_tui.console.terminal.blocks import NotDrawn, draw

        try:
            drawn = await asyncio.to_thread(draw, data, columns, rows)
        except NotDrawn as error:
            self._said = str(error)
        else:
            if data is self._data:
                self._drawn = drawn
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if self._drawn is not None and self.drawable:
            return _line(self._drawn, y, width, self.rich_style)
        said = self._said
        if self._drawn is not None:
            why = "colours" if self._terminal.unicode else "half blocks"
            said = f"{self.facts}: this terminal has no {why} to draw it."
        lines = _broken(said, width)
        return Strip([Segment(fit(lines[y] if y < len(lines) else "", width), self.rich_style)], width)


def _line(drawn: Drawn, y: int, width: int, ground: Style) -> Strip:
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


def _broken(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, max(8, width))
