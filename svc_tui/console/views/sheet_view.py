"""A view that is one sheet of lines: how one moves in it."""

from __future__ import annotations

from svc_tui.console.views.sheet import Sheet
from svc_tui.console.views.view import View


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
