"""Events: written with their change, delivered to each recipient once and in order."""

from __future__ import annotations

import asyncio

from svc_tui.server.events.delivery import EventDelivery
from svc_tui.server.store.database import Database
from svc_tui.server.store.events import Event
from tests.support.clock import SetClock
from tests.support.world import World


async def tell(database: Database, clock: SetClock, name: str, *recipients: str) -> None:
    async with database.unit() as store:
        await store.events.add(Event(name, recipients, {"about": name}), now=clock.now())


async def told(database: Database, user: str, after: int = 0) -> list[str]:
    async with database.unit() as store:
        return [document["name"] for _, document in await store.events.log_of(user, after=after)]


async def test_each_recipient_gets_each_event_once_and_in_order(database: Database, clock: SetClock) -> None:
    for name in ("first", "second"):
        await tell(database, clock, name, "jane", "joe")
    await tell(database, clock, "third", "joe")
    delivery = EventDelivery(database)
    assert await delivery.deliver() == 3
    assert await delivery.deliver() == 0
    assert await told(database, "jane") == ["first", "second"]
    assert await told(database, "joe") == ["first", "second", "third"]


async def test_events_before_a_number_are_left_out(database: Database, clock: SetClock) -> None:
    await tell(database, clock, "first", "jane")
    await tell(database, clock, "second", "jane")
    await EventDelivery(database).deliver()
    async with database.unit() as store:
        (number, first), _ = await store.events.log_of("jane")
    id = first.pop("id")
    assert len(id) == 24
    assert first == {"name": "first", "content": {"about": "first"}, "created": "2026-11-20T10:00:00.000Z"}
    assert await told(database, "jane", after=number) == ["second"]


async def test_events_of_an_earlier_process_are_delivered_at_the_start(world: World) -> None:
    database = world.service.database
    await world.service.event_delivery.settled()
    await tell(database, world.clock, "left behind", "jane")
    assert await told(database, "jane") == []
    delivery = EventDelivery(database)
    async with delivery.running():
        await delivery.settled()
        assert await told(database, "jane") == ["left behind"]


async def test_events_left_by_another_machine_are_delivered_while_this_one_runs(
    database: Database, clock: SetClock
) -> None:
    delivery, delivered = EventDelivery(database, look_seconds=0.01), asyncio.Event()
    delivery.delivered = delivered.set
    async with asyncio.timeout(20), delivery.running():
        await delivery.settled()
        await tell(database, clock, "left behind", "jane")
        await delivered.wait()
    assert await told(database, "jane") == ["left behind"]


async def test_the_events_of_a_change_are_delivered_automatically(world: World) -> None:
    delivery, database = world.service.event_delivery, world.service.database
    await delivery.settled()
    await tell(database, world.clock, "change", "jane")
    delivery.wake()
    await delivery.settled()
    assert await told(database, "jane") == ["change"]
