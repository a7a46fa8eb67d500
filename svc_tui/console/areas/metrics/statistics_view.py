"""The numbers of companies day by day: one number as a chart or table, or all numbers of today."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from svc_tui.console.areas.metrics.number_names import number_words
from svc_tui.console.areas.metrics.series_view import CHART, TABLE, SeriesView
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.data import RecordData
from svc_tui.interface.metrics.values import SCOPES, Scope
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.metrics.series import (
    CounterSlices,
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

TODAY = _("all numbers")
#: The lengths of time spans in days; 0: all days that the service has.
DAYS = (7, 28, 30, 0)


class StatisticsChoices(TypedDict, total=False):
    """What is shown of the statistics: a number over some days, `compared` with the days before."""

    number: str
    days: int
    compared: bool


class StatisticsView(SeriesView):
    """One number of one or several companies; a single company can be compared with its days before."""

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
        """The first company, for the rules of access."""
        first = next(iter(self.ids), "")
        return {"companyId": first, **self._stats.get(first, {})}

    @property
    def crumb(self) -> str:
        return _("Statistics")

    def name_of(self, company_id: str) -> str:
        """The name of a company."""
        return str(self._stats.get(company_id, {}).get("companyName") or company_id)

    @property
    def beside(self) -> int:
        """The number of compared records."""
        return len(self.ids)

    # --- choices ------------------------------------------------------------------------------------------

    def add(self, company_id: str) -> None:
        """Add a company to the comparison."""
        if company_id not in self.ids:
            self.ids.append(company_id)
            self.read_again()

    def toggle_scope(self) -> None:
        """Switch between only the company and the company with its customers."""
        self.scope = "bp" if self.scope == "ec" else "ec"
        self.read_again()

    def choose(self, **chosen: Unpack[StatisticsChoices]) -> None:
        """Choose the number, the days and the comparison with the days before; nothing is read again."""
        for name, value in chosen.items():
            setattr(self, name, value)
        self.draw()

    @property
    def numbers_known(self) -> dict[str, int]:
        """The numbers to choose from, each with its value today."""
        found: dict[str, int] = {}
        for each in self._stats.values():
            counted = daily("", each).slices
            if counted:
                found = {**counted[-1].numbers, **found}
        return found

    # --- reading -------------------------------------------------------------------------------------------------

    async def read_numbers(self) -> None:
        """Read all companies in parallel; one that fails does not affect the others."""
        caller = self.workspace.caller
        if not self.ids and caller is not None:
            self.ids = [caller.company_id]
        ids = tuple(self.ids)
        found = await asyncio.gather(*(self._read(each) for each in ids))
        self._stats = {id: answer for id, answer in zip(ids, found, strict=True) if answer is not None}

    async def _read(self, company_id: str) -> RecordData | None:
        try:
            return await self.ask("get_company_daily_stats", {"companyId": company_id}, {"scope": self.scope})
        except ReadError as error:
            self.error_messages.append(f"{self.name_of(company_id)}: {error.sentence}")
            return None

    # --- drawing -------------------------------------------------------------------------------------------

    @property
    def _counted(self) -> list[CounterSlices]:
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
        # More names stand above the bars.
        names = safe_text(self.name_of(next(iter(self.ids), ""))).text
        names += _(" and {beside} more").format(beside=self.beside - 1) if self.beside > 1 else ""
        pieces = [Piece(f"{names}   ", "accent"), Piece(number_words(self.number))]
        found = self.series()
        if len(found) == 2 and self.compared:
            after, before = (mean(each) for each in found)
            pieces.append(
                Piece(
                    _("   on average {after}, before {before}   {percent}").format(
                        after=number_text(after), before=number_text(before), percent=percent(before, after)
                    ),
                    "dim",
                )
            )
        return pieces

    def how(self) -> Sequence[Piece]:
        against = (
            _(" compared with {before_words}").format(before_words=before_words(self.days))
            if self.compared and self.days
            else ""
        )
        return [Piece(f"{span_words(self.days)}{against} · {SCOPES[self.scope]}", "dim")]

    @property
    def counted(self) -> tuple[str, str]:
        return "number", self.number

    @property
    def file_name(self) -> str:
        return _("statistics {name_of}").format(name_of=self.name_of(next(iter(self.ids), "")))


def span_words(days: int) -> str:
    """A number of days in words; 0: all days."""
    if not days:
        return _("all days")
    return (
        _("last {days} weeks").format(days=days // 7)
        if days % 7 == 0 and days > 7
        else _("last {days} days").format(days=days)
    )


def before_words(days: int) -> str:
    """The days before in words, with whether weekdays match."""
    return _("the days before, {days} weekdays").format(days=_("same") if days % 7 == 0 else _("other"))


def mean(series: Series) -> int:
    """The average of a day, rounded; 0 without numbers."""
    known = [value for value in series.values if value is not None]
    return round(sum(known) / len(known)) if known else 0
