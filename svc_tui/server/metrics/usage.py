"""Usage of applications by hour, day or month of a time zone (4.8)."""

from __future__ import annotations

import zoneinfo
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from svc_tui.interface.access import Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.metrics import operations as declared
from svc_tui.interface.metrics.ranges import range_problem, zone_problem
from svc_tui.interface.metrics.records import (
    ADMINISTRATION,
    GROUPS,
    RESOURCES,
    CounterPeriod,
    OwnerUsageQuery,
    UsageQuery,
)
from svc_tui.interface.problems import Problem
from svc_tui.interface.timestamps import stamp
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.metrics.history import history_of
from svc_tui.server.query_values import words_of
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.stored import StoredApplication

_HOUR = timedelta(hours=1)


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
    elif problem := range_problem(_aware(query.from_date), _aware(query.to_date), query.period):
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
    starts = slices(first, last, query.period, zoneinfo.ZoneInfo(query.timezone))
    counted: list[Counter[str]] = [Counter() for _ in starts]
    ids = [application.id for application in applications]
    for hour, group, count in await call.store.counters.between(ids, f"{first:%Y-%m-%dT%H}", _end(last)):
        moment = datetime.fromisoformat(f"{hour}:00:00+00:00")
        counted[max(0, bisect_right(starts, moment) - 1)][group] += count
    hour_start = first.replace(minute=0, second=0, microsecond=0)
    while hour_start < min(last, call.now):
        place = max(0, bisect_right(starts, hour_start) - 1)
        for application in applications:
            counted[place].update(call.service.part(history_of).usage(document_of(application), hour_start))
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


def _end(last: datetime) -> str:
    """The first hour after the range."""
    whole = last if not (last.minute or last.second or last.microsecond) else last + _HOUR
    return f"{whole:%Y-%m-%dT%H}"


def slices(first: datetime, last: datetime, period: CounterPeriod, zone: zoneinfo.ZoneInfo) -> list[datetime]:
    """The starts, in UTC, of the hours, days or months of the range; days and months are those of the time zone."""
    local = first.astimezone(zone).replace(minute=0, second=0, microsecond=0)
    if period != "hour":
        local = local.replace(hour=0, day=1 if period == "month" else local.day)
    found = []
    start = local.astimezone(UTC)
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
