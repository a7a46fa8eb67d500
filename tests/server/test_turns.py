"""Jobs beside the requests: done by one of all processes, not forgotten when one is killed. Old records are removed."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from svc_tui.interface.dates import stamp
from svc_tui.server.authentication.retention import remove_expired
from svc_tui.server.directory import import_storage as report_retention
from svc_tui.server.metrics import company_numbers
from svc_tui.server.running.turns import in_turn, take_turn
from svc_tui.server.service import Service, service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.transaction import Transaction
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.held_writes import change_held
from tests.support.postgres import Postgres
from tests.support.turns import had_turn
from tests.support.world import World

HOUR = 3600.0


def machine(url: str, clock: SetClock, folder: Path) -> Service:
    """A machine with its own data folder, on a database that others use too."""
    return service_of(Settings(database_url=url, data_dir=folder, cheap_hashes=True), clock=clock)


class Work:
    """Something that takes time, and notes who did it."""

    def __init__(self) -> None:
        self.done = list[str]()
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()

    async def act(self) -> None:
        self.begun.set()
        await self.may_end.wait()
        self.done.append("once")


async def test_while_one_machine_is_at_a_job_the_others_leave_it_alone(
    postgres: Postgres, clock: SetClock, tmp_path: Path
) -> None:
    url = await postgres.fresh()
    here, there = (machine(url, clock, tmp_path / name) for name in ("here", "there"))
    work = Work()
    async with asyncio.timeout(20):
        first = asyncio.create_task(take_turn(here, "job", work.act, HOUR))
        await work.begun.wait()
        assert await take_turn(there, "job", work.act, HOUR) == 60
        assert await take_turn(there, "job", work.act, 5) == 5
        work.may_end.set()
        assert await first == HOUR
        assert await take_turn(there, "job", work.act, HOUR) == HOUR
        clock.forward(minutes=50)
        assert await take_turn(there, "job", work.act, HOUR) == 600
        assert work.done == ["once"]
        clock.forward(minutes=10)
        await take_turn(there, "job", work.act, HOUR)
        assert work.done == ["once", "once"]
    for each in (here, there):
        await each.database.close()


async def test_a_turn_ends_with_the_changes_of_its_unit(postgres: Postgres, clock: SetClock, tmp_path: Path) -> None:
    url, now = await postgres.fresh(), clock.now()
    here, there = (machine(url, clock, tmp_path / name) for name in ("here", "there"))
    async with here.database.unit() as store:
        assert await store.turns.due("job") is None
        assert await store.turns.take("job", now=now)
        # The first thing that a change does.
        await store.begin()
        async with there.database.unit() as other:
            assert not await other.turns.take("job", now=now)
    for each in (here, there):
        await each.database.close()


async def test_a_job_whose_machine_was_killed_is_taken_over(
    postgres: Postgres, clock: SetClock, tmp_path: Path
) -> None:
    url = await postgres.fresh()
    here, there = (machine(url, clock, tmp_path / name) for name in ("here", "there"))
    work = Work()
    async with asyncio.timeout(20):
        killed = asyncio.create_task(take_turn(here, "job", work.act, HOUR))
        await work.begun.wait()
        killed.cancel()
        await asyncio.wait({killed})
        work.may_end.set()
        await take_turn(there, "job", work.act, HOUR)
    assert work.done == ["once"]
    for each in (here, there):
        await each.database.close()


async def test_a_job_that_fails_stays_due_and_one_that_was_done_is_not_repeated_by_a_restart(
    database_url: str, clock: SetClock, tmp_path: Path
) -> None:
    before, after = (machine(database_url, clock, tmp_path) for _ in range(2))
    done = list[str]()

    async def fail() -> None:
        raise OSError

    async def act() -> None:
        done.append("act")

    with pytest.raises(OSError):
        await take_turn(before, "job", fail, HOUR)
    await take_turn(before, "job", act, HOUR)
    await take_turn(after, "job", act, HOUR)
    assert done == ["act"]
    await take_turn(after, "another", act, HOUR, immediately=False)
    assert done == ["act"]
    clock.forward(hours=1)
    await take_turn(after, "another", act, HOUR, immediately=False)
    assert done == ["act", "act"]
    for each in (before, after):
        await each.database.close()


async def test_a_job_is_looked_at_again_when_it_is_due(world: World, caplog: pytest.LogCaptureFixture) -> None:
    slept, enough, done = list[float](), asyncio.Event(), list[str]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        world.clock.forward(seconds=seconds)
        if len(slept) == 3:
            enough.set()
            await asyncio.Event().wait()

    async def act() -> None:
        done.append("act")
        if len(done) == 1:
            raise RuntimeError("secret")

    async with asyncio.timeout(20), in_turn(world.service, "job", act, HOUR, "it could not be done", sleep=sleep):
        await enough.wait()
    assert (slept, len(done)) == ([60, HOUR, HOUR], 3)
    assert [each.getMessage() for each in caplog.records if "done" in each.getMessage()] == [
        "it could not be done: RuntimeError"
    ]


async def test_a_job_ends_with_its_server_also_when_the_database_fails_at_that_moment(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    acting, rollback = asyncio.Event(), Transaction.rollback

    async def fail(self: Transaction) -> None:
        await rollback(self)
        raise OSError

    async def act() -> None:
        acting.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Transaction, "rollback", fail)
    async with asyncio.timeout(20), in_turn(world.service, "job", act, HOUR, "it could not be done"):
        await acting.wait()
    # It was not taken for a failure, after which the job continues.
    assert not [each for each in caplog.records if "done" in each.getMessage()]


@pytest.mark.parametrize("world", [{"statistics_retention_days": 30}], indirect=True)
async def test_counters_and_daily_numbers_are_removed_after_their_retention(world: World) -> None:
    await had_turn(world, "old statistics")
    async with world.service.database.unit() as store:
        await store.counters.add({("a", "2026-10-21T09", "users"): 1, ("a", "2026-10-21T10", "users"): 1})
        for date in ("2026-10-20", "2026-10-21"):
            await store.daily_stats.put({"id": f"c/{date}", "companyId": "c", "date": date})
    assert await company_numbers.remove_old(world.service) == 2
    async with world.service.database.unit() as store:
        assert [hour for hour, _, _ in await store.counters.between(["a"], "2026", "2027")] == ["2026-10-21T10"]
        assert [each["date"] for each in (await store.daily_stats.find()).documents] == ["2026-10-21"]


@pytest.mark.parametrize("world", [{"report_retention_days": 30}], indirect=True)
async def test_reports_are_removed_after_their_retention_unless_their_import_runs(world: World) -> None:
    await had_turn(world, "old import reports")
    old, recent = (stamp(world.clock.now() - timedelta(days=days)) for days in (31, 29))
    states = {"old": "Completed successfully", "running": "Creating", "recent": "Completed successfully"}
    async with world.service.database.unit() as store:
        for id, state in states.items():
            started = recent if id == "recent" else old
            await store.import_reports.put({"id": id, "state": state, "startTime": started})
            await store.imported_rows.put({"id": f"{id}/1", "report": id, "status": "created"})
    assert await report_retention.remove_old(world.service) == 1
    async with world.service.database.unit() as store:
        assert [each["id"] for each in (await store.import_reports.find()).documents] == ["recent", "running"]
        assert [each["report"] for each in (await store.imported_rows.find()).documents] == ["recent", "running"]


async def test_a_report_whose_import_begins_during_the_removal_stays(
    postgres: Postgres, clock: SetClock, tmp_path: Path
) -> None:
    url = await postgres.fresh(RUNNING)
    service = machine(url, clock, tmp_path)
    async with service.database.unit() as store:
        for id in ("again", "old"):
            await store.import_reports.put({"id": id, "state": "Completed successfully", "startTime": "2020-01-01"})
            await store.imported_rows.put({"id": f"{id}/1", "report": id, "status": "created"})
    async with change_held(
        url, f"UPDATE import_reports SET start_time = '{stamp(clock.now())}' WHERE id = 'again'"
    ) as at:
        removal = asyncio.create_task(report_retention.remove_old(service))
        await at(1, removal)
    assert await removal == 1
    async with service.database.unit() as store:
        assert await store.import_reports.ids() == ["again"]
        assert await store.imported_rows.ids() == ["again/1"]
    await service.database.close()


async def test_what_has_expired_is_removed(world: World) -> None:
    await had_turn(world, "expired records")
    now = world.clock.now()
    past, future = stamp(now - timedelta(seconds=1)), stamp(now + timedelta(seconds=1))
    async with world.service.database.unit() as store:
        for id, ends in (("past", past), ("future", future)):
            await store.login_guards.put({"id": id, "until": ends, "failures": 1, "locked": False})
            await store.trusted_applications.put({"id": id, "until": ends, "userId": "u", "appId": id})
            await store.oauth_tokens.put({"id": id, "expires": ends, "userId": "u", "appId": id, "refreshHash": id})
        for id, seconds in (("past", -1), ("future", 1)):
            expires = now + timedelta(seconds=seconds)
            await store.tickets.add("kind", id, now=now - timedelta(hours=1), expires=expires, document={})
        await store.trusted_applications.put({"id": "for good", "userId": "u", "appId": "x"})
    await remove_expired(world.service)
    async with world.service.database.unit() as store:
        for kind in (store.login_guards, store.oauth_tokens):
            assert [each["id"] for each in (await kind.find()).documents] == ["future"]
        assert [each["id"] for each in (await store.trusted_applications.find()).documents] == ["for good", "future"]
        assert await store.tickets.read("kind", "past", now=now - timedelta(hours=1)) is None
        assert await store.tickets.read("kind", "future", now=now) == {}
