"""A view of numbers over time: a chart, its table, and a page of what they contain."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from string import ascii_uppercase
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from svc_tui.console.areas.metrics.chart import Chart, unicode_of
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.terminal.text import width as cells
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Bar, Piece
from svc_tui.console.widgets.formatting import NOTHING, from_cache
from svc_tui.console.widgets.list.columns import GAP, Column
from svc_tui.console.widgets.list.messages import Moved, Opened
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists import cached_answers
from svc_tui.workspace.lists.list_reader import OFFLINE_SHOWN
from svc_tui.workspace.metrics.series import NumberRows, Series, named
from svc_tui.workspace.workspace import Workspace

DIFFERENCE, PERCENT, START_OF = "difference", "percent", _("start of ")
#: Rows that are measured for the width of a column of words.
_LOOKED_AT = 50
_NARROWEST, _WIDEST_WORDS, _WIDEST = 8, 26, 20


def columns_of(rows: NumberRows, room: int) -> tuple[list[Column], str]:
    """The columns of rows within a width, and the lines of the legend; empty without letters."""
    names = [name for name in rows.columns if not _is_words(rows, name) and name not in (DIFFERENCE, PERCENT)]
    columns = [_column(rows, name) for name in rows.columns]
    if len(names) < 2 or (_least(columns) <= room and all(cells(_drawn(name)) <= _WIDEST for name in names)):
        return columns, ""
    letters = dict(zip(names, ascii_uppercase, strict=False))
    key = _in_lines([f"{letter} {_drawn(name)}" for name, letter in letters.items()], room - 2)
    return [_column(rows, name, letters) for name in rows.columns], key


def _in_lines(parts: Sequence[str], room: int) -> str:
    """Parts joined into lines, as many per line as fit."""
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]}   {part}" if lines[-1] else part
        if cells(longer) > room and lines[-1]:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _drawn(name: str) -> str:
    return safe_text(name).text


def _is_words(rows: NumberRows, name: str) -> bool:
    return isinstance((rows.row(0) or {}).get(name), str)


def _least(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + GAP * len(columns)


def _column(rows: NumberRows, name: str, letters: Mapping[str, str] | None = None) -> Column:
    value = partial(_of, name)
    if _is_words(rows, name) and name != PERCENT:
        words = [str((rows.row(place) or {}).get(name)) for place in range(min(_LOOKED_AT, rows.total))]
        width = max(10, min(max(map(len, words)), _WIDEST_WORDS))
        return Column(field=name, title=_words_title(name, letters), width=width, of=value)
    written = _signed if name == DIFFERENCE else _counted
    longest = max((len(written((rows.row(place) or {}).get(name), {})) for place in range(rows.total)), default=1)
    title = (letters or {}).get(name, name)
    least = longest if letters else max(_NARROWEST, longest, min(cells(_drawn(name)), _WIDEST))
    width = max(least, cells(_drawn(title)) if name in (DIFFERENCE, PERCENT) else 1)
    return Column(field=name, title=title, width=width, flex=1, limit=_WIDEST, align="right", of=value, format=written)


def _words_title(name: str, letters: Mapping[str, str] | None) -> str:
    """The title of a column of start times: its position, or its letter, names the series."""
    if not name.startswith(START_OF):
        return name
    letter = (letters or {}).get(name.removeprefix(START_OF), "")
    return f"start {letter}".rstrip()


def _of(name: str, row: Mapping[str, Any]) -> Any:
    return row.get(name)


def _counted(value: Any, row: Mapping[str, Any]) -> str:
    return number_text(value) if isinstance(value, int) else str(value or NOTHING)


def _signed(value: Any, row: Mapping[str, Any]) -> str:
    return f"{value:+,}" if isinstance(value, int) else NOTHING


CHART, TABLE = _("chart"), _("table")


class SeriesView(View):
    """Base of the views of statistics and usage. A subclass calls `draw` when it has read numbers.

    `pages` are the chart, its table, and one page of details; `export_rows` are the rows of the current page.
    """

    kind = "report"
    pages: tuple[str, ...] = (CHART, TABLE)
    DEFAULT_CSS = """
    SeriesView { layout: vertical; }
    SeriesView RecordList { display: none; }
    SeriesView #key { display: none; height: auto; max-height: 6; padding: 0 1; color: $accent; }
    """

    def __init__(self, place: Place, resource: Resource, workspace: Workspace) -> None:
        super().__init__(place, resource)
        self.workspace = workspace
        self.page_name = CHART
        self.error_messages: list[str] = []
        self.reading = False
        #: When cached numbers were read, in seconds since 1970; None for numbers of this refresh.
        self.cached_at: float | None = None
        self._oldest: float | None = None
        self._cached_only = False
        self._shown: tuple[object, ...] = ()
        self._calls: list[CommandCall] = []
        self._unfollow: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield Bar("what")
        yield Bar("how")
        yield Static(id="key", markup=False)
        yield Chart(unicode=unicode_of(self))
        yield RecordList((), unicode=unicode_of(self), empty=_("No numbers yet."))

    # --- for subclasses -----------------------------------------------------------------------------

    @abstractmethod
    def what(self) -> Sequence[Piece]:
        """The first line: the names of the records, and their totals."""

    @abstractmethod
    def how(self) -> Sequence[Piece]:
        """The second line: the current choices."""

    @abstractmethod
    def series(self) -> Sequence[Series]:
        """The series of the chart; empty before the first response."""

    @abstractmethod
    def rows(self, page: str) -> NumberRows:
        """The rows of a page other than the chart."""

    @property
    @abstractmethod
    def file_name(self) -> str:
        """The suggested name of a file with these numbers."""

    @abstractmethod
    async def read_numbers(self) -> None:
        """Read the chosen numbers from the service; failures are added to `error_messages`."""

    @work(exclusive=True, group="read", exit_on_error=False)
    async def read_again(self) -> None:
        """Read the numbers and show them; until then the current or the cached ones stay."""
        self.reading = True
        self.draw()
        try:
            if not self.series():
                await self._read_now(cached=True)
                self.draw()
            await self._read_now(cached=False)
        finally:
            self.reading = False
        self.draw()

    async def _read_now(self, *, cached: bool) -> None:
        """Read the numbers; with `cached` only from the cache."""
        self._cached_only, self.error_messages, self._oldest, self._calls = cached, [], None, []
        await self.read_numbers()
        # The age changes only when all numbers are read.
        self.cached_at = self._oldest
        if cached:
            self.error_messages = []

    async def ask(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Mapping[str, Any]:
        """One response with numbers, for `read_numbers`. ReadError when there is none."""

        if self._cached_only:
            found = await cached_answers.cached_answer(self.workspace, operation_id, path, query)
            if found is None:
                raise ReadError("")
        else:
            self._calls.append(CommandCall(operation_id, path, query))
            found = await cached_answers.read_answer(self.workspace, operation_id, path, query)
        if not found.live:
            self._oldest = min(found.fetched, self._oldest or found.fetched)
            connecting = self.workspace.obstacle() == "connecting"
            if not self._cached_only and not connecting and OFFLINE_SHOWN not in self.error_messages:
                self.error_messages.append(OFFLINE_SHOWN)
        return found.body

    def calls(self) -> Sequence[CommandCall]:
        return tuple(self._calls)

    def on_mount(self) -> None:
        self._unfollow = when_possible(self.workspace, self._read_when_possible)
        self.read_again()

    def _read_when_possible(self) -> None:
        self.read_again()

    def close(self) -> None:
        super().close()
        self._unfollow()

    # --- drawing -------------------------------------------------------------------------------------------------

    @property
    def numbers(self) -> Chart:
        return self.query_one(Chart)

    @property
    def records(self) -> RecordList:
        return self.query_one(RecordList)

    @property
    def ready(self) -> bool:
        return bool(self.series()) or not self.reading

    @property
    def export_rows(self) -> NumberRows:
        """The rows to save: those of the chart's table with what they count, or of the current page."""
        if self.page_name in (CHART, TABLE):
            return named(self.rows(TABLE), *self.counted)
        return self.rows(self.page_name)

    @property
    @abstractmethod
    def counted(self) -> tuple[str, str]:
        """The title of a column, and in it the name of what the chart counts."""

    def draw(self) -> None:
        """Show the current numbers; unchanged lines are not sent again."""
        if not self.is_attached:
            return
        self.query_one("#what", Bar).show([Piece(" "), *self.what()])
        self.query_one("#how", Bar).show([Piece(" "), *self.how()])
        nothing = safe_text(self.error_messages[0]).text if self.error_messages else _("No numbers yet.")
        self.numbers.show(self.series(), _("loading…") if self.reading else nothing)
        if self.page_name != CHART:
            self._fill(self.rows(self.page_name))
        self.notify_changed()

    def _fill(self, rows: NumberRows) -> None:
        columns, key = columns_of(rows, self.size.width)
        # The functions of columns are new each time, so they are not compared.
        layout = (self.page_name, key, *((column.field, column.title, column.width) for column in columns))
        if layout != self._shown:
            self._shown = layout
            self.records.set_columns(columns)
            self._show_legend(key)
        self.records.set_rows(rows)

    def _show_legend(self, key: str) -> None:
        """Show or hide the legend for letters above the columns."""
        text = self.query_one("#key", Static)
        text.update(Content(key))
        text.display = bool(key)

    def on_resize(self) -> None:
        if self.is_attached and self.page_name != CHART:
            self._fill(self.rows(self.page_name))

    def show_page(self, page: str) -> None:
        """Show a page."""
        self.page_name = page
        self.numbers.display = page == CHART
        self.records.display = page != CHART
        if page == CHART:
            self._shown = ()
            self._show_legend("")
        else:
            self._fill(self.rows(page))
            # The positions of its lines are known after the layout.
            self.call_after_refresh(self.records.go, self.numbers.cursor if page == TABLE else 0)
        self.take_focus()
        self.notify_changed()

    def next_pane(self) -> None:
        self.show_page(self.pages[(self.pages.index(self.page_name) + 1) % len(self.pages)])

    def toggle_table(self) -> None:
        """Switch between the chart and its table."""
        self.show_page(TABLE if self.page_name != TABLE else CHART)

    def status(self) -> Sequence[Piece]:
        pieces = [Piece(" ")]
        pieces += [Piece(f"{page}  ", "accent" if page == self.page_name else "dim") for page in self.pages]
        pieces.append(Piece(self.with_keys(_("{next_pane} next")), "dim"))
        if self.cached_at is not None:
            pieces.append(Piece(f"   {from_cache(datetime.fromtimestamp(self.cached_at, UTC))}", "dim"))
        if self.reading:
            pieces.append(Piece(_("   refreshing"), "dim"))
        if self.error_messages:
            pieces.append(Piece(f"   {safe_text(self.error_messages[0]).text}", "warn"))
        return pieces

    # --- moving --------------------------------------------------------------------------------------------------

    @property
    def _page_widget(self) -> Chart | RecordList:
        return self.numbers if self.page_name == CHART else self.records

    def move(self, by: int) -> None:
        self._page_widget.move(by)

    def page(self, by: int) -> None:
        self._page_widget.page(by)

    def home(self) -> None:
        self._page_widget.go(0)

    def end(self) -> None:
        self._page_widget.go(1_000_000)

    def take_focus(self) -> None:
        self._page_widget.focus()

    def refresh_now(self) -> None:
        self.workspace.retry_now()
        self.read_again()

    @on(Chart.Moved)
    @on(Moved)
    def _moved(self) -> None:
        self.notify_changed(moved=True)

    @on(Opened)
    def _opened(self) -> None:
        """A double click on a row has no effect."""


def when_possible(workspace: Workspace, read: Callable[[], None]) -> Callable[[], None]:
    """Call `read` whenever the service becomes available again; returns the function that stops this."""
    could = workspace.obstacle() is None

    def changed(event: object) -> None:
        nonlocal could
        before, could = could, workspace.obstacle() is None
        if could and not before:
            read()

    return workspace.subscribe(changed)
