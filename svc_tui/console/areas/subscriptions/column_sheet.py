"""A sheet of a form with columns: the same field of several alternatives, one of them under the cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from svc_tui.console.terminal.text import fit
from svc_tui.console.views.form import FormSheet
from svc_tui.console.widgets.sheet_lines import Line

#: The narrowest column for an amount, and the widest one that still looks like a table.
LEAST, MOST = 11, 17
#: Cells of the gutter, and of the gap behind the labels.
GUTTER, GAP = 2, 1
#: Most cells for labels.
LABELS = 22


@dataclass(frozen=True, slots=True)
class ColumnCell:
    """The text of one column, safe to draw."""

    text: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class ColumnRow(Line):
    """A line with a cell per column; the cursor is in the `chosen` one, and only stops at `edited` lines."""

    cells: tuple[ColumnCell, ...] = ()
    chosen: int = -1
    edited: bool = False
    align: Literal["left", "right"] = "right"

    @property
    def stops(self) -> bool:
        return self.edited

    @property
    def as_read(self) -> str:
        """The cells in the order of the line that names the columns."""
        texts = ", ".join(text for cell in self.cells if (text := cell.text.strip()))
        return f"{self.label}: {texts}" if self.kind == "heading" else texts


class SideBySide(FormSheet):
    """Lines of a form, with rows of columns among them. All rows have the same number of cells.

    The first line names the columns and stays visible when the others scroll.
    """

    WRAPS = False

    @property
    def label_width(self) -> int:
        return min(LABELS, self.size.width // 3)

    def room(self) -> int:
        """Cells behind the labels."""
        return max(0, self.size.width - GUTTER - self.label_width - GAP)

    def fitting(self, columns: int) -> int:
        """How many of these columns fit; at least one."""
        return max(1, min(columns, self.room() // (LEAST + 1)))

    def span(self, column: int, columns: int) -> tuple[int, int]:
        """Start and width of a column, without the blank behind it."""
        width = min(self.room() // max(1, columns), MOST)
        return GUTTER + self.label_width + GAP + column * width, width - 1

    def _follow(self) -> None:
        super()._follow()
        if self.top and self.cursor <= self.top:
            self.top = max(0, self.cursor - 1)

    def _refresh_line(self, index: int) -> None:
        if index or not self.top:
            super()._refresh_line(index)
        else:
            self.refresh(Region(0, 0, self.size.width, 1))

    def on_click(self, event: events.Click) -> None:
        """A click on the names of the columns has no effect: the line behind them is hidden."""
        if self.top and not event.y:
            event.prevent_default()

    def render_line(self, y: int) -> Strip:
        index, width = y + self.top if y else 0, self.size.width
        line = self._lines[index] if index < len(self._lines) else None
        if not isinstance(line, ColumnRow):
            return super().render_line(y)
        here = index == self.cursor and line.stops
        segments = self._row(line, here)
        used = sum(len(item.text) for item in segments)
        strip = Strip([*segments, Segment(" " * max(0, width - used), self.rich_style)])
        return strip.adjust_cell_length(width, self.rich_style)

    def _row(self, row: ColumnRow, here: bool) -> list[Segment]:
        cursor = self.named_style("cursor")
        heading = row.kind == "heading"
        label = self.named_style("heading" if heading else "label")
        gutter = "* " if row.changed else "  "
        segments = [Segment(gutter + fit(row.label, self.label_width) + " " * GAP, cursor if here else label)]
        columns = len(row.cells)
        for at, cell in enumerate(row.cells):
            _, width = self.span(at, columns)
            style = self.named_style("heading" if heading else cell.style)
            drawn = cursor if here and at == row.chosen else style
            segments += [Segment(fit(cell.text, width, row.align), drawn), Segment(" ", self.rich_style)]
        return segments
