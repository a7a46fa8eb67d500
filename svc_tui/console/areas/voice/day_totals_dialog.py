"""The number of records on each of fourteen days, as bars; choosing a day shows its records."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import date, timedelta

from textual import work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, LINE_DOWN, LINE_UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.voice.week import DAYS as WEEKDAYS
from svc_tui.language import _, day_text
from svc_tui.workspace.core.service import ReadError

DAYS = 14
#: Cells of the longest bar.
_WIDEST = 44
#: Days that are read at a time.
_AT_ONCE = 4

Count = Callable[[date], Awaitable[int]]


class DayTotals(Box[date]):
    """Returns the chosen day, or None when closed. `count` reads the number of a day."""

    DEFAULT_CSS = f"DayTotals Sheet {{ height: {DAYS}; }}"
    KEYS = (
        ACCEPT.labelled(_("Show day")),
        LINE_UP.labelled(_("Day")),
        LINE_DOWN.labelled(_("Day")),
        DialogKey("days.earlier", ("left",), "Previous/next two weeks", "Previous two weeks"),
        DialogKey("days.later", ("right",), "Previous/next two weeks", "Next two weeks"),
        CLOSE,
    )

    def __init__(self, title: str, count: Count, today: date) -> None:
        super().__init__(title)
        self._count, self._today, self._last = count, today, today
        self._totals: dict[date, int] = {}

    def body(self) -> Iterable[Widget]:
        yield Sheet(label_width=16)
        yield plain("", id="sum")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query_one(Sheet).focus()
        self._show_days()

    @property
    def _days(self) -> list[date]:
        return [self._last - timedelta(days=back) for back in range(DAYS)]

    def _show_days(self) -> None:
        self._draw()
        self._read(self._days)

    @work(exclusive=True, group="totals", exit_on_error=False)
    async def _read(self, days: list[date]) -> None:
        """Read the missing days, a few at a time, and draw each response."""
        free = asyncio.Semaphore(_AT_ONCE)

        async def one(day: date) -> None:
            async with free:
                self._totals[day] = await self._count(day)
            self._draw()

        found = await asyncio.gather(*(one(day) for day in days if day not in self._totals), return_exceptions=True)
        for failure in found:
            if isinstance(failure, ReadError):
                self.query_one("#error", Static).update(Content(safe_text(failure.sentence).text))
            elif isinstance(failure, Exception):
                raise failure

    def _draw(self) -> None:
        known = [self._totals[day] for day in self._days if day in self._totals]
        most = max([*known, 1])
        self.query_one(Sheet).show([self._line(day, most) for day in self._days])
        text = (
            _("{known} in these {days} days").format(known=sum(known), days=DAYS)
            if len(known) == DAYS
            else _("counting…")
        )
        self.query_one("#sum", Static).update(Content(text))

    def _line(self, day: date, most: int) -> Line:
        label, total = f"{WEEKDAYS[day.weekday()][0][:3]} {day_text(str(day))}", self._totals.get(day)
        if total is None:
            return Line("field", label, "", "…", key=str(day))
        # A day with any records has a bar.
        bar = "█" * max(round(total * _WIDEST / most), bool(total))
        return Line("field", label, bar, str(total), key=str(day), style="accent", note_style="")

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    def action_earlier(self) -> None:
        self._turn(-DAYS)

    def action_later(self) -> None:
        self._turn(DAYS)

    def _turn(self, days: int) -> None:
        self._last = min(self._today, self._last + timedelta(days=days))
        self._show_days()

    def action_accept(self) -> None:
        line = self.query_one(Sheet).line
        if line is not None:
            self.dismiss(date.fromisoformat(line.key))
