"""How much applications were used: by hour, day or month of a time zone (4.8)."""

from __future__ import annotations

import zoneinfo
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from svc_tui.interface.access import Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.metrics import operations as declared
from svc_tui.interface.metrics.ranges import range_problem, zone_problem
from svc_tui.interface.metrics.records import ADMINISTRATION, GROUPS, RESOURCES, OwnerUsageQuery, Period, UsageQuery
from svc_tui.interface.problems import Problem
from svc_tui.interface.timestamps import stamp
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.tables import Document

_HOUR = timedelta(hours=1)


@rule(declared.list_usage_groups)
async def groups(call: Call) -> RuleResult:
    return {"data": {"administration": list(ADMINISTRATION), "resources": list(RESOURCES)}}


@rule(declared.get_application_usage)
async def application_usage(call: Call[UsageQuery]) -> RuleResult:
    application = await call.store.applications.get(call.path["applicationId"])
    if application is None:
        raise not_found("Application", call.path["applicationId"])
    call.require(Subject(owner_id=str(application["ownerId"])), Code.NOT_OWNER)
    return await _usage(call, [application])


@rule(declared.get_owner_usage)
async def owner_usage(call: Call[OwnerUsageQuery]) -> RuleResult:
    owner = call.path["ownerId"]
    if await call.store.users.get(owner) is None:
        raise not_found("User", owner)
    call.require(Subject(owner_id=owner), Code.NOT_OWNER)
    applications = (await call.store.applications.find(Is("ownerId", owner))).documents
    zones = _words(getattr(call.query, "dc_zones", None))
    return await _usage(call, [each for each in applications if not zones or each.get("dcZone", "eu") in zones])


def _words(text: str | None) -> list[str]:
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def _check(query: UsageQuery) -> list[str]:
    """The groups that are asked for. Refusal 400000."""
    asked = _words(query.groups)
    problems = [
        Problem("groups", f"{group} is none of {', '.join(GROUPS)}", group) for group in asked if group not in GROUPS
    ]
    if said := zone_problem(query.timezone):
        problems.append(Problem("timezone", said, query.timezone))
    elif said := range_problem(_aware(query.from_date), _aware(query.to_date), query.period):
        problems.append(Problem("toDate", said, stamp(query.to_date)))
    if problems:
        raise invalid(*problems)
    return asked or list(GROUPS)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


async def _usage(call: Call[Any, Any], applications: Sequence[Document]) -> RuleResult:
    query: UsageQuery = call.query
    asked = frozenset(_check(query))
    first, last = _aware(query.from_date).astimezone(UTC), _aware(query.to_date).astimezone(UTC)
    starts = slices(first, last, query.period, zoneinfo.ZoneInfo(query.timezone))
    counted: list[Counter[str]] = [Counter() for _ in starts]
    ids = [str(each["id"]) for each in applications]
    for hour, group, count in await call.store.counters.between(ids, f"{first:%Y-%m-%dT%H}", _end(last)):
        moment = datetime.fromisoformat(f"{hour}:00:00+00:00")
        counted[max(0, bisect_right(starts, moment) - 1)][group] += count
    hour_start = first.replace(minute=0, second=0, microsecond=0)
    while hour_start < min(last, call.now):
        place = max(0, bisect_right(starts, hour_start) - 1)
        for application in applications:
            counted[place].update(call.service.history.usage(application, hour_start))
        hour_start += _HOUR
    data = [
        {
            "groupCounters": [
                {"group": group, "count": counts[group]} for group in GROUPS if group in asked and counts[group]
            ],
            "aggregationStartDate": stamp(start),
        }
        for start, counts in zip(starts, counted, strict=True)
    ]
    return {"data": data, "aggregationPeriod": query.period}


def _end(last: datetime) -> str:
    """The first hour that does not count any more."""
    whole = last if not (last.minute or last.second or last.microsecond) else last + _HOUR
    return f"{whole:%Y-%m-%dT%H}"


def slices(first: datetime, last: datetime, period: Period, zone: zoneinfo.ZoneInfo) -> list[datetime]:
    """When each hour, day or month begins that the range touches, in UTC; days and months are those of the zone."""
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
        here = start.astimezone(zone).replace(tzinfo=None)
        ahead = here + timedelta(days=1) if period == "day" else (here.replace(day=1) + timedelta(days=32))
        ahead = ahead.replace(hour=0) if period == "day" else ahead.replace(day=1, hour=0)
        start = ahead.replace(tzinfo=zone).astimezone(UTC)
    return found
