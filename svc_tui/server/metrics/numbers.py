"""The numbers of companies at this moment, counted from the records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.conditions import AtLeast, AtMost, In, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: How many companies one question to the database names.
_MOST_AT_ONCE = 500
_SINCE = {"dailyConnected": 1, "weeklyConnected": 7, "monthlyConnected": 30}
_NEW_DAYS = 30
#: What is counted of the users of a company, and written down of each day.
COUNTED = ("total", *_SINCE, "newUser", "registered", "activeUsers", "funnel")
_GROUPS = {"Enterprise": "enterpriseMax", "Business": "businessMax"}


async def users_of(store: Store, companies: Sequence[str], now: datetime) -> dict[str, Document]:
    """The `users` of each company: all, connected lately, new, registered."""
    found: dict[str, Document] = {id: dict.fromkeys(COUNTED, 0) for id in companies}
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = (In("companyId", companies[start : start + _MOST_AT_ONCE]), Not(Is("isTerminated", True)))
        questions = {"total": (), "registered": (Not(Is("lastLoginDate", None)),)} | {
            name: (AtLeast("lastLoginDate", stamp(now - timedelta(days=days))),) for name, days in _SINCE.items()
        }
        questions["newUser"] = (AtLeast("creationDate", stamp(now - timedelta(days=_NEW_DAYS))),)
        for name, where in questions.items():
            for id, count in (await store.users.count_by("companyId", *here, *where)).items():
                found[id][name] = count
    for users in found.values():
        users["activeUsers"] = users["monthlyConnected"]
        users["funnel"] = users["total"] - users["registered"]
    return found


async def licences_of(store: Store, companies: Sequence[str]) -> dict[str, Document]:
    """The `subscriptions` of each company: licences of the two profiles that are counted."""
    groups = {each["id"]: _GROUPS.get(str(each.get("groupName"))) for each in (await store.offers.find()).documents}
    found: dict[str, Document] = {id: dict.fromkeys(_GROUPS.values(), 0) for id in companies}
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = In("companyId", companies[start : start + _MOST_AT_ONCE])
        for each in (await store.subscriptions.find(here, Not(Is("status", "terminated")))).documents:
            if name := groups.get(each["offerId"]):
                found[each["companyId"]][name] += int(each.get("maxNumberUsers") or 0)
    return found


async def totals_by_day(store: Store, companies: Sequence[str], days: Sequence[date]) -> dict[date, int]:
    """How many users these companies had at the end of each day."""
    made: dict[str, int] = {}
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = In("companyId", companies[start : start + _MOST_AT_ONCE])
        for moment, count in (await store.users.count_by("creationDate", here, Not(Is("isTerminated", True)))).items():
            made[moment[:10]] = made.get(moment[:10], 0) + count
    return {day: sum(count for made_on, count in made.items() if made_on <= day.isoformat()) for day in days}


async def kept_of(store: Store, companies: Sequence[str], first: date, last: date) -> dict[str, Document]:
    """The `users` that were written down of these companies, added up by the day; both days included."""
    found: dict[str, list[Document]] = {}
    days = (AtLeast("date", first.isoformat()), AtMost("date", last.isoformat()))
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = In("companyId", companies[start : start + _MOST_AT_ONCE])
        for day, users in (await store.daily_stats.sums("date", "users", COUNTED, here, *days)).items():
            found.setdefault(day, []).append(users)
    return {day: added(parts) for day, parts in found.items()}


def added(parts: Sequence[Document]) -> Document:
    """Documents of numbers as one: numbers are added, inner documents too; of anything else the first is kept."""
    names: Document = {}
    for part in parts:
        names |= part
    # Name by name, not document by document: a partner has a hundred thousand of them.
    return {name: _together([part[name] for part in parts if name in part]) for name in names}


def _together(values: Sequence[Any]) -> Any:
    first = values[0]
    if isinstance(first, dict):
        return added([value for value in values if isinstance(value, dict)])
    if isinstance(first, bool) or not isinstance(first, int):
        return first
    return sum(value for value in values if isinstance(value, int))
