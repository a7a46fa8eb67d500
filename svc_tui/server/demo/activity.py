"""Simulated activity in the demo service: deployments are completed, tokens are renewed, calls are recorded."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial

from svc_tui.interface.dates import stamp
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT, account
from svc_tui.server.demo.area import DemoEvent, demo_areas
from svc_tui.server.demo.companies import GROUP
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Condition, ContainsAny, In, Is, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredSubscription
from svc_tui.server.subscriptions.licence_counts import assigned_licences
from svc_tui.server.subscriptions.records import notify, start_synchronisation
from svc_tui.server.subscriptions.synchroniser import synchroniser_of

#: The companies whose subscriptions are synchronised: those of the default account and of its group of customers.
_SYNCHRONISED = (DEFAULT_ACCOUNT.company_id, *(id_of("company", key) for key in GROUP))
#: The companies whose applications change.
_DEVELOPING = (DEFAULT_ACCOUNT.company_id, account("company_admin").company_id)
#: With more free licences than this, one is removed.
_MOST_FREE = 9
#: Next status of an application's subscription, for statuses that change.
_NEXT_STATUS = {"creating": "active", "alerting": "active", "terminating": "terminated", "unknown": "active"}


@asynccontextmanager
async def moving(service: Service) -> AsyncIterator[None]:
    """Simulate an event every `settings.demo_activity` seconds for the length of a block; none if the setting is 0.

    Of all processes one does it.
    """
    interval = service.settings.demo_activity
    if not interval:
        yield
        return
    act = partial(simulate_event, service, random.Random("svc demo"))
    async with in_turn(service, "demo activity", act, interval, "demo activity failed", immediately=False):
        yield


async def simulate_event(service: Service, chance: random.Random) -> str:
    """Simulate one event in the demo companies; return its name, empty if no event was possible."""
    weighted = _events()
    first = chance.choices([event for event, _ in weighted], weights=[weight for _, weight in weighted])[0]
    for event in (first, _tokens_renewed):
        async with service.database.unit() as store:
            done = await event(store, service, chance)
        if done:
            service.event_delivery.wake()
            service.part(synchroniser_of).wake()
            return event.__name__.strip("_")
    return ""


async def _deployment_finished(store: Store, service: Service, chance: random.Random) -> bool:
    def deployed(application: Document) -> Document:
        reason = {"deployReason": "Reviewed", "deployedByUserId": account("app_superadmin").id}
        return {**application, "env": "deployed", "dateOfDeployment": stamp(service.clock.now()), **reason}

    return await _change_one(store, chance, deployed, Is("env", "in_deployment"))


async def _deployment_requested(store: Store, service: Service, chance: random.Random) -> bool:
    def requested(application: Document) -> Document:
        return {**application, "env": "in_deployment", "dateOfDeploymentRequest": stamp(service.clock.now())}

    return await _change_one(store, chance, requested, Is("env", "not_deployed"), In("state", ("new", "active")))


async def _first_login(store: Store, service: Service, chance: random.Random) -> bool:
    def woken(application: Document) -> Document:
        return {**application, "state": "active", "dateOfLastTokenWhenRenew": stamp(service.clock.now())}

    return await _change_one(store, chance, woken, Is("state", "new"), Is("env", "deployed"))


async def _subscription_moved(store: Store, service: Service, chance: random.Random) -> bool:
    def moved(application: Document) -> Document:
        subscriptions = [
            {**each, "status": _NEXT_STATUS.get(each["status"], each["status"])}
            for each in application["subscriptions"]
        ]
        statuses = [each["status"] for each in subscriptions]
        return {**application, "subscriptions": subscriptions, "subscriptionStatus": statuses}

    return await _change_one(store, chance, moved, ContainsAny("subscriptionStatus", tuple(_NEXT_STATUS)))


async def _tokens_renewed(store: Store, service: Service, chance: random.Random) -> bool:
    def used(application: Document) -> Document:
        return {**application, "dateOfLastTokenWhenRenew": stamp(service.clock.now())}

    return await _change_one(store, chance, used, Is("state", "active"), Is("env", "deployed"))


async def _subscription_synchronised(store: Store, service: Service, chance: random.Random) -> bool:
    """A licence is added, or an unassigned licence is removed: a synchronisation with the billing systems starts."""
    where = (In("companyId", _SYNCHRONISED), Is("status", "active"))
    active = all_typed(StoredSubscription, (await store.subscriptions.find(*where)).documents)
    monthly = [each for each in active if each.business_model == "nb_users" and not each.prepaid_duration]
    if not monthly:
        return False
    id = chance.choice(monthly).id
    await store.lock(f"subscription:{id}")
    subscription = typed(StoredSubscription, await store.subscriptions.get(id))
    if subscription is None or subscription.sync_ongoing or subscription.status != "active":
        return False
    company = typed(StoredCompany, await store.companies.get(subscription.company_id))
    if company is None:
        return False
    seats, now = subscription.max_number_users or 0, service.clock.now()
    free = seats - (await assigned_licences(store, [company.id]))[id]
    changed = copied(subscription)
    changed.max_number_users = seats - 1 if free > _MOST_FREE else seats + 1
    started = await start_synchronisation(changed, "update", {"maxNumberUsers": seats}, service.billing, now)
    await store.subscriptions.put(document_of(started))
    await notify(store, "update", started, company, now)
    return True


async def _change_one(
    store: Store, chance: random.Random, change: Callable[[Document], Document], *where: Condition
) -> bool:
    """Change one application of the demo companies that meets all conditions; False if there is none."""
    where = (Related("ownerId", "users", In("companyId", _DEVELOPING)), *where)
    total = await store.applications.count(*where)
    if not total:
        return False
    found = (await store.applications.find(*where, limit=1, offset=chance.randrange(total))).documents
    id = found[0]["id"]
    # Another request may be changing it: wait for its end, and check again.
    await store.lock(f"application:{id}")
    application = await store.applications.one(Is("id", id), *where)
    if application is None:
        return False
    await store.applications.put(change(application))
    return True


_WEIGHTED: tuple[tuple[DemoEvent, int], ...] = (
    (_tokens_renewed, 12),
    (_deployment_finished, 3),
    (_deployment_requested, 2),
    (_subscription_moved, 2),
    (_subscription_synchronised, 2),
    (_first_login, 1),
)


@cache
def _events() -> tuple[tuple[DemoEvent, int], ...]:
    """All events with their weights, those of areas last."""
    return (*_WEIGHTED, *(event for area in demo_areas() for event in area.events))
