"""Base of the views with one list of rows."""

from __future__ import annotations

from svc_tui.console.views.view import View
from svc_tui.console.widgets.list.record_list import RecordList


class RowsView(View):
    """A view with one list, and other widgets beside it."""

    @property
    def records(self) -> RecordList:
        """The rows of the view."""
        return self.query_one(RecordList)

    def move(self, by: int) -> None:
        self.records.move(by)

    def page(self, by: int) -> None:
        self.records.page(by)

    def home(self) -> None:
        self.records.home()

    def end(self) -> None:
        self.records.end()

    def take_focus(self) -> None:
        self.records.focus()
