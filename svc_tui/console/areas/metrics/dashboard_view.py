"""The dashboard of a company or partner: its numbers as tiles, the last weeks, and what its areas show at a glance."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from textual import work

from svc_tui.console.areas.metrics.customer_bars import CustomerBars
from svc_tui.console.areas.metrics.day_chart import (
    a_week_before,
    day_chart,
    day_name,
    day_words,
    days_for,
    places_of,
    weeks_change,
)
from svc_tui.console.areas.metrics.number_names import CLIENT_NAMES, USER_NAMES, number_words
from svc_tui.console.areas.metrics.series_view import when_possible
from svc_tui.console.core.glance import GlanceReads, GlanceRow
from svc_tui.console.core.home import SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Resource, managed
from svc_tui.console.terminal.text import fit, safe_text
from svc_tui.console.views.board_view import BoardView, panel_of
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.board import Board
from svc_tui.console.widgets.board_layout import Column, Item, Panel, Row
from svc_tui.console.widgets.formatting import NOTHING, read_at
from svc_tui.console.widgets.graphics import change_of, small_line
from svc_tui.interface.data import RecordData
from svc_tui.interface.metrics.values import Scope
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists import cached_answers
from svc_tui.workspace.lists.list_reader import OFFLINE_SHOWN
from svc_tui.workspace.metrics.series import CounterSlices, daily, numbers_of, single
from svc_tui.workspace.workspace import Workspace

#: Seconds between two refreshes; the daily series is read only at every so many of them.
EVERY, LOOKS = 60.0, 30
#: Seconds after which what has arrived is drawn, if not everything has: a picture in parts is sent several times.
PATIENCE = 2.5
#: The most customers that are read, the largest first.
CUSTOMERS = 100
NUMBER = "users_dailyConnected"
#: The numbers of the tiles, by flat names, the most important ones first.
_TILES = {
    "users_dailyConnected": _("Users today"),
    "usages_webrtc": _("Calls"),
    "usages_chat": _("Chats"),
    "users_total": _("Users"),
    "usages_meeting": _("Meetings"),
    "usages_webrtc_missed": _("Missed calls"),
    "usages_groupchat": _("Group chats"),
    "usages_file": _("Files shared"),
}
#: The columns of a tile, its lines, and the days of its small line.
_TILE, _TILE_LINES, _TILE_DAYS = 19, 3, 14
#: The widths from which so many columns stand below the chart; with all of them there is a second row.
_COLUMNS = ((160, 4), (100, 3), (60, 2))
_ALL = 160
#: The shares of columns that are not usual, and what comes behind the other panels.
_WEIGHTS = {
    "customers": 6,
    "days": 6,
    f" {_('Users by activity')}": 4,
    f" {_('Programs used today')}": 4,
}
#: Days of the table, columns of a day, and the fewest and most columns of a number.
_TABLE_DAYS, _DAY, _NUMBER, _WIDEST = 14, 15, 8, 12
_DAY_COLUMNS = {
    "users_dailyConnected": _("USERS"),
    "usages_webrtc": _("CALLS"),
    "usages_webrtc_missed": _("MISSED"),
    "usages_chat": _("CHATS"),
    "usages_meeting": _("MEETINGS"),
}
CHART, TILE, COMPANY, SORT = "chart", "tile ", "company ", "sort"


class DashboardView(BoardView):
    """Sends nothing to the terminal while nothing changes. A failed refresh keeps the numbers and shows a warning."""

    kind = "report"
    opens = "dashboard.open"

    def __init__(self, place: Place, resource: Resource, workspace: Workspace) -> None:
        super().__init__(place, resource)
        self._workspace = workspace
        self._stats: RecordData = {}
        self._days: CounterSlices | None = None
        self._glances = GlanceReads("dashboard", workspace, lambda: None)
        self.customers = CustomerBars()
        #: The number of the chart, and the day under its cursor, counted from the newest.
        self.number = NUMBER
        self._day = 0
        self._refreshes = 0
        #: Whether its numbers are drawn.
        self._drawn = False
        self._changed = ""
        self.error_message = ""
        self._unfollow: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        self.set_interval(EVERY, self._tick)
        self._unfollow = when_possible(self._workspace, self.refresh_now)
        self._draw()
        self._read_all()

    def close(self) -> None:
        super().close()
        self._unfollow()

    @property
    def company_id(self) -> str:
        """The company of the dashboard; empty before login."""
        assert self.resource is not None
        return self.resource.path_at(self.place, self._workspace.caller)["companyId"]

    @property
    def record(self) -> RecordData:
        return {"companyId": self.company_id}

    @property
    def crumb(self) -> str:
        name = self._stats.get("companyName")
        return _("Dashboard of {name}").format(name=name) if name else _("Dashboard")

    @property
    def ready(self) -> bool:
        return self._drawn or bool(self.error_message)

    @property
    def selected(self) -> Link:
        """Where the item under the cursor leads; the statistics of the company before there is one."""
        key = self.board.key
        if key.startswith(COMPANY):
            return Link(Place(("companies", key.removeprefix(COMPANY), "statistics")))
        if key.startswith("to "):
            return Link.parse(key.split(" ")[1])
        return Link(Place(("companies", self.company_id, "statistics")))

    @property
    def selected_number(self) -> str:
        """The number of the tile under the cursor, or that of the chart."""
        return self.tile or (self.number if self.board.key in (CHART, "") else "")

    @property
    def tile(self) -> str:
        """The number of the tile under the cursor; empty elsewhere."""
        key = self.board.key
        return key.removeprefix(TILE) if key.startswith(TILE) else ""

    @property
    def numbers_known(self) -> dict[str, str]:
        """The numbers that the chart can show, in words."""
        days = self._days.slices if self._days is not None else ()
        return {name: number_words(name) for name in (days[-1].numbers if days else ())}

    @property
    def scope(self) -> Scope:
        """Whether the customers are counted too."""
        return "bp" if self._partner else "ec"

    @property
    def _partner(self) -> bool:
        """Whether the role may read the numbers of customers."""
        caller = self._workspace.caller
        subject = managed(self.company_id, caller) if caller else None
        return self._workspace.decide("list_bp_company_stats", subject).allowed

    # --- choices -------------------------------------------------------------------------------------------------

    def chart(self, number: str) -> None:
        """Show another number in the chart."""
        self.number = number
        self._draw()

    def sort_customers(self, field: str) -> None:
        """Sort the customers by another column."""
        self.customers.sort_by(field)
        self._draw()

    def step(self, by: int) -> None:
        if self.board.key != CHART:
            super().step(by)
        elif 0 <= self._day - by < self._shown_days:
            self._day -= by
            self._draw()

    def clicked(self, event: Board.Clicked) -> None:
        if event.key == SORT:
            self.post_message(self.ActionRequested("dashboard.sort"))
        elif event.key == CHART:
            series, __ = self._series()
            day = places_of(series, self.board.size.width).day_at(event.x)
            self._day = self._day if day is None else len(series.starts) - 1 - day
            self._draw()
        else:
            super().clicked(event)

    # --- reading -------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        # Only the view on top is refreshed.
        if self.display:
            self._read_all()

    def refresh_now(self) -> None:
        self._workspace.retry_now()
        self._refreshes = 0
        self._read_all()

    @work(exclusive=True, group="look", exit_on_error=False)
    async def _read_all(self) -> None:
        """Read all at the same time and draw it together, after `PATIENCE` seconds what has arrived until then."""
        self.error_message = ""
        late = self.set_interval(PATIENCE, self._draw)
        try:
            reads = SharedReads(self._workspace)
            await asyncio.gather(self._read_numbers(), self._glances.read(reads))
        finally:
            late.stop()
        self._draw()
        self.notify_changed()
        before = self._glances.panels
        await self._glances.read_more(reads)
        if self._glances.panels != before:
            self._draw()

    async def _read_numbers(self) -> None:
        looks = self._days is None or self._refreshes % LOOKS == 0
        scope, largest = {"scope": self.scope}, {"sortOrder": -1, "limit": CUSTOMERS}
        try:
            stats, customers, days = await asyncio.gather(
                self._read("get_company_stats", scope),
                self._read("list_bp_company_stats", largest) if self._partner else _nothing(),
                self._read("get_company_daily_stats", scope) if looks else _nothing(),
            )
        except ReadError as problem:
            self.error_message = problem.sentence
            return
        self._refreshes += 1
        if looks:
            self._days = daily(str(days.get("companyName") or ""), days)
        self._take(stats, [row for row in customers.get("data") or () if isinstance(row, Mapping)])

    async def _read(self, operation_id: str, query: Mapping[str, Any]) -> RecordData:
        found = await cached_answers.read_answer(self._workspace, operation_id, {"companyId": self.company_id}, query)
        if not found.live and self._workspace.obstacle() != "connecting":
            when = read_at(datetime.fromtimestamp(found.fetched, UTC)).capitalize()
            self.error_message = f"{OFFLINE_SHOWN} {when}." if when else OFFLINE_SHOWN
        return found.body

    def _take(self, stats: RecordData, customers: list[RecordData]) -> None:
        """Show new numbers; a new time of counting alone is no change."""
        if (numbers_of(self._stats), self.customers.numbers) != (numbers_of(stats), self.customers.take(customers)):
            self._changed = datetime.fromtimestamp(self._workspace.now()).strftime("%H:%M")
        self._stats = stats

    # --- drawing -------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if self.is_attached:
            self._drawn = self._drawn or bool(self._stats)
            self.board.show(self._rows)

    def _rows(self, width: int, height: int) -> Sequence[Row]:
        if not self._stats and self._days is None:
            note = _("No numbers yet.") if self.error_message else _("loading…")
            return ((Column((Panel(CHART, "", lambda *__: (Item.text(f" {note}", "dim"),), height),)),),)
        roomy = height >= 30
        return (
            self._tiles(width, roomy),
            (Column((self._chart_panel(height),)),),
            *self._below(width, roomy),
        )

    def _tiles(self, width: int, roomy: bool) -> Row:
        known = numbers_of(self._stats)
        names = [name for name in _TILES if name in known][: max(1, width // _TILE)]
        lines = _TILE_LINES + roomy
        return tuple(
            Column((Panel(TILE + name, "", partial(self._tile, name, known[name]), lines, least=_TILE_LINES),))
            for name in names
        )

    def _tile(self, number: str, now: int, width: int, height: int) -> Sequence[Item]:
        before, line = None, ""
        if self._days is not None:
            whole = single(self._days, number)
            before = weeks_change(whole)[1]
            days = (*whole.values[-_TILE_DAYS:-1], now)
            line = small_line(days, min(width - 1, _TILE_DAYS), unicode=self.board.unicode)
        value, name = number_text(now), _TILES[number]
        change, __ = change_of(now, before)
        old = "" if before is None or before == now else _("from {number}").format(number=number_text(before))
        told = f"{change} {old}" if len(value) + len(change) + len(old) + 4 <= width else change
        read = f"{name}: {value}"
        if before is not None:
            read = _("{number}, a week before {before}").format(number=read, before=number_text(before))
        return (
            Item(
                (
                    (Piece(f" {name}", "tile"),),
                    (Piece(f" {value}  ", "strong"), Piece(told, "dim")),
                    (Piece(f" {line}", "bar"),),
                ),
                TILE + number,
                read,
            ),
        )

    @property
    def _shown_days(self) -> int:
        return days_for(self.board.size.width)

    def _series(self) -> tuple[Any, Any]:
        assert self._days is not None
        return a_week_before(single(self._days, self.number), self._shown_days)

    def _chart_panel(self, height: int) -> Panel:
        title = number_words(self.number)
        title = f" {title[:1].upper()}{title[1:]}"
        if self._days is None:
            return Panel(CHART, title, lambda *__: (Item.text(_(" loading…"), "dim"),), height // 2, 6, grows=True)
        series, before = self._series()
        cursor = max(0, len(series.starts) - 1 - self._day)
        words = day_words(series, before, cursor)
        bar, mark = ("█", "──") if self.board.unicode else ("#", "--")
        legend = _("{bar} this day  {mark} a week before").format(bar=bar, mark=mark)

        def draw(width: int, lines: int) -> Sequence[Item]:
            drawn = day_chart(series, before, width, lines, cursor, unicode=self.board.unicode)
            return (Item(tuple(drawn), CHART, f"{title.strip()}: {words}"),)

        return Panel(CHART, title, draw, height // 2, 6, grows=True, note=f"{words}   {legend}")

    def _below(self, width: int, roomy: bool) -> Sequence[Row]:
        """The customers and the glances, in as many columns as there is room for."""
        shown = {
            **self._glances.panels,
            _("Programs used today"): self._bars(CLIENT_NAMES),
            _("Users by activity"): self._bars(USER_NAMES),
        }
        customers = self.customers.panel(self._stats, unicode=self.board.unicode)
        panels = [customers] if customers is not None else []
        panels += [
            panel_of(f" {title}", rows, _key, unicode=self.board.unicode) for title, rows in shown.items() if rows
        ]
        if self._days is not None:
            panels.append(self._table())
        most = next((columns for least, columns in _COLUMNS if width >= least), 1)
        first = [[panel] for panel in panels[:most]]
        others = sorted(panels[most:], key=lambda each: -each.wanted)
        # A single one would leave most of a second row blank.
        if most == 1 or not roomy or width < _ALL or len(others) == 1:
            for panel in others:
                # Below the shortest one, but never below the customers, of which there may be many.
                min(first[most > 1 :] or first, key=lambda each: sum(one.wanted for one in each)).append(panel)
            others = []
        second: list[list[Panel]] = [[] for __ in range(min(len(others), most - 1))]
        for panel in others:
            min(second, key=lambda each: sum(one.wanted for one in each)).append(panel)
        return tuple(
            tuple(Column(tuple(each), _WEIGHTS.get(each[0].name, 5)) for each in row) for row in (first, second) if row
        )

    def _table(self) -> Panel:
        """The numbers of the last days, the newest first."""
        days = self._days.slices[: -_TABLE_DAYS - 1 : -1] if self._days is not None else ()
        link = _key(GlanceRow("", link=Link(Place(("companies", self.company_id, "statistics")))))

        def draw(width: int, height: int) -> Sequence[Item]:
            names = [*_DAY_COLUMNS][: max(1, (width - _DAY) // _NUMBER)]
            wide = min(_WIDEST, (width - _DAY) // len(names))
            titles = "".join(fit(_DAY_COLUMNS[name], wide, "right") for name in names)
            found = [Item.text(f" {fit(_('DAY'), _DAY - 1)}{titles}", "dim")]
            for day in days:
                values = "".join(fit(_count(day.numbers.get(name)), wide, "right") for name in names)
                found.append(Item.text(f" {fit(day_name(day.start), _DAY - 1)}{values}", key=f"{link} {day.start}"))
            return found

        return Panel("days", _(" Last days"), draw, 2 + len(days), least=5)

    def _bars(self, names: Mapping[str, str]) -> list[GlanceRow]:
        """Some of today's numbers as bars, the highest first."""
        known = numbers_of(self._stats)
        found = {name: known[name] for name in names if known.get(name)}
        link = Link(Place(("companies", self.company_id, "statistics")))
        return [
            GlanceRow(names[name], number_text(found[name]), link, part=(found[name], max(found.values())))
            for name in sorted(found, key=lambda each: -found[each])
        ]

    def status(self) -> Sequence[Piece]:
        if self.error_message:
            return [Piece(f" {safe_text(self.error_message).text}", "warn")]
        companies = self._stats.get("companies")
        pieces = [Piece(_(" refreshes every minute"), "dim")]
        if isinstance(companies, int):
            pieces.insert(0, Piece(f" {counted(companies, 'company', 'companies')}  ", "dim"))
        if self._changed:
            pieces.append(Piece(_("   changed {changed}").format(changed=self._changed), "dim"))
        return pieces


def _count(number: int | None) -> str:
    return NOTHING if number is None else number_text(number)


async def _nothing() -> RecordData:
    return {}


def _key(row: GlanceRow) -> str:
    return f"to {row.link}" if row.link is not None else ""
