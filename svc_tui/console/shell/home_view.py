"""The start page: what needs attention, suggested tasks, the places of the digits with their counts, other places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult

from svc_tui.console.core.glance import DAYS, LAST_DAYS, GlanceRow
from svc_tui.console.core.place_requests import call_of_link
from svc_tui.console.core.places import HOME, Link, Place
from svc_tui.console.shell import place_menu
from svc_tui.console.shell.help_view import Entry, entries
from svc_tui.console.shell.home_numbers import SECTIONS, HomeNumbers
from svc_tui.console.shell.resources import ALL, AREAS, BY_NAME, refused
from svc_tui.console.terminal.text import cut, safe_text
from svc_tui.console.views.head import NO_BADGE, head_of
from svc_tui.console.views.sheet_view import PanedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import signed
from svc_tui.console.widgets.graphics import small_line, tall_line
from svc_tui.console.widgets.panes import Pane, Panes
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _, number_text
from svc_tui.workspace.core.events import LinkChanged, RecordsChanged, ServiceReported, SessionChanged

if TYPE_CHECKING:
    from svc_tui.cache.cached import RecordDict
    from svc_tui.console.core.call_line import CommandCall
    from svc_tui.console.core.home import SuggestedTask
    from svc_tui.console.core.resource import Resource
    from svc_tui.console.shell.stage import StageScreen
    from svc_tui.workspace.core.events import Event

#: Seconds after a change until the numbers are read again: once for many changes.
AFTER_CHANGES = 1.0
#: The number of suggested tasks in one column, beside the last days and without them; with more columns there is room
#: for all of them.
TASKS_BESIDE_DAYS, TASKS = 2, 4
#: The fewest changes, and the fewest lines of a chart of the last days.
LEAST_CHANGES, LEAST_CHART = 8, 3
#: The most lines of a chart, where records fill the room below it: a higher one says no more.
MOST_CHART = 14
#: The fewest free lines of a column that are filled, with a heading; the columns of a name and of a key there.
LEAST_FREE, NAME, KEY = 4, 24, 12
#: The most lines that may stay blank below the last of three columns.
MOST_BLANK = 8
CHANGES = _("Recent changes")
_TASKS = [task for area in AREAS for task in area.tasks if task.place in BY_NAME]


class HomeView(PanedView):
    """Drawn immediately from the cache. Reads each number after the login, and again when records have changed or,
    without events, from time to time; sends nothing to the terminal while nothing changes."""

    kind = "home"
    no_call = _("no single request reads the records of this line")

    def __init__(self, frame: StageScreen) -> None:
        super().__init__(Place((HOME,)))
        self._frame, self._workspace = frame, frame.workspace
        self._numbers = HomeNumbers(frame.workspace, self._draw)
        self._requested = False
        #: Whether records have changed since the numbers were read.
        self._outdated = False
        #: Whether the user did not log in when asked, or logged out.
        self._logged_out = False
        #: Name of a place -> why the role does not open it.
        self._refusals: dict[str, str] = {}
        #: The keys, as they were when this view was last on top.
        self._help: list[Entry] = []
        self._unsubscribe: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        with Panes():
            yield Pane(Sheet(label_width=24, beside=True, notes_right=True), title=_("Home"))
            yield Pane(Sheet(label_width=30, beside=True, notes_right=True), title=_("Places"))
            yield Pane(Sheet(label_width=30, beside=True, notes_right=True), title=_("More places"))

    def on_mount(self) -> None:
        self._unsubscribe = self._workspace.subscribe(self._workspace_changed)
        self._draw()
        self.home()
        self._read()

    def on_resize(self) -> None:
        self._draw()
        # Only then are the sizes of the columns known.
        self.call_after_refresh(self._draw)

    def close(self) -> None:
        super().close()
        self._unsubscribe()
        self._numbers.close()

    @property
    def crumb(self) -> str:
        return _("Home")

    def status(self) -> Sequence[Piece]:
        line = self.sheet.line
        if line is not None and line.key in self._refusals:
            # It may be too long for its pane.
            return [Piece(f" {line.label.lstrip(' 123456789')}: {self._refusals[line.key]}", "dim")]
        panes = _("{next_pane} goes to the next pane   ") if len(self.panes.shown) > 1 else ""
        keys = _(" {panes}{{goto}} lists all places   {{quit}} quits").format(panes=panes)
        return [Piece(self.with_keys(keys), "dim")]

    def not_logged_in(self) -> None:
        self._logged_out = True
        self._draw()

    def refresh_now(self) -> None:
        self._workspace.retry_now()
        self._requested = False
        self._read()

    @property
    def selected(self) -> Link | None:
        """The place under the cursor, with its filter."""
        line = self.sheet.line
        link = line.key.lstrip("!?") if line else ""
        return Link.parse(link) if link else None

    async def open_selected(self) -> None:
        """Open the place under the cursor."""
        if self.selected is not None:
            await self._frame.open_link(self.selected)

    def calls(self) -> Sequence[CommandCall]:
        resource = BY_NAME.get(self.selected.place.kind) if self.selected is not None else None
        if self.selected is None or resource is None or not self._frame.declared:
            return ()
        call = call_of_link(self.selected, resource, self._workspace)
        return () if call is None else (call,)

    # --- reading -------------------------------------------------------------------------------------------------

    @property
    def polled(self) -> HomeNumbers:
        return self._numbers

    def _workspace_changed(self, event: Event) -> None:
        self._read()
        if isinstance(event, SessionChanged | LinkChanged):
            # Other places can be open, also in and after the role lens.
            self._draw()
        if isinstance(event, LinkChanged) and self._numbers.gaps and not self._workspace.obstacle():
            self._outdated = True
            self._count_again()
        if isinstance(event, RecordsChanged | ServiceReported) and not self._outdated:
            self._outdated = True
            if self.display:
                self.set_timer(AFTER_CHANGES, self._count_again)

    def uncovered(self) -> None:
        self._count_again()

    def _count_again(self) -> None:
        """Read the numbers again if records have changed; those of a hidden page wait until it is shown."""
        if self._outdated and self.display:
            self._outdated = False
            self._numbers.count_again()

    def _read(self) -> None:
        """Read the numbers once requests can be sent."""
        if self._requested or not self.is_attached or not self._frame.declared or self._workspace.obstacle():
            return
        self._requested = True
        self._read_numbers()
        self._draw()

    @work(exclusive=True, group="numbers", exit_on_error=False)
    async def _read_numbers(self) -> None:
        await self._numbers.read()

    # --- drawing -------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if not self.is_attached:
            return
        self._refusals.clear()
        last, before = self.panes.panes[-1], self.panes.panes[-1].wanted
        last.wanted = not self._fits_in_two()
        self.panes.rearrange()
        if last.wanted != before:
            # Only then are the sizes of the columns known.
            self.call_after_refresh(self._draw)
        columns = len(self.panes.shown)
        if not columns:
            # It has no size yet, or none any longer.
            return
        # Of three columns, the first one has the longest texts.
        self.panes.panes[0].styles.width = "1fr" if columns < 3 else "1.3fr"
        needs, places, others = [*self._needs()], [*self._places()], [*self._others(allowed=columns == 1)]
        days = self._glance(LAST_DAYS)
        in_one = TASKS_BESIDE_DAYS if days else TASKS
        tasks = [*self._tasks(in_one if columns == 1 else len(_TASKS))]
        # As many as there is room for, above the tasks and the last days where these follow them.
        below = len(tasks) + len(days) + 1 if columns == 2 else 0
        changes = [*self._changes(self.sheet.size.height - len(needs) - below)]
        column = [*needs, Line("heading", label=_("Places")), *places, *tasks]
        beneath: list[Line] = []
        if columns == 1 and len(column) + len(changes) < self.size.height:
            column += changes
        elif columns == 1:
            # Below what is seen at first.
            beneath = changes
        if self._rights_known and len(column) + len(others) <= self.size.height:
            # Most digits are refused to roles with few rights.
            column += others
        contents = {
            1: [column],
            2: [[*needs, *changes, *tasks], [*_whole(places), *_whole(others)]],
            3: [[*needs, *changes], [*places, *tasks], _whole(others)],
        }[columns]
        columns_shown = [*zip(self.query(Sheet), contents, strict=False)]
        rooms = [sheet.size.height - len(lines) for sheet, lines in columns_shown]
        # Only where a role sees too little for the room below its charts are these higher.
        below_charts = sum(rooms) - len(days) * MOST_CHART
        enough = sum(1 for _line in islice(chain.from_iterable(self._more()), max(0, below_charts)))
        most = MOST_CHART if enough >= below_charts or not self._numbers.checked else self.size.height
        more_content = self._more()
        for (sheet, lines), room, shown in zip(columns_shown, rooms, _spread(days, rooms), strict=True):
            more = [*self._last_days(shown, room, sheet.size.width, most)] if shown and sheet.size.width else []
            lines += more
            while sheet.size.height - len(lines) >= LEAST_FREE and (content := next(more_content, None)) is not None:
                lines += islice(content, sheet.size.height - len(lines))
            sheet.show([*_apart(lines, 0 if last.wanted else sheet.size.height - len(lines)), *beneath])

    def _fits_in_two(self) -> bool:
        """Whether two columns have room for all that a role with few rights sees: three would leave one of them blank.

        It is known when everything was read; charts of the last days fill any room.
        """
        if not self._numbers.loaded or self._glance(LAST_DAYS):
            return False
        named = (self._needs(), self._changes(0), self._places(), self._tasks(len(_TASKS)), self._others())
        return (
            sum(1 for part in chain(named, self._more()) for _line in part)
            < len(self.panes.panes) * self.sheet.size.height - MOST_BLANK
        )

    def _glance(self, title: str) -> list[GlanceRow]:
        """The rows of a glance that have arrived."""
        return self._numbers.glances.panels.get(title, []) if self._rights_known else []

    def _changes(self, lines: int) -> Iterator[Line]:
        """The changes in so many lines, but not fewer than `LEAST_CHANGES`."""
        rows = self._glance(CHANGES)
        if rows:
            yield Line("heading", label=CHANGES)
        for row in rows[: max(LEAST_CHANGES, lines - 1)]:
            yield Line("text", value=f" {row.lead:<5}  {row.label}", note=row.value, key=f"?{row.link}")

    def _last_days(self, rows: Sequence[GlanceRow], room: int, width: int, highest: int) -> Iterator[Line]:
        """Small lines of the last days; where there is more room, each or the first is a chart over the whole width, of
        `highest` lines at most."""
        yield Line("heading", label=LAST_DAYS)
        unicode = self._frame.terminal.unicode
        drawn_rows = sum(any(row.days) for row in rows) or 1
        high = (room - 1 - len(rows)) // drawn_rows - 1
        # Days without anything are a small line beside others.
        heights = [high if any(row.days) or len(rows) == 1 else 0 for row in rows]
        if high < LEAST_CHART:
            heights = [room - len(rows) - 2, *[0] * (len(rows) - 1)]
        heights = [min(high, highest) for high in heights]
        for row, high in zip(rows, heights, strict=True):
            if high < LEAST_CHART:
                text = f"{small_line(row.days, DAYS, unicode=unicode)}  {row.value} {row.newest}"
            else:
                most = number_text(max(filter(None, row.days), default=0))
                text = _("{number} {day}, at most {most} a day")
                text = text.format(number=row.value, day=row.newest, most=most)
            yield Line("field", row.label, text, key=f"?{row.link}", style=row.style)
            if high >= LEAST_CHART:
                ends = (_("{days} days earlier").format(days=DAYS - 1), row.newest)
                *drawn, axis = tall_line(row.days, width - 6, high, ends, unicode=unicode)
                yield from (Line("field", value=text, label_width=1, style="bar", read="") for text in drawn)
                yield Line("field", value=axis, label_width=1, style="dim", read="")

    def _more(self) -> Iterator[Iterator[Line]]:
        """What fills the room that is left, where a role sees little: the first records of its places, keys, and the
        records for which there was no room in another column."""
        if self._rights_known and self._numbers.checked:
            lists = [(resource.title, self._records(resource, rows)) for resource, rows in self._numbers.records()]
            content = [*lists, (_("Keys"), self._keys())]
            yield from (chain([Line("heading", label=title)], lines) for title, lines in content)
            while left := [(title, line, lines) for title, lines in content for line in islice(lines, 1)]:
                yield from (chain([Line("heading", label=title), line], lines) for title, line, lines in left)

    @property
    def _label(self) -> int:
        """The columns of a name, so that in wide columns it is not far from its value."""
        columns = len(self.panes.shown)
        return max(NAME, self.size.width // columns // max(2, columns))

    def _records(self, resource: Resource, rows: Sequence[RecordDict]) -> Iterator[Line]:
        for row in rows:
            head = head_of(resource, row)
            said = [Piece(fact.text, "dim") for fact in head.facts]
            fact, end = (*said, NO_BADGE)[0], head.badge if head.badge.text else (*said[1:], NO_BADGE)[0]
            link = Link(resource.related_place(resource.place(), row, resource.record_id(row)))
            name = cut(safe_text(head.name).text, self._label - 2)
            yield Line("field", name, fact.text, end.text, f"?{link}", note_style=end.style, label_width=self._label)

    def _keys(self) -> Iterator[Line]:
        context = self._frame.context()
        if context is not None and context.view is self:
            self._help = [entry for entry in entries(context) if not entry.reason]
        wide = KEY if self.panes.panes[-1].wanted else self._label - 14
        for entry in self._help:
            text = f"{entry.keys:<{wide}}  {entry.help}"
            yield Line("field", value=text, label_width=1, read=f"{entry.keys} {entry.help}")

    def _needs(self) -> Iterator[Line]:
        needs = self._numbers.needs()
        # The line of the first one is where the cursor waits; more are added below it.
        more = ""
        if needs and not self._numbers.checked:
            more = _(" (checking…)")
        elif needs and self._numbers.gaps:
            more = _(" (incomplete)")
        yield Line("heading", label=_("Needs attention{more}").format(more=more))
        for item, number in needs:
            words = item.one if number.value == 1 and not number.at_least else item.several
            least = _("at least ") if number.at_least else ""
            text = f"{least}{number_text(number.value)} {words}"
            shown, link = f" {signed(text, 'warn')}", f"!{item.leads_to(number)}"
            yield Line("text", value=shown, note=number.age, key=link, style="warn", constraint=True, read=text)
        if not needs:
            if not self._numbers.checked:
                found = self._why_unknown() or _(" Checking…")
            else:
                found = (self._why_unknown() or _(" Not known.")) if self._numbers.gaps else _(" Nothing.")
            yield Line("text", value=found, key="!", style="dim")

    def _why_unknown(self) -> str:
        """Why nothing can be read now; empty while that is not clear."""
        obstacle = self._workspace.obstacle()
        if obstacle == "no login" and self._logged_out:
            return self.with_keys(_(" Not logged in. {refresh} logs in."))
        # Without a session the service may be unreachable too, for example because of its certificate.
        offline = obstacle in ("no login", "offline") and self._workspace.link.state == "offline"
        return _(" Offline: not known.") if offline else ""

    @property
    def _rights_known(self) -> bool:
        """Whether it is known what the user may see: not while the login of the start is in progress."""
        return self._frame.declared and (self._workspace.caller is not None or self._logged_out)

    def _places(self) -> Iterator[Line]:
        known = self._rights_known
        lines = place_menu.place_lines([each.name for each in SECTIONS], self._workspace, declared=known)
        for each in SECTIONS:
            line = lines[each.name]
            self._refusals |= {each.name: line.reason} if line.reason else {}
            value = line.reason or (self._numbers.count(each, line.count) if known else line.count)
            yield self._place(f"{each.section}  {each.title}", value, each.name, line.reason)

    def _tasks(self, most: int) -> Iterator[Line]:
        allowed = [task for task in _TASKS if not self._rights_known or self._may(task)]
        if allowed:
            yield Line("heading", label=_("Try"))
        for task in allowed[:most]:
            yield Line("text", value=f" {task.text}", key=f"?{task.place}")

    def _may(self, task: SuggestedTask) -> bool:
        """Whether the role may do a task to its end."""
        may_call = not task.operation or self._workspace.decide(task.operation).allowed
        return may_call and not refused(BY_NAME[task.place], self._workspace)

    def _others(self, *, allowed: bool = False) -> Iterator[Line]:
        """The places without a digit, or those of them that the role may open, in the groups of their areas."""
        names = [each.name for each in ALL if not each.section and each.report is None]
        lines = place_menu.place_lines(names, self._workspace, declared=self._rights_known)
        if allowed:
            lines = {name: line for name, line in lines.items() if not line.reason}
        for entry in place_menu.grouped(lines):
            if not entry.name:
                yield Line("heading", label=entry.title)
            else:
                self._refusals |= {entry.name: entry.reason} if entry.reason else {}
                yield self._place(entry.title, entry.reason or entry.count, entry.name, entry.reason)

    def _place(self, label: str, value: str, name: str, refused: str) -> Line:
        """A place with its count, and what is typed to go there, which is not read aloud; or why the role may not."""
        note = "" if refused or self._frame.terminal.linear else f":{name}"
        return Line("field", label, value, note, key=name, style="dim" if refused else "", constraint=True)


def _whole(lines: Sequence[Line]) -> list[Line]:
    """The lines of places with their whole names, however narrow the column."""
    longest = max((cell_len(line.label) for line in lines if line.kind == "field"), default=0)
    return [replace(line, label_width=longest) if line.kind == "field" else line for line in lines]


def _apart(lines: Sequence[Line], room: int) -> Iterator[Line]:
    """The lines with a blank one before each heading but the first one, as far as there is room."""
    for number, line in enumerate(lines):
        if number and line.kind == "heading" and room > 0:
            room -= 1
            yield Line("field", value="", label_width=1, read="")
        yield line


def _spread(rows: Sequence[GlanceRow], rooms: Sequence[int]) -> list[list[GlanceRow]]:
    """The rows for the room that is left in each column: one where there is enough, the others where most is left."""
    given: list[list[GlanceRow]] = [[] for __ in rooms]
    free = [number for number, room in enumerate(rooms) if room > (LEAST_CHART + 2 if len(rooms) > 2 else 1)]
    for row in sorted(rows, key=lambda row: not any(row.days)):
        able = [number for number in free if len(given[number]) + 1 < rooms[number]]
        if able:
            if not any(row.days):
                # Nothing happened: it takes a line where there is a chart.
                able = [number for number in able if given[number]] or able
            given[max(able, key=lambda n: (not given[n], rooms[n] / (len(given[n]) + 1)))].append(row)
    return given
