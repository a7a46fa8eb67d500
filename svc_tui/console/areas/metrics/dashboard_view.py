"""The dashboard of a partner: today's numbers, the last days and the largest customers, refreshed while it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from textual import work
from textual.app import ComposeResult

from svc_tui.console.areas.metrics.chart import Chart, unicode_of
from svc_tui.console.areas.metrics.number_names import number_words
from svc_tui.console.areas.metrics.series_view import when_possible
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource, managed
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import read_at
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.list_reader import OFFLINE_SHOWN
from svc_tui.workspace.metrics import cached_numbers
from svc_tui.workspace.metrics.series import CounterSlices, daily, last_days, numbers_of, single
from svc_tui.workspace.workspace import Workspace

#: Seconds between two refreshes; the daily series is read only at every so many of them.
EVERY, LOOKS = 60.0, 30
#: The number of customers, of days, and of lines of the chart.
CUSTOMERS, DAYS, CHART_LINES = 10, 60, 8
NUMBER = "users_dailyConnected"
#: Today's numbers on the dashboard, by flat names; the statistics of the company have all of them.
_SHOWN = {
    _("Users"): {
        "users_total": _("all"),
        "users_dailyConnected": _("today"),
        "users_monthlyConnected": _("this month"),
        "users_newUser": _("new"),
    },
    _("Licences"): {"profiles_enterprise": "enterprise", "profiles_business": "business"},
    _("Telephone systems"): {"systems_oxe": "OXE", "systems_oxo": "OXO", "systems_dailyConnected": _("connected")},
    _("Used today"): {
        "usages_chat": _("chats"),
        "usages_groupchat": _("group chats"),
        "usages_webrtc": _("calls"),
        "usages_meeting": _("meetings"),
    },
}


class DashboardView(SheetView):
    """Sends nothing to the terminal while nothing changes. A failed refresh keeps the numbers and shows a warning."""

    kind = "report"
    DEFAULT_CSS = f"""
    DashboardView {{ layout: vertical; }}
    DashboardView Chart {{ height: {CHART_LINES}; }}
    """

    def __init__(self, place: Place, resource: Resource, workspace: Workspace) -> None:
        super().__init__(place, resource)
        self._workspace = workspace
        self._stats: RecordData = {}
        self._days: CounterSlices | None = None
        self._customers: list[RecordData] = []
        self._refreshes = 0
        self._changed = ""
        self.error_message = ""
        self._unfollow: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield Chart(unicode=unicode_of(self))
        yield Sheet(label_width=24)

    def on_mount(self) -> None:
        self.set_interval(EVERY, self._tick)
        self._unfollow = when_possible(self._workspace, self.refresh_now)
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
        return bool(self._stats) or bool(self.error_message)

    @property
    def customer_id(self) -> str:
        """The ID of the customer under the cursor; empty on other lines."""
        line = self.sheet.line
        return line.key.removeprefix("customer ") if line is not None and line.key.startswith("customer ") else ""

    @property
    def _partner(self) -> bool:
        """Whether the role may read the numbers of customers."""
        caller = self._workspace.caller
        subject = managed(self.company_id, caller) if caller else None
        return self._workspace.decide("list_bp_company_stats", subject).allowed

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
        try:
            await self._read_today()
            if self._days is None or self._refreshes % LOOKS == 0:
                answer = await self._read("get_company_daily_stats", self._scope)
                self._days = daily(str(answer.get("companyName") or ""), answer)
                self._draw()
        except ReadError as problem:
            self.error_message = problem.sentence
            if self._days is None and self.is_attached:
                self.query_one(Chart).show([], _("No numbers yet."))
            self.notify_changed()
            return
        self._refreshes += 1

    async def _read_today(self) -> None:
        self.error_message = ""
        stats = await self._read("get_company_stats", self._scope)
        rows: list[RecordData] = []
        if self._partner:
            page = await self._read("list_bp_company_stats", {"sortOrder": -1, "limit": CUSTOMERS})
            rows = [row for row in page.get("data") or () if isinstance(row, Mapping)]
        self._take(stats, rows)

    @property
    def _scope(self) -> RecordData:
        return {"scope": "bp" if self._partner else "ec"}

    async def _read(self, operation_id: str, query: Mapping[str, Any]) -> RecordData:
        found = await cached_numbers.read_numbers(self._workspace, operation_id, {"companyId": self.company_id}, query)
        if not found.live and self._workspace.obstacle() != "connecting":
            when = read_at(datetime.fromtimestamp(found.fetched, UTC)).capitalize()
            self.error_message = f"{OFFLINE_SHOWN} {when}." if when else OFFLINE_SHOWN
        return found.body

    def _take(self, stats: RecordData, customers: list[RecordData]) -> None:
        """Show new numbers; a new time of counting alone is no change."""
        before = (numbers_of(self._stats), [numbers_of(each) for each in self._customers])
        self._stats, self._customers = stats, customers
        if before != (numbers_of(stats), [numbers_of(each) for each in customers]):
            self._changed = datetime.fromtimestamp(self._workspace.now()).strftime("%H:%M")
        self._draw()
        self.notify_changed()

    # --- drawing -------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if not self.is_attached:
            return
        if self._days is not None:
            days = last_days(single(self._days, NUMBER), DAYS)
            self.query_one(Chart).show([days], _("No numbers yet."))
        self.sheet.show(self._lines)

    def _lines(self) -> Iterator[Line]:
        stats = self._stats
        companies = stats.get("companies")
        yield Line(
            "heading",
            label=_("Today, {companies}").format(companies=counted(companies, "company", "companies"))
            if isinstance(companies, int)
            else _("Today"),
        )
        numbers = numbers_of(stats)
        for label, shown_numbers in _SHOWN.items():
            words = [f"{word} {number_text(numbers[name])}" for name, word in shown_numbers.items() if name in numbers]
            if words:
                yield from wrapped(Line("field", label, " · ".join(words), key=label), self._room)
        if self._customers:
            yield Line("heading", label=_("Customers with the most users"))
        for each in self._customers:
            users = numbers_of({"users": each.get("users")})
            value = _("{users:>7,}   {connected} connected today").format(
                users=users.get("users_total", 0),
                connected=number_text(users.get("users_dailyConnected", 0)),
            )
            name = safe_text(str(each.get("companyName") or each.get("companyId") or "?")).text
            yield Line("field", name, value, key=f"customer {each.get('companyId')}")

    @property
    def _room(self) -> int:
        return max(20, self.size.width - self.sheet.label_width - 4)

    def status(self) -> Sequence[Piece]:
        pieces = [
            Piece(
                _(" {number_words}, last {days} days").format(
                    number_words=number_words(NUMBER).capitalize(), days=DAYS
                ),
                "dim",
            ),
            Piece(_("   refreshes every minute"), "dim"),
        ]
        if self._changed:
            pieces.append(Piece(_("   changed {changed}").format(changed=self._changed), "dim"))
        if self.error_message:
            pieces = [Piece(f" {safe_text(self.error_message).text}", "warn")]
        return pieces
