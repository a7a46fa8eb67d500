"""The usage of applications, or of all applications of an owner: over time, by group, in two spans or compared."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from svc_tui.console.areas.metrics.series_view import CHART, TABLE, SeriesView
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.metrics.values import LONGEST, CounterPeriod, zone_problem
from svc_tui.interface.value_words import word
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.metrics.series import (
    CounterSlices,
    NumberRows,
    Series,
    by_name,
    by_slice,
    percent,
    summed,
    usage,
)
from svc_tui.workspace.metrics.spans import DEFAULT_SPAN, Span, common_spans, today
from svc_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from svc_tui.workspace.lists.open_record import OpenRecord

GROUPS = _("groups")


@dataclass(frozen=True, slots=True)
class UsageSource:
    """Where usage comes from: the operation with the numbers, and the one that reads the record with its name."""

    operation: str
    parameter: str
    get: str
    get_parameter: str
    label_field: str


_SOURCES = {
    "usage": UsageSource("get_application_usage", "applicationId", "get_application", "appId", "name"),
    "ownerusage": UsageSource("get_owner_usage", "ownerId", "get_user", "userId", "displayName"),
}


@dataclass(frozen=True, slots=True)
class UsageRequest:
    """The record and the span of one request."""

    record_id: str
    span: Span


class UsageChoices(TypedDict, total=False):
    """What is shown of the counters; `against` is an earlier span to compare with."""

    span: Span
    against: Span | None
    period: CounterPeriod
    groups: tuple[str, ...]
    zone: str
    dc_zones: str


class UsageView(SeriesView):
    """Counters of one or several records of a kind; a single record can be compared in two spans."""

    pages = (CHART, TABLE, GROUPS)

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, ids: Sequence[str]) -> None:
        super().__init__(place, resource, workspace)
        self._usage = _SOURCES[resource.name]
        self.sources: dict[str, OpenRecord] = {}
        kept = workspace.preferences.of("usage").query
        zone = str(kept.get("timezone") or "UTC")
        self.zone = "UTC" if zone_problem(zone) else zone
        self.period: CounterPeriod = "day"
        self.span = next(span for span in common_spans(self.day) if span.name == DEFAULT_SPAN)
        self.against: Span | None = None
        self.groups: tuple[str, ...] = ()
        #: Zones of data centres, comma-separated; only of owners.
        self.dc_zones = ""
        self._counted: list[CounterSlices] = []
        for record_id in ids:
            self.add(record_id)

    @property
    def day(self) -> Any:
        """Today in the chosen time zone."""
        return today(self.zone, datetime.fromtimestamp(self.workspace.now(), UTC))

    @property
    def record(self) -> Mapping[str, Any] | None:
        """The first record, for the rules of access."""
        first = next(iter(self.sources.values()), None)
        return first.data if first is not None else None

    @property
    def crumb(self) -> str:
        return _("Usage")

    @property
    def beside(self) -> int:
        """The number of compared records."""
        return len(self.sources)

    # --- choices ------------------------------------------------------------------------------------------

    def add(self, record_id: str) -> None:
        """Add a record to the comparison."""
        if record_id not in self.sources:
            source = self.workspace.record(self._usage.get, path={self._usage.get_parameter: record_id})
            source.subscribe(self.draw)
            self.sources[record_id] = source

    def name_of(self, record_id: str) -> str:
        """The name of a record."""
        user = self.workspace.user or {}
        # Not every role may read its own record in the list of users.
        known = self.sources[record_id].data or (user if user.get("id") == record_id else {})
        return str(known.get(self._usage.label_field) or record_id)

    def choose(self, **chosen: Unpack[UsageChoices]) -> str:
        """Choose a span, period, groups or time zone, and read again. Returns a sentence on adjusted choices."""
        before, against = self.span, self.against
        for name, value in chosen.items():
            setattr(self, name, value)
        text = ""
        if "span" in chosen and against is not None:
            self.against = self.span.counterpart(before, against)
            text = "" if self.against else _("The comparison with {against} was removed. ").format(against=against)
        if "zone" in chosen:
            self.workspace.preferences.of("usage").query["timezone"] = self.zone
            self.workspace.preferences.save()
        suited = max((span.possible_period(self.period) for span in self._spans), key=_LENGTHS.index)
        if suited != self.period:
            text += _("Counted by {longer_period}: counting by {period} is limited to {longest}.").format(
                longer_period=word(suited), period=word(self.period), longest=LONGEST[self.period][1]
            )
            self.period = suited
        self._counted = []
        self.read_again()
        return text.rstrip()

    @property
    def _spans(self) -> list[Span]:
        return [self.span, *([self.against] if self.against else [])]

    @property
    def requests(self) -> list[UsageRequest]:
        """The requests: each record in the span, then in the span to compare with."""
        return [UsageRequest(record_id, span) for span in self._spans for record_id in self.sources]

    # --- reading -------------------------------------------------------------------------------------------------

    async def read_numbers(self) -> None:
        """Read all records in parallel; one that fails does not affect the others."""
        caller = self.workspace.caller
        if not self.sources and caller is not None and self._usage.parameter == "ownerId":
            self.add(caller.user_id)
        answers = await asyncio.gather(*(self._read(each) for each in self.requests))
        self._counted = [each for each in answers if each is not None]

    async def _read(self, request: UsageRequest) -> CounterSlices | None:
        first, last = (moment.strftime("%Y-%m-%dT%H:%M:%S.000Z") for moment in request.span.moments(self.zone))
        query = {"fromDate": first, "toDate": last, "period": self.period, "timezone": self.zone}
        if self.groups:
            query["groups"] = ",".join(self.groups)
        if self.dc_zones:
            query["dcZones"] = self.dc_zones
        try:
            answer = await self.ask(self._usage.operation, {self._usage.parameter: request.record_id}, query)
        except ReadError as error:
            self.error_messages.append(f"{self.name_of(request.record_id)}: {error.sentence}")
            return None
        return usage(self._name_of_series(request), answer, self.period, self.zone)

    def _name_of_series(self, request: UsageRequest) -> str:
        """The name of one series: what it differs in from the others."""
        if self.against is None:
            return self.name_of(request.record_id)
        return str(request.span) if len(self.sources) == 1 else f"{self.name_of(request.record_id)} {request.span}"

    # --- drawing -------------------------------------------------------------------------------------------

    def series(self) -> Sequence[Series]:
        return [summed(each) for each in self._counted]

    def rows(self, page: str) -> NumberRows:
        if page == TABLE:
            return by_slice(self.series())
        return by_name([each.totals for each in self._counted], [each.name for each in self._counted], "group")

    def what(self) -> Sequence[Piece]:
        names = self.with_keys(_("{usage.add} adds an application"))
        if self.sources:
            # More names stand above the bars.
            first = safe_text(self.name_of(next(iter(self.sources)))).text
            names = (
                first
                if self.beside == 1
                else _("{first} and {beside} more").format(first=first, beside=self.beside - 1)
            )
        totals = [each.totals.total() for each in self._counted]
        pieces = [Piece(f"{names}   ", "accent")]
        if len(totals) == 2:
            more = percent(totals[1], totals[0])
            pieces += [
                Piece(number_text(totals[0])),
                Piece(_(" against "), "dim"),
                Piece(number_text(totals[1])),
                Piece(f"   {more}"),
            ]
        elif totals:
            pieces.append(Piece(_("{totals} in total").format(totals=number_text(sum(totals)))))
        return pieces

    def how(self) -> Sequence[Piece]:
        groups = ", ".join(self.groups) or _("all groups")
        against = _(" compared with {against}").format(against=self.against) if self.against else ""
        zones = _(" · only in {zones}").format(zones=safe_text(self.dc_zones).text) if self.dc_zones else ""
        return [
            Piece(
                _("{span}{against} · by {period} · {zone} · {groups}{zones}").format(
                    span=self.span,
                    against=against,
                    period=word(self.period),
                    zone=self.zone,
                    groups=groups,
                    zones=zones,
                ),
                "dim",
            )
        ]

    @property
    def counted(self) -> tuple[str, str]:
        return "group", ", ".join(self.groups) or _("all groups")

    @property
    def file_name(self) -> str:
        return _("usage {names} {span}").format(
            names=", ".join(self.name_of(each) for each in self.sources), span=self.span
        )

    def close(self) -> None:
        super().close()
        for source in self.sources.values():
            source.close()


_LENGTHS: list[CounterPeriod] = ["hour", "day", "month"]
