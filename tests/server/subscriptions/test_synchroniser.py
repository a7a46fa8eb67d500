"""Synchronisations: success, failure, after a restart, once with several servers (3, 6)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from svc_tui.interface.dates import stamp
from svc_tui.server.billing.interface import SyncResult
from svc_tui.server.billing.simulator import Simulator
from svc_tui.server.clock import SystemClock
from svc_tui.server.settings import Settings
from svc_tui.server.store.database import Database
from svc_tui.server.stored import StoredSubscription
from svc_tui.server.subscriptions.synchroniser import Synchroniser, synchroniser_of
from tests.server.subscriptions.support import (
    MONTHLY,
    PREPAID,
    change,
    events_of,
    finance,
    furnished,
    offer_id,
    subscribed,
    subscriptions_of,
    synchronised,
)
from tests.support.clock import SetClock
from tests.support.postgres import Postgres
from tests.support.world import COMPANY, World, granted, refused

Document = dict[str, Any]


async def updated(world: World, by: Document, made: Document, **values: Any) -> Document:
    """The answer to an update, during its synchronisation."""
    path = subscriptions_of(made["companyId"], made["id"])
    data: Document = granted(await world.put(path, by=by, json=values))["data"]
    return data


def running(id: str, due: datetime) -> Document:
    """A subscription during its creation."""
    waiting = {"status": "creating", "syncOngoing": True, "syncAction": "create", "syncDue": stamp(due)}
    return {"id": id, "companyId": COMPANY, "offerId": offer_id(MONTHLY), **waiting}


async def stored(database: Database, document: Document) -> Document:
    """A subscription written directly to the store."""
    async with database.unit() as store:
        return await store.subscriptions.put(document)


async def status_of(database: Database, id: str) -> str:
    """The status of a subscription as it is stored."""
    async with database.unit() as store:
        found = await store.subscriptions.get(id)
    assert found is not None
    return str(found["status"])


async def all_settled(synchroniser: Synchroniser) -> None:
    """Wait until all due synchronisations are settled; fail when the synchroniser has stopped."""
    await asyncio.wait_for(synchroniser.wait_until_idle(), 20)


def of(world: World, **settings: Any) -> Synchroniser:
    """The synchroniser of another process on the same database."""
    service = world.service
    return Synchroniser(service.database, service.clock, Simulator(Settings(**settings)), service.event_delivery.wake)


@pytest.mark.parametrize("world", [{"billing_fails": ["update"]}], indirect=True)
async def test_a_failed_update_restores_the_previous_values(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, autoRenew=True)
    data = await updated(world, seller, made, maxNumberUsers=15, autoRenew=False, promoCode="WELCOME10")
    assert (data["maxNumberUsers"], data["autoRenew"]) == (15, False)
    await synchronised(world)
    assert await world.stored("subscriptions", made["id"]) == made
    first, last = await events_of(world, seller)
    assert (first["maxNumberUsers"], first["syncOngoing"]) == (15, True)
    assert (last["maxNumberUsers"], last["syncOngoing"], last["status"]) == (10, False, "active")


@pytest.mark.parametrize("world", [{"billing_fails": ["create:business"]}], indirect=True)
async def test_a_failed_purchase_has_its_status_and_can_be_repeated(world: World, seller: Document) -> None:
    body = {"offerId": offer_id(MONTHLY)}
    made = granted(await world.post(subscriptions_of(), by=seller, json=body))["data"]
    await synchronised(world)
    stored = await world.stored("subscriptions", made["id"])
    assert (stored["status"], stored["syncOngoing"]) == ("failed", False)
    assert [each["status"] for each in await events_of(world, seller)] == ["creating", "failed"]
    again = granted(await world.post(subscriptions_of(), by=seller, json=body))["data"]
    assert again["id"] != made["id"]
    other = granted(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(PREPAID)}))["data"]
    await synchronised(world)
    assert (await world.stored("subscriptions", other["id"]))["status"] == "active"


async def test_synchronisations_of_an_earlier_process_are_settled_at_the_start(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await updated(world, seller, made, maxNumberUsers=12)
    world.clock.forward(seconds=60)
    synchroniser = of(world)
    async with synchroniser.running():
        await all_settled(synchroniser)
        assert (await world.stored("subscriptions", made["id"]))["syncOngoing"] is False


async def test_several_servers_settle_each_synchronisation_once(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    by = await finance(world)
    for key in (MONTHLY, PREPAID):
        await updated(world, by, await subscribed(world, key), maxNumberUsers=12)
    world.clock.forward(seconds=60)
    counts = await asyncio.gather(*(of(world).complete_due() for _ in range(3)))
    assert sum(counts) <= 2
    await synchronised(world)
    ongoing = [each["syncOngoing"] for each in await events_of(world, by)]
    assert sorted(ongoing) == [False, False, True, True]


async def test_a_subscription_that_another_machine_has_locked_does_not_delay_the_others(
    postgres: Postgres, clock: SetClock
) -> None:
    database = Database(await postgres.fresh())
    for id in ("5a" * 12, "5b" * 12):
        await stored(database, running(id, clock.now()))
    synchroniser = Synchroniser(database, clock, Simulator(Settings()), lambda: None)
    async with asyncio.timeout(20):
        async with database.unit() as other:
            await other.lock(f"subscription:{'5a' * 12}")
            assert await synchroniser.complete_due() == 1
            assert await status_of(database, "5b" * 12) == "active"
        async with synchroniser.running():
            await synchroniser.wait_until_idle()
    assert await status_of(database, "5a" * 12) == "active"
    await database.close()


async def test_a_purchase_wakes_the_synchroniser(world: World, seller: Document) -> None:
    await world.service.part(synchroniser_of).wait_until_idle()
    waiting = await stored(world.service.database, running("5a" * 12, world.clock.now()))
    granted(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(PREPAID)}))
    await world.service.part(synchroniser_of).wait_until_idle()
    assert await status_of(world.service.database, waiting["id"]) == "active"


async def test_a_due_synchronisation_is_settled_without_a_request(world: World) -> None:
    settled = asyncio.Event()
    due = datetime.now(UTC) + timedelta(milliseconds=200)
    waiting = await stored(world.service.database, running("5a" * 12, due))
    synchroniser = Synchroniser(world.service.database, SystemClock(), Simulator(Settings()), settled.set)
    async with synchroniser.running():
        await asyncio.wait_for(settled.wait(), 20)
    assert await status_of(world.service.database, waiting["id"]) == "active"


class Slow(Simulator):
    """Billing systems that do not respond at first, and then have no result yet."""

    def __init__(self) -> None:
        super().__init__(Settings())
        self.asked = 0

    async def sync_result(self, action: Any, subscription: StoredSubscription, now: datetime) -> SyncResult:
        self.asked += 1
        if self.asked == 1:
            raise ConnectionError("no connection")
        if self.asked == 2:
            return SyncResult("running", now + timedelta(minutes=1))
        return await super().sync_result(action, subscription, now)


async def test_billing_systems_that_do_not_answer_are_asked_again(world: World) -> None:
    billing, database = Slow(), world.service.database
    waiting = await stored(database, running("5a" * 12, world.clock.now()))
    synchroniser = Synchroniser(database, world.clock, billing, world.service.event_delivery.wake)
    async with synchroniser.running():
        await all_settled(synchroniser)
        assert await status_of(database, waiting["id"]) == "creating"
        for status in ("creating", "active"):
            world.clock.forward(seconds=60)
            synchroniser.wake()
            await all_settled(synchroniser)
            assert await status_of(database, waiting["id"]) == status
    assert billing.asked == 3


class Unready(Simulator):
    """Billing systems without a result, which count the requests."""

    asked = 0

    async def sync_result(self, action: Any, subscription: StoredSubscription, now: datetime) -> SyncResult:
        self.asked += 1
        return SyncResult("running", now + timedelta(minutes=1))


async def test_a_synchronisation_postponed_by_another_server_is_not_repeated(world: World) -> None:
    database, billing = world.service.database, Unready(Settings())
    await stored(database, running("5a" * 12, world.clock.now()))
    servers = [Synchroniser(database, world.clock, billing, world.service.event_delivery.wake) for _ in range(3)]
    assert await asyncio.gather(*(each.complete_due() for each in servers)) == [0, 0, 0]
    assert billing.asked == 1


class Particular(Simulator):
    """Billing systems that do not know one subscription."""

    async def sync_result(self, action: Any, subscription: StoredSubscription, now: datetime) -> SyncResult:
        if subscription.id == "5a" * 12:
            raise KeyError(subscription.id)
        return await super().sync_result(action, subscription, now)


async def test_a_failing_synchronisation_blocks_no_other(world: World) -> None:
    database, now = world.service.database, world.clock.now()
    for id in ("5a" * 12, "5b" * 12):
        await stored(database, running(id, now))
    synchroniser = Synchroniser(database, world.clock, Particular(Settings()), world.service.event_delivery.wake)
    async with synchroniser.running():
        for _ in range(2):
            synchroniser.wake()
            await all_settled(synchroniser)
    assert [await status_of(database, id) for id in ("5a" * 12, "5b" * 12)] == ["creating", "active"]


async def test_a_subscription_deleted_during_its_synchronisation_blocks_no_other(
    world: World, seller: Document
) -> None:
    made = await subscribed(world)
    await updated(world, seller, made, maxNumberUsers=12)
    await change(world, "subscriptions", made["id"], companyId="ff" * 12)
    other = await stored(world.service.database, running("5a" * 12, world.clock.now()))
    await synchronised(world)
    assert await status_of(world.service.database, other["id"]) == "active"
    refused(await world.get(subscriptions_of(COMPANY, made["id"]), by=seller), 404000)
