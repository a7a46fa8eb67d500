"""Usage of applications by hour, day or month of a time zone (4.8)."""

from __future__ import annotations

import zoneinfo
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple, Protocol

from svc_tui.interface.access import Subject
from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
from svc_tui.interface.metrics import operations as declared
from svc_tui.interface.metrics.records import (
    ADMINISTRATION,
    GROUPS,
    RESOURCES,
    CounterPeriod,
    OwnerUsageQuery,
    UsageQuery,
)
from svc_tui.interface.metrics.values import range_problem, zone_problem
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.metrics.demo_history import DemoHistory
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.request_values import words_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Is
from svc_tui.server.stored import StoredApplication

_HOUR, _HALF = timedelta(hours=1), timedelta(minutes=30)


@rule(declared.list_usage_groups)
async def groups(call: Call) -> RuleResult:
    return {"data": {"administration": list(ADMINISTRATION), "resources": list(RESOURCES)}}


@rule(declared.get_application_usage)
async def application_usage(call: Call[UsageQuery]) -> RuleResult:
    application = typed(StoredApplication, await call.store.applications.get(call.path["applicationId"]))
    if application is None:
        raise not_found("Application", call.path["applicationId"])
    call.require(Subject(owner_id=application.owner_id), Code.NOT_OWNER)
    return await _usage(call, [application])


@rule(declared.get_owner_usage)
async def owner_usage(call: Call[OwnerUsageQuery]) -> RuleResult:
    owner = call.path["ownerId"]
    if await call.store.users.get(owner) is None:
        raise not_found("User", owner)
    call.require(Subject(owner_id=owner), Code.NOT_OWNER)
    applications = all_typed(StoredApplication, (await call.store.applications.find(Is("ownerId", owner))).documents)
    zones = words_of(call.query.dc_zones)
    return await _usage(call, [each for each in applications if not zones or each.dc_zone in zones])


def _checked_groups(query: UsageQuery) -> list[str]:
    """The requested groups. Refusal 400000 for unknown groups or time zones, and for too long ranges."""
    requested = words_of(query.groups)
    problems = [
        Problem("groups", f"{group} is not one of {', '.join(GROUPS)}", group)
        for group in requested
        if group not in GROUPS
    ]
    if problem := zone_problem(query.timezone):
        problems.append(Problem("timezone", problem, query.timezone))
    elif problem := range_problem(_aware(query.from_date), _aware(query.to_date), query.period, query.timezone):
        problems.append(Problem("toDate", problem, stamp(query.to_date)))
    if problems:
        raise invalid(*problems)
    return requested or list(GROUPS)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


async def _usage(call: AnyCall, applications: Sequence[StoredApplication]) -> RuleResult:
    query: UsageQuery = call.query
    requested = frozenset(_checked_groups(query))
    first, last = _aware(query.from_date).astimezone(UTC), _aware(query.to_date).astimezone(UTC)
    zone = zoneinfo.ZoneInfo(query.timezone)
    starts = slices(first, last, query.period, zone)
    counted: list[Counter[str]] = [Counter() for _ in starts]

    def counter_of(hour: datetime) -> Counter[str]:
        return counted[max(0, bisect_right(starts, hour + _HALF) - 1)]

    ids = [application.id for application in applications]
    hours = hours_of(first, last, zone)
    for hour, group, count in await call.store.counters.between(ids, _key(hours.start), _key(hours.end)):
        counter_of(datetime.fromisoformat(f"{hour}:00:00+00:00"))[group] += count
    hour_start = hours.start
    while hour_start < min(hours.end, call.now):
        for application in applications:
            counter_of(hour_start).update(call.service.part(history_of).usage(document_of(application), hour_start))
        hour_start += _HOUR
    data = [
        {
            "groupCounters": [
                {"group": group, "count": counts[group]} for group in GROUPS if group in requested and counts[group]
            ],
            "aggregationStartDate": stamp(start),
        }
        for start, counts in zip(starts, counted, strict=True)
    ]
    return {"data": data, "aggregationPeriod": query.period}


class CountedHours(NamedTuple):
    """The hours of UTC from `start` to before `end`."""

    start: datetime
    end: datetime


def hours_of(first: datetime, last: datetime, zone: zoneinfo.ZoneInfo) -> CountedHours:
    """The counted hours of a range, which is extended to whole hours of the time zone.

    Counters are kept by hours of UTC. In a zone with half or quarter hours, each belongs where its middle is, so that
    no hour is in two days.
    """
    start, end = _hour_of(first, zone), _next_hour(last, zone)
    return CountedHours(max(_nearest(start), _hour_of(first, UTC)), min(_nearest(end), _next_hour(last, UTC)))


def _next_hour(moment: datetime, zone: tzinfo) -> datetime:
    """The moment itself where an hour of a time zone starts, otherwise the start of the next one."""
    start = _hour_of(moment, zone)
    return start if start == moment else start + _HOUR


def _hour_of(moment: datetime, zone: tzinfo) -> datetime:
    """The start of the hour of a time zone, in UTC."""
    return moment.astimezone(zone).replace(minute=0, second=0, microsecond=0).astimezone(UTC)


def _nearest(moment: datetime) -> datetime:
    """The start of the first hour of UTC whose middle is not before a moment."""
    whole = moment.replace(minute=0, second=0, microsecond=0)
    return whole if whole + _HALF >= moment else whole + _HOUR


def _key(hour: datetime) -> str:
    return f"{hour:%Y-%m-%dT%H}"


def slices(first: datetime, last: datetime, period: CounterPeriod, zone: zoneinfo.ZoneInfo) -> list[datetime]:
    """The starts, in UTC, of the hours, days or months of the range; days and months are those of the time zone."""
    start = _hour_of(first, zone)
    if period != "hour":
        # Where clocks are set back at midnight, the day begins with the first one.
        local = first.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        start = (local.replace(day=1) if period == "month" else local).astimezone(UTC)
    found = []
    while start < last:
        found.append(start)
        if period == "hour":
            start += _HOUR
            continue
        local = start.astimezone(zone).replace(tzinfo=None)
        following = local + timedelta(days=1) if period == "day" else (local.replace(day=1) + timedelta(days=32))
        following = following.replace(hour=0) if period == "day" else following.replace(day=1, hour=0)
        start = following.replace(tzinfo=zone).astimezone(UTC)
    return found


Document = dict[str, Any]


class History(Protocol):
    """Numbers of the past that are not in the store."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        """The use of each group by an application within an hour (UTC)."""
        ...

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        """The sum of `users`, `systems` and `usages` of companies on a day; empty when unknown.

        Each company is given by its id and its number of users.
        """
        ...


class NoHistory:
    """A server without numbers of the time before it counted."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        return {}

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        return {}


def history_of(service: Service) -> History:
    """The numbers of the time before this server: invented in a demo, otherwise none."""
    return DemoHistory() if service.settings.demo else NoHistory()
