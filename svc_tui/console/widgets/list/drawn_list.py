"""Drawing the list: lines are laid out for a width, cached, redrawn one by one; changed cells are lit for a moment."""

from collections.abc import Callable, Iterable, Mapping

from textual.geometry import Region
from textual.strip import Strip
from textual.timer import Timer

from svc_tui.console.widgets.base import StyledWidget
from svc_tui.console.widgets.list.columns import Column, ColumnPlace, lay_out, sort_letters
from svc_tui.console.widgets.list.lines import Painter
from svc_tui.console.widgets.list.marks import Marks
from svc_tui.console.widgets.list.rows import Row, Rows, Window
from svc_tui.language import _

#: Seconds that changed cells stay highlighted.
FLASH_SECONDS = 1.5
#: The numbers of columns.
Cells = frozenset[int]
NO_CELLS: Cells = frozenset()


class Flashes:
    """The highlighted cells of a list, by record. Each change costs one more repaint of its line, and no animation.

    `after` starts a timer, `redraw` draws the lines of records again.
    """

    def __init__(
        self, after: Callable[[float, Callable[[], None]], Timer], redraw: Callable[[Iterable[str]], None]
    ) -> None:
        self._after, self._redraw = after, redraw
        self._cells: dict[str, Cells] = {}
        self._timer: Timer | None = None

    def of(self, record_id: str | None) -> Cells:
        """The highlighted cells of a record."""
        return self._cells.get(record_id, NO_CELLS) if record_id is not None else NO_CELLS

    def compare(self, before: Mapping[str, Row], now: Mapping[str, Row], painter: Painter) -> None:
        """Highlight the cells of records that are drawn differently than before."""
        changed = {
            record_id: cells
            for record_id, row in now.items()
            if (old := before.get(record_id)) is not None and old is not row and (cells := painter.differing(old, row))
        }
        if not changed:
            return
        self._cells |= changed
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._after(FLASH_SECONDS, self._end)
        self._redraw(changed)

    def _end(self) -> None:
        ended, self._cells, self._timer = self._cells, {}, None
        self._redraw(ended)


LOOKS = (
    *("header", "row", "name", "cursor", "cursor-blurred", "mark"),
    *("ok", "warn", "bad", "accent", "flash", "flash-cursor"),
)
CSS = """
DrawnList { width: 1fr; height: 1fr; background: $background; color: $foreground; }
DrawnList > .styled--header { text-style: bold; color: $primary; }
DrawnList > .styled--row { color: $text-muted; }
DrawnList > .styled--name { text-style: bold; color: $foreground; }
DrawnList > .styled--cursor {
    background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
}
DrawnList > .styled--cursor-blurred {
    background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground;
    text-style: $block-cursor-blurred-text-style;
}
DrawnList > .styled--mark { text-style: bold; color: $accent; }
DrawnList > .styled--ok { color: $success; }
DrawnList > .styled--warn { color: $warning; }
DrawnList > .styled--bad { color: $error; }
DrawnList > .styled--accent { color: $accent; }
DrawnList > .styled--flash { color: $warning; text-style: bold reverse; }
DrawnList > .styled--flash-cursor { color: $warning; text-style: bold reverse; }
DrawnList:nocolor > .styled--cursor { text-style: reverse; }
DrawnList:nocolor > .styled--cursor-blurred { text-style: bold; }
DrawnList:nocolor > .styled--flash-cursor { text-style: bold; }
"""


#: Lines above the rows, and cells before them.
HEADER = 1
GUTTER = 1
#: The most cached lines, more than a terminal shows.
_KEPT_LINES = 1024
#: Seconds for which the last picture stays while all rows of another part of the list are being read.
PATIENCE = 0.3


