"""The list widget: a cursor and marks among rows that are read on demand, whatever their number."""

from collections.abc import Callable, Iterable

from textual import events

from svc_tui.console.widgets.list import mouse
from svc_tui.console.widgets.list.columns import Column, next_sort
from svc_tui.console.widgets.list.drawn_list import GUTTER, HEADER, DrawnList
from svc_tui.console.widgets.list.marks import ids_between
from svc_tui.console.widgets.list.messages import Marking, MarkingFailed, MarksChanged, Moved, Opened, SortChanged
from svc_tui.console.widgets.list.rows import Row, Rows, RowsChange, Unsubscribe
from svc_tui.console.widgets.list.window import Window


class RecordList(DrawnList):
    """A list of records with a cursor, marks and a sorted header.

    It has no keys of its own: whoever owns the keys calls its methods. The mouse works here.
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
        empty: str = "Nothing here.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(columns, id_field=id_field, unicode=unicode, empty=empty, id=id, classes=classes)
        #: How many ids were read of how many, while those to mark are on their way.
        self.marking: tuple[int, int] | None = None
        self._unsubscribe: Unsubscribe | None = None
        self._cursor_id: str | None = None
        #: The cursor's record has not come back yet after a change of the rows.
        self._waiting = False
        self._wanted: tuple[int, int] | None = None
        if rows is not None:
            self.set_rows(rows)

    # What is shown

    @property
    def cursor_id(self) -> str | None:
        """The id of the record that the cursor is on."""
        return self._cursor_id

    @property
    def cursor_row(self) -> Row | None:
        """The record that the cursor is on, None while it is not here."""
        return self._row(self.cursor)

    @property
    def targets(self) -> tuple[str, ...]:
        """What an action works on: the marked records, else the one under the cursor."""
        if self.marks:
            return tuple(self.marks)
        return (self._cursor_id,) if self._cursor_id is not None else ()

    def set_rows(self, rows: Rows, *, cursor_id: str | None = None, keep_marks: bool = True) -> None:
        """Show other rows. The cursor goes to `cursor_id`, else stays on its record where that is among them."""
        self._let_go()
        self._rows = rows
        self._unsubscribe = rows.subscribe(self._changed)
        self._cursor_id = cursor_id or self._cursor_id
        if not keep_marks:
            # Marks that are still being read are of the rows there were before.
            self.stop_marking()
            self.clear_marks()
        self._wanted = None
        self._window = Window(count=rows.total or 0, seen=self._window.seen)
        self._redraw()
        self._adopt()

    # Moving

    def move(self, by: int) -> None:
        """Move the cursor by so many records."""
        self.go(self.cursor + by)

    def page(self, by: int) -> None:
        """Move by so many screens; one line of the last screen stays in sight."""
        self._travel(lambda: self._window.page(by))

    def home(self) -> None:
        """Go to the first record."""
        self.go(0)

    def end(self) -> None:
        """Go to the last record."""
        self.go(self.count - 1)

    def go(self, index: int) -> None:
        """Put the cursor on a position, as near as there is one."""
        self._travel(lambda: self._window.go(index))

    def scroll_rows(self, by: int) -> None:
        """Scroll the view; the cursor moves only when it would leave it."""
        self._travel(lambda: self._window.scroll(by))

    def _travel(self, step: Callable[[], None]) -> None:
        before, top = self.cursor, self.top
        step()
        if self.top != top:
            self.refresh()
        elif self.cursor != before:
            self._refresh_line(before)
            self._refresh_line(self.cursor)
        self._want()
        if self.cursor != before:
            self._tell_moved()

    def select(self, record_id: str) -> bool:
        """Put the cursor on a record, when it is among the rows at hand."""
        index = self._rows.index_of(record_id) if self._rows else None
        if index is None:
            return False
        self.go(index)
        return True

    def open(self) -> None:
        """Ask for the record under the cursor."""
        if self._cursor_id is not None:
            self.post_message(Opened(self, self.cursor, self._cursor_id, self.cursor_row))

    # Marking

    def toggle_mark(self, *, go_on: bool = True) -> None:
        """Mark or unmark the record under the cursor and go on to the next."""
        if self._cursor_id is None:
            return
        self.marks.toggle(self._cursor_id)
        self._refresh_line(self.cursor)
        self._tell_marks()
        if go_on:
            self.move(1)

    def mark_range(self) -> None:
        """Mark everything from the record marked last to the cursor."""
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
        """Mark every record of the list, those never seen too; `MarksChanged` tells when it is done."""
        self._mark_read(0, self.count)

    def stop_marking(self) -> None:
        """Give up what is being marked; the marks there are stay."""
        self.workers.cancel_group(self, "marks")
        self._marking_at(None)

    def clear_marks(self) -> None:
        """Mark nothing."""
        if self.marks:
            self.marks.clear()
            self._redraw()
            self._tell_marks()

    def set_marks(self, record_ids: Iterable[str]) -> None:
        """Mark exactly these, such as the ones of a job that failed."""
        self.marks.replace(record_ids)
        self._redraw()
        self._tell_marks()

    def _mark(self, record_ids: Iterable[str]) -> None:
        self.marks.add(record_ids)
        self._redraw()
        self._tell_marks()

    def _mark_read(self, first: int, last: int) -> None:
        if self.marking is not None:
            return
        self._marking_at((0, last))
        self.run_worker(
            self._mark_positions(first, last), group="marks", exclusive=True, exit_on_error=False, name="mark records"
        )

    async def _mark_positions(self, first: int, last: int) -> None:
        if self._rows is None:
            self._marking_at(None)
            return
        try:
            found = await ids_between(self._rows.ids(), first, last, lambda read: self._marking_at((read, last)))
        except Exception as error:  # whatever the service refuses with belongs on the screen, not in a traceback
            self._marking_at(None)
            self.post_message(MarkingFailed(self, error))
            return
        self._marking_at(None)
        self._mark(found)

    def _marking_at(self, state: tuple[int, int] | None) -> None:
        if state != self.marking:
            self.marking = state
            self.post_message(Marking(self))

    def _tell_marks(self) -> None:
        self.post_message(MarksChanged(self, len(self.marks)))

    # Sorting

    def sort_by(self, field: str) -> None:
        """Ask for an order; the one there is already is turned around."""
        self.show_sort(field, descending=not self.descending if field == self.sort_field else False)
        self.post_message(SortChanged(self, field, self.descending))

    def sort_step(self, by: int) -> None:
        """Ask for the order of the next or previous column that can be sorted by."""
        field = next_sort(self.columns, self.sort_field, by)
        if field:
            self.sort_by(field)

    # The rows and where one is among them

    def _want(self) -> None:
        if self._rows is None or not self._window.seen:
            return
        first, last = self._window.near()
        if self._rows.total is None:
            last = first + 2 * self._window.seen
        if last >= first and (first, last) != self._wanted:
            self._wanted = (first, last)
            self._rows.request(first, last)

    def _tell_moved(self) -> None:
        row = self.cursor_row
        self._cursor_id = self._id_of(row)
        self.post_message(Moved(self, self.cursor, self._cursor_id, row))

    def _changed(self, change: RowsChange) -> None:
        if change.rows is None:
            self._redraw()
        else:
            for index in change.rows:
                self._lines.pop(index, None)
                self._refresh_line(index)
        if change.rows is None or self.cursor in change.rows or self._waiting:
            self._adopt()
        else:
            self._count_anew()

    def _count_anew(self) -> None:
        if self._rows is not None and self._rows.total is not None:
            self._window.count = self._rows.total
        self._want()

    def _adopt(self) -> None:
        """Keep the cursor on its record after the rows changed; one that is gone leaves it to the next in its place."""
        self._count_anew()
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
            self.refresh()
        self._want()
        if not self._waiting and (self.cursor_row is not None or self._cursor_id is not None):
            self._tell_moved()

    def _let_go(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Another width lays the columns out anew; the cursor stays in sight."""
        self._painter = None
        top = self.top
        self._window.seen = max(event.size.height - HEADER, 0)
        if self._waiting:
            self._window.stay()
        else:
            self._window.keep_cursor_in_sight()
        if self.top != top:
            # It may have been drawn in the new size already.
            self.refresh()
        self._want()

    def on_unmount(self) -> None:
        """Hear no more of the rows."""
        self._let_go()

    def on_click(self, event: events.Click) -> None:
        mouse.click(self, event, HEADER, GUTTER)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        mouse.wheel(self, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        mouse.wheel(self, event)
