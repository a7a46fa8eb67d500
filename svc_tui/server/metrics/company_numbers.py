"""Current and stored numbers of companies, counted from the records, stored daily because they cannot be counted from
later records, and removed after their retention.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import stamp
from svc_tui.interface.fields import field
from svc_tui.interface.metrics.records import CountedUsers
from svc_tui.interface.subscriptions.records import Subscription
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.hooks import background_job
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtLeast, AtMost, In, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


class UserNumbers(CountedUsers):
    """The users of a company: each number that is counted is there."""

    total: int = field(0)
    daily_connected: int = field(0)
    weekly_connected: int = field(0)
    monthly_connected: int = field(0)
    new_user: int = field(0)
    registered: int = field(0)
    active_users: int = field(0)
    funnel: int = field(0)


#: The most companies that one query names.
_MOST_AT_ONCE = 500
_SINCE = {"dailyConnected": 1, "weeklyConnected": 7, "monthlyConnected": 30}
_NEW_DAYS = 30
#: The numbers of a company's users, which are stored for each day.
COUNTED = ("total", *_SINCE, "newUser", "registered", "activeUsers", "funnel")
_GROUPS = {"Enterprise": "enterpriseMax", "Business": "businessMax"}


async def users_of(store: Store, companies: Sequence[str], now: datetime) -> dict[str, UserNumbers]:
    """The users of each company: all, connected recently, new, registered."""
    found = {id: typed(UserNumbers, dict.fromkeys(COUNTED, 0)) for id in companies}
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = (In("companyId", companies[start : start + _MOST_AT_ONCE]), Not(Is("isTerminated", True)))
        conditions = {"total": (), "registered": (Not(Is("lastLoginDate", None)),)} | {
            name: (AtLeast("lastLoginDate", stamp(now - timedelta(days=days))),) for name, days in _SINCE.items()
        }
        conditions["newUser"] = (AtLeast("creationDate", stamp(now - timedelta(days=_NEW_DAYS))),)
        for name, where in conditions.items():
            for id, count in (await store.users.count_by("companyId", *here, *where)).items():
                document_of(found[id])[name] = count
    for users in found.values():
        users.active_users = users.monthly_connected
        users.funnel = users.total - users.registered
    return found


async def licences_of(store: Store, companies: Sequence[str]) -> dict[str, Document]:
    """The licences of each company for the two profiles that are counted."""
    offers = all_typed(Offer, (await store.offers.find()).documents)
    groups = {offer.id: _GROUPS.get(offer.group_name or "") for offer in offers}
    found: dict[str, Document] = {id: dict.fromkeys(_GROUPS.values(), 0) for id in companies}
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = In("companyId", companies[start : start + _MOST_AT_ONCE])
        living = (await store.subscriptions.find(here, Not(Is("status", "terminated")))).documents
        for subscription in all_typed(Subscription, living):
            if subscription.company_id and (name := groups.get(subscription.offer_id)):
                found[subscription.company_id][name] += subscription.max_number_users or 0
    return found


async def totals_by_day(store: Store, companies: Sequence[str], days: Sequence[date]) -> dict[date, int]:
    """How many users these companies had at the end of each day."""
    created: dict[str, int] = {}
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = In("companyId", companies[start : start + _MOST_AT_ONCE])
        for moment, count in (await store.users.count_by("creationDate", here, Not(Is("isTerminated", True)))).items():
            created[moment[:10]] = created.get(moment[:10], 0) + count
    return {day: sum(count for created_on, count in created.items() if created_on <= day.isoformat()) for day in days}


async def stored_users_of(store: Store, companies: Sequence[str], first: date, last: date) -> dict[str, Document]:
    """The stored numbers of these companies' users, added up for each day; both days included."""
    found: dict[str, list[Document]] = {}
    days = (AtLeast("date", first.isoformat()), AtMost("date", last.isoformat()))
    for start in range(0, len(companies), _MOST_AT_ONCE):
        here = In("companyId", companies[start : start + _MOST_AT_ONCE])
        for day, users in (await store.daily_stats.sums("date", "users", COUNTED, here, *days)).items():
            found.setdefault(day, []).append(users)
    return {day: added(parts) for day, parts in found.items()}


def added(parts: Sequence[Document]) -> Document:
    """The sum of documents: numbers and inner documents are added, of other values the first is taken."""
    names: Document = {}
    for part in parts:
        names |= part
    # Field by field, not document by document: a partner has a hundred thousand of them.
    return {name: _sum([part[name] for part in parts if name in part]) for name in names}


def _sum(values: Sequence[Any]) -> Any:
    first = values[0]
    if isinstance(first, dict):
        return added([value for value in values if isinstance(value, dict)])
    if isinstance(first, bool) or not isinstance(first, int):
        return first
    return sum(value for value in values if isinstance(value, int))


#: Seconds between two removals.
_EVERY = 86_400.0


@background_job
def statistics_retention(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove old statistics for the length of a block."""
    act, failure = partial(remove_old, service), "old statistics could not be removed"
    return in_turn(service, "old statistics", act, _EVERY, failure, done="old counters and daily numbers removed")


async def remove_old(service: Service) -> int:
    """Remove the counters and daily numbers that are older than their retention. Returns how many there were."""
    limit = service.clock.now() - timedelta(days=service.settings.statistics_retention_days)
    async with service.database.unit() as store:
        count = await store.counters.remove_before(limit)
    async with service.database.unit() as store:
        return count + await store.daily_stats.remove_all(AtMost("date", f"{limit - timedelta(days=1):%Y-%m-%d}"))


#: Seconds between two rounds. The last round of a day leaves its numbers.
_PAUSE = 3600.0


class StatisticsCollector:
    """Of all processes one collects."""

    def __init__(self, service: Service) -> None:
        self._service, self._database, self._clock = service, service.database, service.clock

    async def collect(self) -> int:
        """Store the numbers of today. Returns the number of companies."""
        now = self._clock.now()
        async with self._database.unit() as store:
            ids = await store.companies.ids()
            users = await users_of(store, ids, now)
            day = now.date().isoformat()
            counted = [id for id in ids if users[id].total]
            await store.daily_stats.put_all(
                {"id": f"{id}/{day}", "companyId": id, "date": day, "users": document_of(users[id])} for id in counted
            )
        return len(counted)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Store the numbers every hour while the block runs."""
        failure = "statistics could not be collected"
        return in_turn(self._service, "statistics", self.collect, _PAUSE, failure, immediately=False)


@background_job
def collecting(service: Service) -> AbstractAsyncContextManager[None]:
    """Store the numbers of companies while the server runs."""
    return service.part(StatisticsCollector).running()