class DrawnList(StyledWidget, can_focus=True):
    """The header and the visible rows, with cursor and marks."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES = {f"styled--{name}" for name in LOOKS}
    DEFAULT_CSS = CSS

    def __init__(
        self,
        columns: Iterable[Column],
        *,
        id_field: str,
        unicode: bool,
        empty: str,
        is_live: Callable[[], bool],
        id: str | None,
        classes: str | None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.columns = tuple(columns)
        self.id_field = id_field
        #: The texts of an empty list, and of one that is not read yet.
        self.empty, self.awaited = empty, _("Loading…")
        #: The style of the text: `warn` where the list could not be read.
        self.note_look = "dim"
        self.marks = Marks()
        self.sort_field = ""
        self.descending = False
        self._unicode = unicode
        self._rows: Rows | None = None
        self._window = Window()
        self._places: tuple[ColumnPlace, ...] = ()
        self._painter: Painter | None = None
        #: Draws another part of the list, whose rows are being read.
        self._later: Timer | None = None
        #: Row, whether it is marked, what flashes in it, and its line in each look.
        self._lines: dict[int, tuple[Row | None, bool, Cells, dict[str, Strip]]] = {}
        #: Whether the rows are those of the service: what changes in them flashes.
        self._is_live = is_live
        self._flashes = Flashes(self.set_timer, self._refresh_records)

    @property
    def rows(self) -> Rows | None:
        """The source of the records."""
        return self._rows

    @property
    def count(self) -> int:
        """The number of records, as far as known."""
        return self._window.count

    @property
    def cursor(self) -> int:
        """The position of the cursor."""
        return self._window.cursor

    @property
    def top(self) -> int:
        """The position of the first visible line."""
        return self._window.top

    @property
    def places(self) -> tuple[ColumnPlace, ...]:
        """The visible columns and their places."""
        return self._places

    def set_columns(self, columns: Iterable[Column]) -> None:
        """Replace the columns."""
        self.columns = tuple(columns)
        self._painter = None
        self._draw_window()

    @property
    def sort_letters(self) -> dict[str, Column]:
        """The letters of the sortable columns."""
        return sort_letters(self.columns)

    def show_sort(self, field: str, descending: bool = False) -> None:
        """Show an order in the header."""
        self.sort_field, self.descending = field, descending
        self._refresh_header()

    def _row(self, index: int) -> Row | None:
        return self._rows.row(index) if self._rows is not None and 0 <= index < self.count else None

    def _id_of(self, row: Row | None) -> str | None:
        record_id = row.get(self.id_field) if row is not None else None
        return None if record_id is None else str(record_id)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        painter = self._painter or self._lay_out()
        if y < HEADER:
            return painter.header(self.sort_field, self.descending)
        index = self.top + y - HEADER
        if index < self.count:
            return self._line(painter, index)
        return painter.blank() if self.count else painter.note(self.note, y - HEADER, self.note_look)

    def _line(self, painter: Painter, index: int) -> Strip:
        row = self._row(index)
        look = "" if index != self.cursor else "cursor" if self.has_focus else "cursor-blurred"
        record_id = self._id_of(row)
        marked, flashing = record_id in self.marks, self._flashes.of(record_id)
        kept = self._lines.get(index)
        if kept is None or kept[0] is not row or kept[1:3] != (marked, flashing):
            if len(self._lines) >= _KEPT_LINES:
                self._lines.clear()
            kept = self._lines[index] = (row, marked, flashing, {})
        drawn = kept[3]
        if look not in drawn:
            drawn[look] = painter.awaited(look) if row is None else painter.row(row, look, marked, flashing)
        return drawn[look]

    def _drawn_records(self) -> dict[str, Row]:
        """The visible records as they are drawn."""
        visible = (self._lines.get(index) for index in range(self.top, self.top + self._window.seen))
        rows = (line[0] for line in visible if line is not None)
        return {record_id: row for row in rows if row is not None and (record_id := self._id_of(row)) is not None}

    def _visible_records(self) -> dict[str, Row]:
        """The visible records as they are now."""
        rows = (self._row(index) for index in range(self.top, self.top + self._window.seen))
        return {record_id: row for row in rows if row is not None and (record_id := self._id_of(row)) is not None}

    def _refresh_records(self, record_ids: Iterable[str]) -> None:
        """Draw the visible ones of these records again."""
        wanted = frozenset(record_ids)
        for index in range(self.top, self.top + self._window.seen):
            if self._id_of(self._row(index)) in wanted:
                self._refresh_line(index)

    @property
    def note(self) -> str:
        """The text in place of records."""
        return self.awaited if self._rows is None or self._rows.total is None else self.empty

    def row_text(self, index: int) -> str:
        """A record in words: its name, the titles and values of the visible columns, and its mark."""
        row = self._row(index)
        if row is None:
            return _("reading…")
        first, *others = [place.column for place in (self._places or lay_out(self.columns, self._cells))]
        values = [(column.title, column.text(row, self._unicode)[0].text) for column in others]
        named = [f"{title.lower()} {value}" for title, value in values if value not in ("", "—")]
        mark = ["marked"] if self._id_of(row) in self.marks else []
        return "; ".join([first.text(row, self._unicode)[0].text, *named, *mark])

    @property
    def _cells(self) -> int:
        """The cells for the columns: in a frame, one stays free before the border."""
        return self.size.width - GUTTER - (self.size.width < self.app.size.width)

    def _lay_out(self) -> Painter:
        self._places = lay_out(self.columns, self._cells)
        self._lines.clear()
        self._painter = Painter(self._places, self.size.width, self.named_style, self._unicode)
        return self._painter

    def notify_style_update(self) -> None:
        """Redraw after a change of theme, focus or class."""
        super().notify_style_update()
        self._painter = None

    def _redraw(self) -> None:
        self._lines.clear()
        self._draw_window()

    def _draw_window(self) -> None:
        """Draw all lines."""
        if self._later is not None:
            self._later.stop()
            self._later = None
        self.refresh()

    def _draw_part(self) -> None:
        """Draw another part of the list: once instead of twice if its rows come soon.

        Until then the last picture stays, because Textual keeps the lines of a widget that is not refreshed.
        """
        visible = range(self.top, min(self.top + self._window.seen, self.count))
        if any(self._row(index) is not None for index in visible) or not self._lines:
            self._draw_window()
        elif self._later is None:
            self._later = self.set_timer(PATIENCE, self._draw_window)

    @property
    def lines_are_current(self) -> bool:
        """Whether the lines on the screen are those at `top`, and not yet those of another part of the list."""
        return self._later is None

    def _refresh_line(self, index: int) -> None:
        if not self.lines_are_current:
            return
        y = index - self.top + HEADER
        if HEADER <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def _refresh_header(self) -> None:
        self.refresh(Region(0, 0, self.size.width, HEADER))
