"""Base of the views whose rows can be marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.list.messages import Marking, MarkingFailed, MarksChanged
from svc_tui.language import _, number_text

if TYPE_CHECKING:
    from svc_tui.workspace.lists.listing import Listing


class MarkedRowsView(RowsView):
    """A view with the rows of a list, of which some or all can be marked."""

    listing: Listing
    #: Whether a new filter has cleared the marks; shown until a row is marked again.
    _unmarked = False

    @property
    def marked(self) -> tuple[str, ...]:
        return tuple(self.records.marks) if self.drawn else ()

    @property
    def busy(self) -> str:
        if not self.drawn or self.records.marking is None:
            return ""
        read, of = self.records.marking
        return self.with_keys(
            _("marking {read} of {of}, {{back}} stops").format(read=number_text(read), of=number_text(of))
        )

    def mark(self) -> None:
        """Mark or unmark the record."""
        self.records.toggle_mark()

    def mark_range(self) -> None:
        self.records.mark_range()

    def mark_all(self) -> None:
        """Mark all rows that match, or clear all marks. Marking in progress continues."""
        if self.busy:
            return
        if self.records.marks:
            self.records.clear_marks()
        else:
            self.records.mark_all()

    def _unmark_gone(self) -> None:
        """Unmark the records that are no longer in the list, unless these are all: a key for them would then reach the
        record under the cursor, where now it is refused."""
        if self.marked and self.listing.holds_all:
            left = [each for each in self.marked if self.listing.index_of(each) is not None]
            if 0 < len(left) < len(self.marked):
                self.records.set_marks(left)

    @on(MarksChanged)
    def _marks_changed(self, event: MarksChanged) -> None:
        self._unmark_gone()
        self._unmarked = self._unmarked and not event.count
        self.notify_changed()

    @on(Marking)
    def _marking(self) -> None:
        self.notify_changed()

    @on(MarkingFailed)
    def _marking_failed(self, event: MarkingFailed) -> None:
        self.post_message(self.Failed(event.error))
