"""A view of numbers over time: a chart, the same as a table one key away, and a page of what is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from svc_tui.console.areas.metrics.chart import Chart, unicode_of
from svc_tui.console.areas.metrics.number_columns import columns_of
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import shown
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Bar, Piece
from svc_tui.console.widgets.formatting import age
from svc_tui.console.widgets.list.messages import Moved, Opened
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.workspace.metrics.series import NumberRows, Series
from svc_tui.workspace.workspace import Workspace

CHART, TABLE = "chart", "table"


class SeriesView(View):
    """What statistics and usage have in common. Whoever reads numbers calls `draw` when they are here.

    `pages` are a chart, a table of it, and one of what is in it; `export_rows` are those of the page that is seen.
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
        self.troubles: list[str] = []
        self.reading = False
        #: When what is shown was read, in seconds since 1970, where the service did not answer yet or any more.
        self.seen: float | None = None
        self._oldest: float | None = None
        self._first_look = False
        self._shown: tuple[object, ...] = ()
        self._unfollow: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield Bar("what")
        yield Bar("how")
        yield Static(id="key", markup=False)
        yield Chart(unicode=unicode_of(self))
        yield RecordList((), unicode=unicode_of(self), empty="Nothing was counted here.")

    # --- what a kind of numbers says -----------------------------------------------------------------------------

    def what(self) -> Sequence[Piece]:
        """The first line: whose numbers these are, and what they come to."""
        raise NotImplementedError

    def how(self) -> Sequence[Piece]:
        """The second line: what was chosen."""
        raise NotImplementedError

    def series(self) -> Sequence[Series]:
        """What the chart shows; empty while nothing is here."""
        raise NotImplementedError

    def rows(self, page: str) -> NumberRows:
        """The rows of a page that is no chart."""
        raise NotImplementedError

    @property
    def file_name(self) -> str:
        """How a file of these numbers is called."""
        raise NotImplementedError

    async def read_numbers(self) -> None:
        """Ask the service for what was chosen; what could not be had is said in `troubles`."""
        raise NotImplementedError

    @work(exclusive=True, group="read", exit_on_error=False)
    async def read_again(self) -> None:
        """Read the numbers and show them; what is shown stays until they are here, else what was seen before."""
        self.reading = True
        self.draw()
        try:
            if not self.series():
                await self._look(first=True)
                self.draw()
            await self._look(first=False)
        finally:
            self.reading = False
        self.draw()

    async def _look(self, *, first: bool) -> None:
        """Read the numbers; at the `first` look only what was seen before."""
        self._first_look, self.troubles, self._oldest = first, [], None
        await self.read_numbers()
        # Until it is all here what is shown is as old as it was.
        self.seen = self._oldest
        if first:
            self.troubles = []

    async def ask(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Mapping[str, Any]:
        """One answer with numbers, for `read_numbers`. ReadError."""
        from svc_tui.workspace.core.service import ReadError
        from svc_tui.workspace.lists.source import OFFLINE_SHOWN
        from svc_tui.workspace.metrics import cached_numbers

        if self._first_look:
            found = await cached_numbers.cached_numbers(self.workspace, operation_id, path, query)
            if found is None:
                raise ReadError("")
        else:
            found = await cached_numbers.read_numbers(self.workspace, operation_id, path, query)
        if not found.live:
            self._oldest = min(found.fetched, self._oldest or found.fetched)
            if not self._first_look and OFFLINE_SHOWN not in self.troubles:
                self.troubles.append(OFFLINE_SHOWN)
        return found.body

    def on_mount(self) -> None:
        self._unfollow = when_possible(self.workspace, self._read_anew)
        self.read_again()

    def _read_anew(self) -> None:
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
        """What is saved: the table of the chart, or the page that is seen."""
        return self.rows(TABLE if self.page_name == CHART else self.page_name)

    def draw(self) -> None:
        """Show what is here now; lines that are the same are not sent again."""
        if not self.is_attached:
            return
        self.query_one("#what", Bar).show([Piece(" "), *self.what()])
        self.query_one("#how", Bar).show([Piece(" "), *self.how()])
        nothing = shown(self.troubles[0]).text if self.troubles else "Nothing was counted here."
        self.numbers.show(self.series(), "loading…" if self.reading else nothing)
        if self.page_name != CHART:
            self._fill(self.rows(self.page_name))
        self.tell()

    def _fill(self, rows: NumberRows) -> None:
        columns, key = columns_of(rows, self.size.width)
        # What a column takes its values with is made anew each time.
        wanted = (self.page_name, key, *((column.field, column.title, column.width) for column in columns))
        if wanted != self._shown:
            self._shown = wanted
            self.records.set_columns(columns)
            self._say_key(key)
        self.records.set_rows(rows)

    def _say_key(self, key: str) -> None:
        """What the letters above the columns stand for."""
        said = self.query_one("#key", Static)
        said.update(Content(key))
        said.display = bool(key)

    def on_resize(self) -> None:
        if self.is_attached and self.page_name != CHART:
            self._fill(self.rows(self.page_name))

    def turn_to(self, page: str) -> None:
        """Show a page."""
        self.page_name = page
        self.numbers.display = page == CHART
        self.records.display = page != CHART
        if page == CHART:
            self._shown = ()
            self._say_key("")
        else:
            self._fill(self.rows(page))
            # Where its lines lie is known when it has been laid out.
            self.call_after_refresh(self.records.go, self.numbers.cursor if page == TABLE else 0)
        self.take_focus()
        self.tell()

    def next_pane(self) -> None:
        self.turn_to(self.pages[(self.pages.index(self.page_name) + 1) % len(self.pages)])

    def turn(self) -> None:
        """From the chart to its table, and back."""
        self.turn_to(TABLE if self.page_name != TABLE else CHART)

    def status(self) -> Sequence[Piece]:
        pieces = [Piece(" ")]
        pieces += [Piece(f"{page}  ", "accent" if page == self.page_name else "dim") for page in self.pages]
        pieces.append(Piece("tab next", "dim"))
        if self.seen is not None:
            old = age(datetime.fromtimestamp(self.seen, UTC))
            pieces.append(Piece("   from cache" if old == "now" else f"   from cache, {old} old", "dim"))
        if self.reading:
            pieces.append(Piece("   refreshing", "dim"))
        if self.troubles:
            pieces.append(Piece(f"   {shown(self.troubles[0]).text}", "warn"))
        return pieces

    # --- moving --------------------------------------------------------------------------------------------------

    @property
    def _seen(self) -> Chart | RecordList:
        return self.numbers if self.page_name == CHART else self.records

    def move(self, by: int) -> None:
        self._seen.move(by)

    def page(self, by: int) -> None:
        self._seen.page(by)

    def home(self) -> None:
        self._seen.go(0)

    def end(self) -> None:
        self._seen.go(1_000_000)

    def take_focus(self) -> None:
        self._seen.focus()

    def refresh_now(self) -> None:
        self.workspace.retry_now()
        self.read_again()

    @on(Chart.Moved)
    @on(Moved)
    def _moved(self) -> None:
        self.tell(moved=True)

    @on(Opened)
    def _opened(self) -> None:
        """A double click on a row opens nothing here."""


def when_possible(workspace: Workspace, read: Callable[[], None]) -> Callable[[], None]:
    """Have something read as soon as the service can be asked again; returns what ends it."""
    could = workspace.obstacle() is None

    def changed(event: object) -> None:
        nonlocal could
        before, could = could, workspace.obstacle() is None
        if could and not before:
            read()

    return workspace.subscribe(changed)
