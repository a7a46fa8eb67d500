"""The chart as a widget with a cursor; only changed lines are drawn again."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from svc_tui.console.areas.metrics.chart_lines import ChartLine, ChartText, Layout, chart, lay_out
from svc_tui.console.core.stage import Host
from svc_tui.console.terminal.text import cut
from svc_tui.console.widgets.base import StyledWidget
from svc_tui.language import _
from svc_tui.workspace.metrics.series import Series


class Chart(StyledWidget, can_focus=True):
    """Bars of one or several series, or a note when there are none."""

    COMPONENT_CLASSES = {f"styled--{name}" for name in ("bar", "other", "title", "value", "cursor")}
    DEFAULT_CSS = """
    Chart { width: 1fr; height: 1fr; }
    Chart > .styled--bar { color: $primary; }
    Chart > .styled--other { color: $accent; }
    Chart > .styled--title { text-style: bold; color: $accent; }
    Chart > .styled--value { text-style: bold; }
    Chart > .styled--cursor { text-style: bold; color: $accent; }
    """

    class Moved(Message):
        """The cursor moved to another slice."""

    def __init__(self, *, unicode: bool = True) -> None:
        super().__init__()
        self._unicode = unicode
        self._series: Sequence[Series] = ()
        self._lines: list[ChartLine] = []
        self._first = 0
        self.cursor = 0
        self.note = _("loading…")

    @property
    def slices(self) -> int:
        """The number of slices of the longest series."""
        return max((len(each.starts) for each in self._series), default=0)

    def show(self, series: Sequence[Series], note: str = "") -> None:
        """Show other series. The cursor keeps its slice; in an empty chart it goes to the newest one."""
        before = self.slices
        self._series, self.note = series, note
        last = max(self.slices - 1, 0)
        self.cursor = min(self.cursor, last) if before else last
        self._draw()

    def move(self, by: int) -> None:
        """Move the cursor by slices."""
        self.go(self.cursor + by)

    def page(self, by: int) -> None:
        """Move by one screen."""
        self.move(by * max(1, self._layout().visible - 1))

    def go(self, index: int) -> None:
        """Put the cursor on a slice, or on the nearest one."""
        index = max(0, min(index, self.slices - 1))
        if index != self.cursor:
            self.cursor = index
            self._draw()
            self.post_message(self.Moved())

    def _layout(self) -> Layout:
        return lay_out(self._series, self.size.width, self.size.height, self.cursor, self._first)

    def _draw(self) -> None:
        if not self.size.width:
            return
        lines: list[ChartLine] = []
        if self.slices:
            layout = self._layout()
            self._first = layout.first
            lines = list(chart(self._series, layout, self.size.width, self.cursor, unicode=self._unicode))
        else:
            lines = [(ChartText(f" {self.note}", "dim"),)]
        before, self._lines = self._lines, lines
        for y in range(max(len(before), len(lines))):
            if before[y : y + 1] != lines[y : y + 1]:
                self.refresh(Region(0, y, self.size.width, 1))

    def on_resize(self) -> None:
        self._lines = []
        self._draw()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, used = self.size.width, 0
        segments = []
        for text, style in self._lines[y] if y < len(self._lines) else ():
            part = cut(text, width - used)
            used += cell_len(part)
            if part:
                segments.append(Segment(part, self.named_style(style)))
        return Strip([*segments, Segment(" " * (width - used), self.rich_style)], width)

    def on_click(self, event: events.Click) -> None:
        layout = self._layout()
        slot, beyond = divmod(event.x - layout.axis - 1, layout.slot)
        if self.slices and 0 <= slot < layout.visible and beyond >= 0:
            self.go(layout.first + slot)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-1)


def unicode_of(widget: Widget) -> bool:
    """Whether the terminal of a widget draws more than ASCII."""
    return not isinstance(widget.app, Host) or widget.app.terminal.unicode
