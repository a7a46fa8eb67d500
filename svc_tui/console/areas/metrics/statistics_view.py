"""The numbers of companies day by day: one number as a chart or table, or all of them as they stand today."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.metrics.series_view import CHART, TABLE, SeriesView
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import shown
from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.data import RecordData
from svc_tui.interface.metrics.records import SCOPES, Scope
from svc_tui.workspace.metrics.series import (
    Counters,
    NumberRows,
    Series,
    aligned,
    by_name,
    by_slice,
    daily,
    last_days,
    numbers_of,
    percent,
    single,
)
from svc_tui.workspace.workspace import Workspace

TODAY = "all numbers"
#: How many days can be looked at; 0: all that the service tells.
DAYS = (7, 28, 30, 0)


class StatisticsView(SeriesView):
    """One number of one or several companies; of one, the days before can be compared."""

    pages = (CHART, TABLE, TODAY)

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, ids: Sequence[str]) -> None:
        super().__init__(place, resource, workspace)
        self.ids = list(ids)
        self.scope: Scope = "ec"
        self.number = "users_dailyConnected"
        self.days = 0
        self.compared = False
        self._stats: dict[str, RecordData] = {}

    @property
    def record(self) -> Mapping[str, Any]:
        """The first company, for what its role allows."""
        first = next(iter(self.ids), "")
        return {"companyId": first, **self._stats.get(first, {})}

    @property
    def crumb(self) -> str:
        return "Statistics"

    def name_of(self, company_id: str) -> str:
        """What a company is called."""
        return str(self._stats.get(company_id, {}).get("companyName") or company_id)

    @property
    def beside(self) -> int:
        """How many stand beside each other."""
        return len(self.ids)

    # --- what is chosen ------------------------------------------------------------------------------------------

    def add(self, company_id: str) -> None:
        """Compare another company too."""
        if company_id not in self.ids:
            self.ids.append(company_id)
            self.read_again()

    def turn_scope(self) -> None:
        """From the company alone to it and those under it, and back."""
        self.scope = "bp" if self.scope == "ec" else "ec"
        self.read_again()

    def choose(self, **chosen: Any) -> None:
        """Choose the number, how many days, whether the days before are compared; all of them are here already."""
        for name, value in chosen.items():
            setattr(self, name, value)
        self.draw()

    @property
    def numbers_known(self) -> dict[str, int]:
        """Each number that can be looked at, with how much it is today."""
        found: dict[str, int] = {}
        for each in self._stats.values():
            counted = daily("", each).slices
            if counted:
                found = {**counted[-1].numbers, **found}
        return found

    # --- reading -------------------------------------------------------------------------------------------------

    async def read_numbers(self) -> None:
        """Ask for all of them at once; one that cannot be had leaves the others."""
        caller = self.workspace.caller
        if not self.ids and caller is not None:
            self.ids = [caller.company_id]
        ids = tuple(self.ids)
        found = await asyncio.gather(*(self._read(each) for each in ids))
        self._stats = {id: answer for id, answer in zip(ids, found, strict=True) if answer is not None}

    async def _read(self, company_id: str) -> RecordData | None:
        from svc_tui.workspace.core.service import ReadError

        try:
            return await self.ask("get_company_daily_stats", {"companyId": company_id}, {"scope": self.scope})
        except ReadError as trouble:
            self.troubles.append(f"{self.name_of(company_id)}: {trouble.sentence}")
            return None

    # --- what is shown -------------------------------------------------------------------------------------------

    @property
    def _counted(self) -> list[Counters]:
        return [daily(self.name_of(id), self._stats[id]) for id in self.ids if id in self._stats]

    def series(self) -> Sequence[Series]:
        found: list[Series] = []
        for whole in aligned([single(each, self.number) for each in self._counted]):
            found.append(last_days(whole, self.days))
            if self.compared and self.days:
                before = last_days(whole, self.days, back=self.days)
                found.append(replace(before, name="before" if len(self.ids) == 1 else f"{whole.name} before"))
        return found

    def rows(self, page: str) -> NumberRows:
        if page == TABLE:
            return by_slice(self.series())
        known = {id: self._stats[id] for id in self.ids if id in self._stats}
        names = [self.name_of(id) for id in known]
        return by_name([numbers_of(each) for each in known.values()], names, "number", largest_first=False)

    def what(self) -> Sequence[Piece]:
        # Several are named above their bars.
        names = shown(self.name_of(next(iter(self.ids), ""))).text
        names += f" and {self.beside - 1} more" if self.beside > 1 else ""
        pieces = [Piece(f"{names}   ", "accent"), Piece(said(self.number))]
        found = self.series()
        if len(found) == 2 and self.compared:
            after, before = (mean(each) for each in found)
            pieces.append(Piece(f"   on average {after:,} a day against {before:,}   {percent(before, after)}", "dim"))
        return pieces

    def how(self) -> Sequence[Piece]:
        against = f" against {before_words(self.days)}" if self.compared and self.days else ""
        return [Piece(f"{span_words(self.days)}{against} · {SCOPES[self.scope]}", "dim")]

    @property
    def file_name(self) -> str:
        return f"statistics {self.name_of(next(iter(self.ids), ''))}"


def said(number: str) -> str:
    """A flat name in words: `users_dailyConnected` is `users daily connected`."""
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in number)
    return shown(words.replace("_", " ")).text


def span_words(days: int) -> str:
    """The newest so many days in words; 0: all there are."""
    if not days:
        return "all days"
    return f"last {days // 7} weeks" if days % 7 == 0 and days > 7 else f"last {days} days"


def before_words(days: int) -> str:
    """As many days before those, and whether a Monday stands beside a Monday."""
    return f"those before, {'the same' if days % 7 == 0 else 'other'} weekdays"


def mean(series: Series) -> int:
    """What it is on a usual day, rounded; 0 where nobody counted."""
    known = [value for value in series.values if value is not None]
    return round(sum(known) / len(known)) if known else 0
