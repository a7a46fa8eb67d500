"""Base of the views with one sheet of lines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.events import DescendantFocus

from svc_tui.console.views.view import View
from svc_tui.console.widgets.panes import Panes
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, wrapped


class SheetView(View):
    """A view with one sheet."""

    @property
    def sheet(self) -> Sheet:
        """The lines of the view."""
        return self.query_one(Sheet)

    def move(self, by: int) -> None:
        self.sheet.move(by)

    def page(self, by: int) -> None:
        self.sheet.page(by)

    def home(self) -> None:
        self.sheet.home()

    def end(self) -> None:
        self.sheet.end()

    def take_focus(self) -> None:
        self.sheet.focus()


class PanedView(SheetView):
    """A view with a sheet in each of its panes."""

    #: The sheet that had the focus last, to return to it.
    _latest: Sheet | None = None

    @property
    def panes(self) -> Panes:
        """The panes, each with one sheet."""
        return self.query_one(Panes)

    @property
    def sheet(self) -> Sheet:
        """The sheet with the cursor."""
        shown = [sheet for sheet in self.query(Sheet) if self.panes.shows(sheet)]
        focused = next((sheet for sheet in shown if sheet.has_focus), self._latest)
        return focused if focused in shown else self.query_one(Sheet)

    def next_pane(self) -> None:
        self.panes.focus_next()

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, Sheet):
            self._latest = event.widget
            self.notify_changed(moved=True)


class WrappedView(SheetView):
    """A sheet of lines that wrap beside their labels, and of texts that wrap at the edge, computed at each drawing."""

    #: The most columns for the labels, and the columns of sheet and notes beside the values.
    LABEL: ClassVar[int]
    BESIDE: ClassVar[int]

    @abstractmethod
    def lines(self) -> Iterable[Line]:
        """The lines to show."""

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=self.LABEL)

    def on_mount(self) -> None:
        self.draw()
        self.home()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Draw the lines in the current width."""
        if self.is_attached:
            # The sheet limits the width of the labels.
            width = max(20, self.size.width - min(self.LABEL, self.size.width * 2 // 5) - self.BESIDE)
            whole = max(20, self.size.width - 2)
            lines = ((line, whole if line.kind == "text" else width) for line in self.lines())
            self.sheet.show([part for line, room in lines for part in wrapped(line, room)])
