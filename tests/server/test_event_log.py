"""The log of events: kept until it is acknowledged by every session that takes events, or too old; never reordered."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from unittest.mock import Mock

import pytest

from svc_tui.server.events.delivery import EventDelivery
from svc_tui.server.events.retention import remove_old
from svc_tui.server.events.session_registry import SessionRegistry
from svc_tui.server.store.database import Database
from svc_tui.server.store.events import Event
from tests.support.clock import SetClock
from tests.support.statements import statements
from tests.support.world import World


async def write(database: Database, clock: SetClock, *names: str, user: str = "jane") -> list[int]:
    """Deliver these events to the log of a user. Returns their numbers."""
    async with database.unit() as store:
        for name in names:
            await store.events.add(Event(name, (user,), {}), now=clock.now())
    await EventDelivery(database).deliver()
    async with database.unit() as store:
        return [number for number, _ in await store.events.log_of(user)]


async def left(database: Database, user: str = "jane") -> list[str]:
    async with database.unit() as store:
        return [document["name"] for _, document in await store.events.log_of(user)]


async def session(database: Database, clock: SetClock, resource: str, *, most: int = 5) -> bool:
    async with database.unit() as store:
        return await store.event_sessions.open(resource, "jane", resource, "p1", most=most, now=clock.now())


async def acknowledge(database: Database, id: str, number: int | None) -> bool:
    async with database.unit() as store:
        known = await store.event_sessions.acknowledge(id, number)
        await store.events.remove_acknowledged("jane")
        return known


async def test_every_event_has_an_id_of_its_own_that_all_recipients_share(database: Database, clock: SetClock) -> None:
    async with database.unit() as store:
        await store.events.add(Event("first", ("jane", "joe"), {}), now=clock.now())
        await store.events.add(Event("second", ("jane",), {}), now=clock.now())
    await EventDelivery(database).deliver()
    async with database.unit() as store:
        jane = [document["id"] for _, document in await store.events.log_of("jane")]
        joe = [document["id"] for _, document in await store.events.log_of("joe")]
    assert len(set(jane)) == 2
    assert joe == jane[:1]


async def test_an_event_stays_until_the_slowest_session_acknowledged_it(database: Database, clock: SetClock) -> None:
    first, second, _ = await write(database, clock, "first", "second", "third")
    assert await session(database, clock, "fast")
    assert await session(database, clock, "slow")
    assert await session(database, clock, "takes no events")
    await acknowledge(database, "slow", 0)
    await acknowledge(database, "fast", second)
    assert await left(database) == ["first", "second", "third"]
    await acknowledge(database, "slow", first)
    assert await left(database) == ["second", "third"]
    async with database.unit() as store:
        await store.event_sessions.close("slow")
    await acknowledge(database, "fast", second)
    assert await left(database) == ["third"]


async def test_events_of_other_users_are_not_removed(database: Database, clock: SetClock) -> None:
    await write(database, clock, "of joe", user="joe")
    numbers = await write(database, clock, "of jane")
    await session(database, clock, "one")
    await acknowledge(database, "one", numbers[-1])
    assert await left(database) == []
    assert await left(database, "joe") == ["of joe"]


async def test_a_session_with_the_same_resource_replaces_the_other(database: Database, clock: SetClock) -> None:
    async with database.unit() as store:
        assert await store.event_sessions.open("a", "jane", "console", "p1", most=1, now=clock.now())
        assert await store.event_sessions.open("b", "jane", "console", "p2", most=1, now=clock.now())
        assert not await store.event_sessions.open("c", "jane", "another", "p2", most=1, now=clock.now())
    assert not await acknowledge(database, "a", 1)
    assert await acknowledge(database, "b", 1)


async def test_the_sessions_of_a_process_that_was_killed_end_by_themselves(database: Database, clock: SetClock) -> None:
    await session(database, clock, "one")
    clock.forward(minutes=3)
    async with database.unit() as store:
        assert await store.event_sessions.open("two", "jane", "two", "p2", most=5, now=clock.now())
        assert await store.event_sessions.expire(clock.now() - timedelta(minutes=2)) == 1
        assert await store.event_sessions.seen("p1", now=clock.now()) == set()
        assert await store.event_sessions.seen("p2", now=clock.now()) == {"two"}


async def test_a_number_is_never_used_twice(database: Database, clock: SetClock) -> None:
    before = await write(database, clock, "first", "second")
    await session(database, clock, "one")
    await acknowledge(database, "one", before[-1])
    (after,) = await write(database, clock, "third")
    assert after > before[-1]


async def test_late_commits_are_delivered_too(database: Database, clock: SetClock) -> None:
    """On PostgreSQL, transactions that write events at the same time can commit in another order than they began."""
    if database.engine.dialect.name == "sqlite":
        assert await write(database, clock, "only one writer at a time") != []
        return
    async with database.unit() as late:
        await late.events.add(Event("late", ("jane",), {}), now=clock.now())
        await write(database, clock, "early")
        assert await left(database) == ["early"]
    await EventDelivery(database).deliver()
    assert await left(database) == ["early", "late"]


async def test_several_couriers_deliver_each_event_once(database: Database, clock: SetClock) -> None:
    async with database.unit() as store:
        for number in range(1200):
            await store.events.add(Event(str(number), ("jane",), {}), now=clock.now())
    assert sum(await asyncio.gather(*(EventDelivery(database).deliver() for _ in range(3)))) == 1200
    async with database.unit() as store:
        log = await store.events.log_of("jane", limit=5000)
    assert [document["name"] for _, document in log] == [str(number) for number in range(1200)]


async def test_an_error_does_not_end_the_delivery(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivery, failures = EventDelivery(database), [KeyError("id")]
    deliver, is_delivered = delivery.deliver, asyncio.Event()

    async def fail_once() -> int:
        if failures:
            raise failures.pop()
        return await deliver()

    monkeypatch.setattr(delivery, "deliver", fail_once)
    delivery.delivered = is_delivered.set
    async with database.unit() as store:
        await store.events.add(Event("first", ("jane",), {}), now=clock.now())
    async with asyncio.timeout(20), delivery.running():
        await delivery.settled()
        delivery.wake()
        await is_delivered.wait()
    assert await left(database) == ["first"]


@pytest.mark.parametrize("world", [{"event_retention_days": 7}], indirect=True)
async def test_events_for_a_user_who_never_connects_are_kept_for_their_retention(world: World) -> None:
    database = world.service.database
    await write(database, world.clock, "old")
    world.clock.forward(days=6)
    await write(database, world.clock, "new")
    assert await remove_old(world.service) == 0
    world.clock.forward(days=2)
    assert await remove_old(world.service) == 1
    assert await left(database) == ["new"]


async def test_a_new_process_begins_at_the_end_of_the_log(world: World) -> None:
    database, board = world.service.database, SessionRegistry(world.service)
    await write(database, world.clock, "old", "older")
    woken = asyncio.Event()
    board.add(Mock(user_id="jane", wake=woken.set))
    with statements(database) as sent:
        await board.look()
    # Beside who has lost access, the end of the log is asked for once, and its events are not read.
    (end,) = [each.sql for each in sent if "max(" in each.sql]
    assert "GROUP BY" not in end and not [each for each in sent if "event_log" in each.sql and each.sql != end]
    # What was delivered between its opening and this check is read by the session.
    assert woken.is_set()
    woken.clear()
    await board.look()
    assert not woken.is_set()
    await write(database, world.clock, "new")
    await board.look()
    assert woken.is_set()
