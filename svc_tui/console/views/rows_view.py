"""Base of the views with one list of rows."""

from __future__ import annotations

from typing import Protocol

from svc_tui.console.views.view import View
from svc_tui.console.widgets.list.record_list import RecordList


class CursorPane(Protocol):
    """A part of a view in which the cursor moves."""

    def move(self, by: int) -> None: ...
    def page(self, by: int) -> None: ...
    def home(self) -> None: ...
    def end(self) -> None: ...


class RowsView(View):
    """A view with one list, and other widgets beside it."""

    #: The list while it belongs to the view; a query takes longer, and one key asks many times.
    _found: RecordList | None = None

    @property
    def records(self) -> RecordList:
        """The rows of the view."""
        return self._found if self.drawn and self._found is not None else self.query_one(RecordList)

    @property
    def drawn(self) -> bool:
        """Whether the view has its rows: not before it is composed, and not while it closes."""
        if self._found is None or self._found.parent is None:
            self._found = self.query_one_optional(RecordList)
        return self._found is not None

    @property
    def replaced_at(self) -> float:
        return self.records.replaced_at if self.drawn else 0.0

    @property
    def pane(self) -> CursorPane:
        """The pane that the keys for movement belong to."""
        return self.records

    def move(self, by: int) -> None:
        self.pane.move(by)

    def page(self, by: int) -> None:
        self.pane.page(by)

    def home(self) -> None:
        self.pane.home()

    def end(self) -> None:
        self.pane.end()

    def take_focus(self) -> None:
        self.records.focus()
