"""The list widget: a cursor and marks in rows that are read on demand."""

from collections.abc import Callable, Iterable
from functools import partial

from textual import events
from textual._time import get_time

from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.list import mouse
from svc_tui.console.widgets.list.columns import Column, next_sort
from svc_tui.console.widgets.list.drawn_list import GUTTER, HEADER, DrawnList
from svc_tui.console.widgets.list.marks import ids_between
from svc_tui.console.widgets.list.messages import Marking, MarkingFailed, MarksChanged, Moved, Opened, SortChanged
from svc_tui.console.widgets.list.rows import Row, Rows, RowsChange, Unsubscribe, Window
from svc_tui.language import _


class RecordList(DrawnList):
    """A list of records with a cursor, marks and a header for sorting.

    It handles the mouse but no keys: its owner calls its methods.
    """

    Moved = Moved
    Opened = Opened
    MarksChanged = MarksChanged
    MarkingFailed = MarkingFailed
    SortChanged = SortChanged

    def __init__(
        self,
        columns: Iterable[Column],
        rows: Rows | None = None,
        *,
        id_field: str = "id",
        unicode: bool = True,
        empty: str = _("No records."),
        is_live: Callable[[], bool] = lambda: False,
        moved: Callable[[], None] | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(
            columns, id_field=id_field, unicode=unicode, empty=empty, is_live=is_live, id=id, classes=classes
        )
        #: Called for a move of the cursor in place of `Moved`, which wakes every widget from here to its reader.
        self._after_move = moved
        #: Whether the rows were live when they last changed.
        self._was_live = False
        #: The IDs read so far and their total, while records are marked.
        self.marking: tuple[int, int] | None = None
        self._unsubscribe: Unsubscribe | None = None
        self._cursor_id: str | None = None
        #: Whether the selected record is still missing after a change of the rows.
        self._waiting = False
        #: When the selected record left the list and the cursor got another one, in the time of events; 0 before.
        self.replaced_at = 0.0
        #: Whether another record is expected at the cursor, after a change of the filter.
        self._expects_another = False
        self._wanted: tuple[int, int] | None = None
        if rows is not None:
            self.set_rows(rows)

    # Rows

    @property
    def cursor_id(self) -> str | None:
        """The ID of the selected record."""
        return self._cursor_id

    @property
    def cursor_row(self) -> Row | None:
        """The selected record, None while it is not read."""
        return self._row(self.cursor)

    @property
    def waiting(self) -> bool:
        """Whether the selected record is still missing after a change of the rows."""
        return self._waiting

    @property
    def targets(self) -> tuple[str, ...]:
        """The records for actions: the marked ones, otherwise the selected one."""
        if self.marks:
            return tuple(self.marks)
        return (self._cursor_id,) if self._cursor_id is not None else ()

    def set_rows(self, rows: Rows, *, cursor_id: str | None = None, keep_marks: bool = True) -> None:
        """Replace the rows. The cursor goes to `cursor_id`, otherwise it stays on its record if possible."""
        self._let_go()
        self._rows = rows
        self._unsubscribe = rows.subscribe(self._changed)
        self._was_live = self._is_live()
        self._cursor_id = cursor_id or self._cursor_id
        self._expects_another = not keep_marks
        if not keep_marks:
            # Marking in progress belongs to the previous rows.
            self.stop_marking()
            self.clear_marks()
        self._wanted = None
        self._window = Window(count=rows.total or 0, seen=self._window.seen)
        self._redraw()
        self._adopt()

    # Moving

    def move(self, by: int) -> None:
        """Move the cursor by a number of records."""
        self._travel(lambda: self._window.go(self.cursor + by, self._leap))

    @property
    def _leap(self) -> int:
        """The rows that are scrolled beside the necessary ones.

        Beside another pane, a terminal cannot move the lines of the list alone: each scrolled row takes the bytes of
        all rows. In the colours of the terminal, which is how slow links are drawn, it scrolls half a page at once.
        """
        beside = self.size.width < self.screen.size.width * 3 // 4
        return self._window.seen // 2 if beside and self.app.current_theme.ansi else 0

    def page(self, by: int) -> None:
        """Move by pages that overlap by one line."""
        self._travel(lambda: self._window.page(by))

    def home(self) -> None:
        """Go to the first record."""
        self.go(0)

    def end(self) -> None:
        """Go to the last record."""
        self.go(self.count - 1)

    def go(self, index: int) -> None:
        """Move the cursor to a position, or the nearest one."""
        self._travel(lambda: self._window.go(index))

    def scroll_rows(self, by: int) -> None:
        """Scroll; the cursor stays inside the visible rows."""
        self._travel(lambda: self._window.scroll(by))

    def _travel(self, step: Callable[[], None]) -> None:
        before, top = self.cursor, self.top
        self._expects_another = False
        step()
        self._request()
        if self.top != top:
            self._draw_part()
        elif self.cursor != before:
            self._refresh_line(before)
            self._refresh_line(self.cursor)
        if self.cursor != before:
            self._post_moved(self._after_move)

    def select(self, record_id: str) -> bool:
        """Move the cursor to a record if it is among the read rows."""
        index = self._rows.index_of(record_id) if self._rows else None
        if index is None:
            return False
        self.go(index)
        return True

    def open(self) -> None:
        """Open the selected record."""
        if self._cursor_id is not None:
            self.post_message(Opened(self, self.cursor, self._cursor_id, self.cursor_row))

    # Marking

    def toggle_mark(self, *, go_on: bool = True) -> None:
        """Mark or unmark the selected record and move to the next one."""
        if self._cursor_id is None:
            return
        self.marks.toggle(self._cursor_id)
        self._refresh_line(self.cursor)
        self._post_marks()
        if go_on:
            self.move(1)

    def mark_range(self) -> None:
        """Mark all records from the one marked last to the cursor."""
        anchor = self.marks.anchor
        start = self._rows.index_of(anchor) if self._rows and anchor is not None else None
        first, last = sorted((self.cursor if start is None else start, self.cursor))
        known: list[str] = []
        for index in range(first, last + 1):
            record_id = self._id_of(self._row(index))
            if record_id is None:
                self._mark_read(first, last)
                return
            known.append(record_id)
        self._mark(known)
        self.marks.anchor = self._cursor_id

    def mark_all(self) -> None:
        """Mark all records of the list, including those not read yet; `MarksChanged` follows."""
        self._mark_read(0, self.count)

    def stop_marking(self) -> None:
        """Stop marking; existing marks stay."""
        self.workers.cancel_group(self, "marks")
        self._marking_at(None)

    def clear_marks(self) -> None:
        """Clear all marks."""
        if self.marks:
            self.marks.clear()
            self._redraw()
            self._post_marks()

    def set_marks(self, record_ids: Iterable[str]) -> None:
        """Mark exactly these records, for example the failed ones of a job."""
        self.marks.replace(record_ids)
        self._redraw()
        self._post_marks()

    def _mark(self, record_ids: Iterable[str]) -> None:
        self.marks.add(record_ids)
        self._redraw()
        self._post_marks()

    def _mark_read(self, first: int, last: int) -> None:
        if self.marking is not None:
            return
        self._marking_at((0, last))
        in_background(
            self,
            partial(self._mark_positions, first, last),
            group="marks",
            exclusive=True,
        )

    async def _mark_positions(self, first: int, last: int) -> None:
        if self._rows is None:
            self._marking_at(None)
            return
        try:
            found = await ids_between(self._rows.ids(), first, last, lambda read: self._marking_at((read, last)))
        except Exception as error:  # Errors of the service are shown on the screen.
            self._marking_at(None)
            self.post_message(MarkingFailed(self, error))
            return
        self._marking_at(None)
        self._mark(found)

    def _marking_at(self, state: tuple[int, int] | None) -> None:
        if state != self.marking:
            self.marking = state
            self.post_message(Marking(self))

    def _post_marks(self) -> None:
        self.post_message(MarksChanged(self, len(self.marks)))

    # Sorting

    def sort_by(self, field: str) -> None:
        """Request an order; the current one is reversed."""
        self.show_sort(field, descending=not self.descending if field == self.sort_field else False)
        self.post_message(SortChanged(self, field, self.descending))

    def sort_step(self, by: int) -> None:
        """Request the order of the next or previous sortable column."""
        field = next_sort(self.columns, self.sort_field, by)
        if field:
            self.sort_by(field)

    # Rows and position

    def _request(self) -> None:
        if self._rows is None or not self._window.seen:
            return
        first, last = self._window.near()
        if self._rows.total is None:
            last = first + 2 * self._window.seen
        if last >= first and (first, last) != self._wanted:
            self._wanted = (first, last)
            self._rows.request(first, last)

    def _post_moved(self, instead: Callable[[], None] | None = None) -> None:
        row = self.cursor_row
        self._cursor_id = self._id_of(row)
        if instead is not None and self.is_attached:
            instead()
        else:
            self.post_message(Moved(self, self.cursor, self._cursor_id, row))

    def _changed(self, change: RowsChange) -> None:
        drawn = self._drawn_records() if self._was_live else {}
        self._was_live = self._is_live()
        self._adopt_change(change)
        if drawn and self._painter is not None:
            self._flashes.compare(drawn, self._visible_records(), self._painter)

    def _adopt_change(self, change: RowsChange) -> None:
        if change.rows is None:
            self._redraw()
        else:
            if not self.lines_are_current:
                self._draw_part()
            for index in change.rows:
                self._lines.pop(index, None)
                self._refresh_line(index)
        if change.rows is None or self.cursor in change.rows or self._waiting:
            self._adopt()
        else:
            self._count_again()

    def _count_again(self) -> None:
        if self._rows is not None and self._rows.total is not None:
            self._window.count = self._rows.total
        self._request()

    def _adopt(self) -> None:
        """Keep the cursor on its record after a change of the rows, or at its position if the record is gone."""
        self._count_again()
        rows, window = self._rows, self._window
        if rows is None or rows.total is None:
            return
        self._waiting = False
        top = window.top
        if self._cursor_id is not None and self._id_of(self.cursor_row) != self._cursor_id:
            index = rows.index_of(self._cursor_id)
            if index is not None:
                window.follow(index)
                self._redraw()
            else:
                self._waiting = rows.refreshing or (self.cursor_row is None and window.cursor < window.count)
        if self._waiting:
            window.stay()
        else:
            window.go(window.cursor)
        if window.top != top:
            self._draw_part()
        self._request()
        if not self._waiting and (self.cursor_row is not None or self._cursor_id is not None):
            if self._cursor_id not in (None, self._id_of(self.cursor_row)) and not self._expects_another:
                self.replaced_at = get_time()
            self._expects_another = self._expects_another and not self._is_live()
            self._post_moved()

    def _let_go(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Lay the columns out for the new width; the cursor stays visible."""
        self._painter = None
        self._window.seen = max(event.size.height - HEADER, 0)
        if self._waiting:
            self._window.stay()
        else:
            self._window.keep_cursor_in_sight()
        # It may already be drawn in the new size with the old columns.
        self._draw_window()
        self._request()

    def on_unmount(self) -> None:
        """Unsubscribe from the rows."""
        self._let_go()

    def on_click(self, event: events.Click) -> None:
        mouse.click(self, event, HEADER, GUTTER)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        mouse.wheel(self, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        mouse.wheel(self, event)
