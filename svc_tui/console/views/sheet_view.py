"""A view that is one sheet of lines: how one moves in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult

from svc_tui.console.views.view import View
from svc_tui.console.widgets.sheet import Line, Sheet, wrapped


class SheetView(View):
    """Base of the views that hold one sheet."""

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


class WrappedView(SheetView):
    """A sheet of lines that fold beside their labels; they are asked for whenever they are drawn."""

    #: Most columns for the labels, and what the sheet and the notes take beside the values.
    LABEL: ClassVar[int]
    BESIDE: ClassVar[int]

    def lines(self) -> Iterable[Line]:
        """What is shown now."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=self.LABEL)

    def on_mount(self) -> None:
        self.draw()
        self.home()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Draw the lines at the width there is."""
        if self.is_attached:
            # The labels take at most what the sheet gives them.
            width = max(20, self.size.width - min(self.LABEL, self.size.width * 2 // 5) - self.BESIDE)
            self.sheet.show([part for line in self.lines() for part in wrapped(line, width)])
