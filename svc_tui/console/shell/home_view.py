"""The start page: what needs attention, the places of the digits with their counts, and suggested jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult

from svc_tui.console.core.places import HOME, Link, Place
from svc_tui.console.shell import place_menu
from svc_tui.console.shell.areas import AREAS
from svc_tui.console.shell.resources import ALL, BY_NAME, refused
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Line, Sheet
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from svc_tui.console.core.home import Attention
    from svc_tui.console.shell.stage import StageScreen
    from svc_tui.workspace.core.events import Event
    from svc_tui.workspace.lists.listing import Listing

#: The most lists that are read for their counts, and the number of suggested jobs.
MOST_COUNTS, JOBS = 6, 3
_SECTIONS = sorted((resource for resource in ALL if resource.section), key=lambda resource: resource.section)
_ATTENTION = [item for area in AREAS for item in area.attention if item.place in BY_NAME]
_JOBS = [job for area in AREAS for job in area.jobs if job.place in BY_NAME]


class HomeView(SheetView):
    """Drawn at once from the cache. Reads each number once, after the login; sends nothing while nothing changes."""

    kind = "home"

    def __init__(self, frame: StageScreen) -> None:
        super().__init__(Place((HOME,)))
        self._frame, self._workspace = frame, frame.workspace
        self._needs: dict[Attention, int] = {}
        self._lists: dict[str, Listing] = {}
        self._requested = False
        #: Whether all numbers of what needs attention have arrived.
        self._checked = False
        self._unsubscribe: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=24)

    def on_mount(self) -> None:
        self._unsubscribe = self._workspace.subscribe(self._workspace_changed)
        self._draw()
        self.home()
        self._read()

    def close(self) -> None:
        super().close()
        self._unsubscribe()
        self._close_lists()

    @property
    def crumb(self) -> str:
        return "Home"

    def status(self) -> Sequence[Piece]:
        return [Piece(self.with_keys(" {goto} lists all places"), "dim")]

    def refresh_now(self) -> None:
        self._workspace.retry_now()
        self._requested = False
        self._read()

    async def open_selected(self) -> None:
        """Open what the cursor is on, with its filter."""
        line = self.sheet.line
        place, _, filter_text = (line.key if line else "").lstrip("!?").partition(" ")
        if place:
            await self._frame.open_link(Link(Place.parse(place), filter_text))

    # --- reading -------------------------------------------------------------------------------------------------

    def _workspace_changed(self, _: Event) -> None:
        self._read()

    def _read(self) -> None:
        """Read the numbers once requests can be sent."""
        if self._requested or not self.is_attached or not self._frame.declared or self._workspace.obstacle():
            return
        self._requested = True
        self._read_attention()
        self._read_counts()
        self._draw()

    @work(exclusive=True, group="attention", exit_on_error=False)
    async def _read_attention(self) -> None:
        self._needs, self._checked = {}, False
        for item in _ATTENTION:
            if refused(BY_NAME[item.place], self._workspace):
                continue
            try:
                self._needs[item] = await item.counting()(self._workspace)
            except ReadError:
                # The number stays unknown; the place itself shows why.
                continue
            self._draw()
        self._checked = True
        self._draw()

    def _read_counts(self) -> None:
        """Read the first page of the lists without a count, as they open: these then open at once."""
        self._close_lists()
        lines = place_menu.place_lines([each.name for each in _SECTIONS], self._workspace, declared=True)
        missing = [each for each in _SECTIONS if not lines[each.name].count and not lines[each.name].reason]
        for resource in missing:
            whole = place_menu.whole_list(resource, self._workspace)
            if whole is None or len(self._lists) == MOST_COUNTS:
                continue
            path, query = whole
            listing = self._workspace.listing(resource.list, path=path, query=query)
            listing.subscribe(lambda _: self._draw())
            listing.request(0, 0)
            self._lists[resource.name] = listing

    def _close_lists(self) -> None:
        for listing in self._lists.values():
            listing.close()
        self._lists = {}

    # --- drawing -------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show(list(self._lines()))

    def _lines(self) -> Iterator[Line]:
        yield Line("heading", label="Needs attention")
        needs = [(item, number) for item, number in self._needs.items() if number]
        for item, number in needs:
            words = item.one if number == 1 else item.several
            target = f"{item.place} {item.filter}".strip()
            yield Line("text", value=f" {number:,} {words}", key=f"!{target}", style="warn")
        if not needs:
            yield Line("text", value=" Nothing." if self._checked else " Checking…", key="!", style="dim")
        yield Line("heading", label="Places")
        lines = place_menu.place_lines(
            [each.name for each in _SECTIONS], self._workspace, declared=self._frame.declared
        )
        for each in _SECTIONS:
            line = lines[each.name]
            listing = self._lists.get(each.name)
            count = f"{listing.total:,}" if listing and listing.total is not None else line.count
            style = "dim" if line.reason else ""
            yield Line("field", f"{each.section}  {each.title}", line.reason or count, key=each.name, style=style)
        yield Line("heading", label="Try")
        allowed = [job for job in _JOBS if not self._frame.declared or not refused(BY_NAME[job.place], self._workspace)]
        for job in allowed[:JOBS]:
            yield Line("field", BY_NAME[job.place].title, job.text, key=f"?{job.place}")
