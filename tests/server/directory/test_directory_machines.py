"""Imports on several machines: a long one is left alone, and one of a machine that is gone begins again in another."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from svc_tui.interface.dates import stamp
from svc_tui.server.directory import importing
from svc_tui.server.directory.import_storage import remove_unnamed
from svc_tui.server.directory.importing import Imports
from svc_tui.server.running import heartbeat
from svc_tui.server.running.heartbeat import BEAT_SECONDS, SILENCE, Heartbeat
from svc_tui.server.service import Service, service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.contents import IMPORT_FILES
from svc_tui.server.store.store import Store
from tests.server.directory.support import IMPORTS, admin, imported, names, sent
from tests.server.directory.test_directory_imports import HEAD, Gate
from tests.support.clock import SetClock
from tests.support.postgres import Postgres
from tests.support.world import COMPANY, World, granted, refused

REPORT = "company:c1:"
REPORT_ID = f"company:{COMPANY}:"
Document = dict[str, Any]


@pytest.fixture
async def service(postgres: Postgres, clock: SetClock, tmp_path: Path) -> AsyncIterator[Service]:
    """A machine on PostgreSQL."""
    made = service_of(Settings(database_url=await postgres.fresh(), data_dir=tmp_path, cheap_hashes=True), clock=clock)
    yield made
    await made.database.close()


async def is_process_alive(service: Service, process: str) -> bool:
    async with service.database.unit() as store:
        return await service.part(Heartbeat).is_process_alive(store, process)


async def test_a_process_counts_as_alive_for_other_machines_while_its_heartbeat_is_recent(
    service: Service, clock: SetClock
) -> None:
    other, beats, seen = Heartbeat(service, "elsewhere"), asyncio.Queue[float](), list[bool]()

    async def sleep(seconds: float) -> None:
        clock.forward(seconds=seconds)
        seen.append(await is_process_alive(service, other.process))
        beats.put_nowait(seconds)
        if len(seen) == 50:
            await asyncio.Event().wait()

    async with asyncio.timeout(20), other.running(sleep):
        while len(seen) < 50:
            await beats.get()
        assert seen == [True] * 50
        clock.forward(seconds=SILENCE.total_seconds() - BEAT_SECONDS - 1)
        assert await is_process_alive(service, other.process)
        clock.forward(seconds=1)
        assert not await is_process_alive(service, other.process)
        await other.record_heartbeat()
        assert await is_process_alive(service, other.process)
    # An orderly end is known immediately.
    assert not await is_process_alive(service, other.process)


async def running(service: Service, process: str) -> Document:
    """An import that began 20 minutes ago and has not said anything since, with the directory that it fills."""
    began = stamp(service.clock.now() - timedelta(minutes=20))
    report = {"id": REPORT, "companyId": "c1", "state": "Creating", "startTime": began, "lastUpdate": began}
    async with service.database.unit() as store:
        await store.directories.put({"id": "d1", "companyId": "c1", "live": False, "creationDate": began})
        await store.directory_entries.put({"id": "e1", "directory": "d1", "lastName": "New"})
        return await store.import_reports.put({**report, "process": process, "directory": "d1"})


async def test_a_long_import_of_another_machine_continues_until_its_heartbeat_ends(
    service: Service, clock: SetClock
) -> None:
    other = Heartbeat(service, "elsewhere")
    await other.record_heartbeat()
    report = await running(service, other.process)
    await service.part(Imports).adopt_all()
    async with service.database.unit() as store:
        assert await store.import_reports.get(REPORT) == report
        assert await store.directory_entries.count() == 1
    clock.forward(seconds=SILENCE.total_seconds())
    await service.part(Imports).adopt_all()
    async with service.database.unit() as store:
        failed = await store.import_reports.get(REPORT)
        [reason] = (await store.imported_rows.find()).documents
        assert await store.directory_entries.count() == await store.directories.count() == 0
    assert failed is not None
    assert (failed["state"], failed["failed"]) == ("Completed with failure", 1)
    # It has no file: an earlier version of the service began it.
    assert reason["errorDetails"] == "the service stopped during this import; the directory is unchanged"


@asynccontextmanager
async def another_process(world: World) -> AsyncIterator[Imports]:
    """The imports of another process on the same database."""
    other = service_of(world.service.settings, clock=world.clock)
    try:
        yield other.part(Imports)
    finally:
        await other.database.close()


def lose(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let others take the process of the world for dead. It is not, which must do no harm."""
    monkeypatch.setattr(heartbeat, "_HERE", heartbeat._HERE - {world.service.part(Heartbeat).process})


async def is_alone(world: World) -> bool:
    """Whether nothing is left of an import but its report and the one directory."""
    async with world.service.database.unit() as store:
        files = await store.rows(select(func.count()).select_from(IMPORT_FILES))
        return await store.directories.count() == 1 and [tuple(row) for row in files] == [(0,)]


async def test_an_import_of_a_lost_process_begins_again_in_another_one_and_is_applied_once(
    world_on_both: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, by = world_on_both, await admin(world_on_both)
    await imported(world, by, HEAD + "Ann;Old;;\n")
    gate = Gate(monkeypatch)
    await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n;;;nickname\n")
    await gate.reached.wait()
    lose(world, monkeypatch)
    async with another_process(world) as other:
        await asyncio.gather(other.adopt_all(), other.adopt_all())
        report = await world.stored("import_reports", f"company:{COMPANY}:")
        assert (report["process"], report["lost"]) == (other.process, 1)
        assert await names(world, by) == ["Old"]
        gate.open.set()
        await other.wait_for(f"company:{COMPANY}:")
        await world.service.part(Imports).wait_for(f"company:{COMPANY}:")
        report = granted(await world.get(f"{IMPORTS}/{COMPANY}/report", by=by))["data"]
        assert (report["state"], report["created"], report["failed"]) == ("Completed with failure", 2, 1)
        assert list(report["report"]) == ["entry3"]
        assert await names(world, by) == ["New", "Newer"]
        assert await is_alone(world)
        await other.adopt_all()
        assert await names(world, by) == ["New", "Newer"]


async def test_leftovers_of_lost_processes_are_removed_and_running_imports_are_kept(
    world_on_both: World, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, by = world_on_both, await admin(world_on_both)
    await imported(world, by, HEAD + "Ann;Old;;\n")
    gate = Gate(monkeypatch)
    await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
    await gate.reached.wait()
    async with world.service.database.unit() as store:
        created = stamp(world.clock.now())
        await store.directories.put({"id": "d1", "companyId": COMPANY, "live": False, "creationDate": created})
        await store.directory_entries.put({"id": "e1", "directory": "d1", "lastName": "Left"})
        await store.import_files.add("f1", 0, b"left", now=world.clock.now())
    world.clock.forward(days=2)
    await remove_unnamed(world.service)
    async with world.service.database.unit() as store:
        assert await store.import_files.block("f1", 0) is None
        assert await store.directories.get("d1") is await store.directory_entries.get("e1") is None
    gate.open.set()
    await world.service.part(Imports).wait_for(REPORT_ID)
    assert await names(world, by) == ["New", "Newer"]
    assert await is_alone(world)


async def test_an_import_that_loses_three_processes_fails(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    by = await admin(world)
    gate = Gate(monkeypatch)
    await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
    await gate.reached.wait()
    report = await world.stored("import_reports", f"company:{COMPANY}:")
    async with world.service.database.unit() as store:
        await store.import_reports.put({**report, "lost": 2})
    lose(world, monkeypatch)
    async with another_process(world) as other:
        await other.adopt_all()
    gate.open.set()
    await world.service.part(Imports).wait_for(f"company:{COMPANY}:")
    failed = granted(await world.get(f"{IMPORTS}/{COMPANY}/report", by=by))["data"]
    assert failed["state"] == "Completed with failure"
    assert "ended 3 times during this import" in failed["report"]["entry0"]["errorDetails"]
    assert await names(world, by) == []


async def test_a_reused_process_number_does_not_count_as_the_old_process(service: Service) -> None:
    machine, _, token = service.part(Heartbeat).process.split(":", 2)
    began, _, name = token.partition("-")
    assert await is_process_alive(service, f"{machine}:{os.getppid()}:-{name}")
    assert not await is_process_alive(service, f"{machine}:{os.getppid()}:{int(began) + 1}-{name}")
    # An earlier version, which does not say when it began.
    assert await is_process_alive(service, f"{machine}:{os.getppid()}:{name}")


@pytest.mark.parametrize("grace", [30, 0])
async def test_a_server_that_stops_gives_an_import_a_while_to_end_and_then_to_another_server(
    world: World, monkeypatch: pytest.MonkeyPatch, grace: int
) -> None:
    by, imports = await admin(world), world.service.part(Imports)
    world.service.settings.grace_seconds = grace
    gate = Gate(monkeypatch)

    async def open_when_stopping() -> None:
        await imports.stopping.wait()
        if grace:
            gate.open.set()

    async with imports.running():
        await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
        await gate.reached.wait()
        opening = asyncio.create_task(open_when_stopping())
    await opening
    path = f"{IMPORTS}/{COMPANY}/report"
    if not grace:
        assert granted(await world.get(path, by=by))["data"]["state"] == "Initializing"
        assert await names(world, by) == []
        gate.open.set()
        async with another_process(world) as other:
            await other.adopt_all()
            await other.wait_for(f"company:{COMPANY}:")
    report = granted(await world.get(path, by=by))["data"]
    assert (report["state"], report["created"]) == ("Completed successfully", 2)
    assert await names(world, by) == ["New", "Newer"]
    assert await is_alone(world)


async def test_an_import_that_is_refused_does_not_begin_the_running_one_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, imports = await admin(world), world.service.part(Imports)
    gate = Gate(monkeypatch)
    await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
    await gate.reached.wait()
    refused(await sent(world, by, HEAD + "C;Other;;\n"), 409000)
    await imports.adopt_all()
    gate.open.set()
    await imports.wait_for(REPORT_ID)
    assert "lost" not in await world.stored("import_reports", REPORT_ID)
    assert await names(world, by) == ["New", "Newer"]
    assert await is_alone(world)


async def test_an_import_can_follow_while_the_one_before_still_removes_what_it_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, imports = await admin(world), world.service.part(Imports)
    await imported(world, by, HEAD + "Ann;Old;;\n")
    removing, may_remove, remove = asyncio.Event(), asyncio.Event(), Imports._remove_unless_live

    async def slow(self: Imports, directory_id: str) -> None:
        removing.set()
        await may_remove.wait()
        await remove(self, directory_id)

    monkeypatch.setattr(Imports, "_remove_unless_live", slow)
    monkeypatch.setattr(importing, "PATIENCE", 0)
    await imported(world, by, HEAD + "Ann;Next;;\n")
    await removing.wait()
    first = imports._tasks[REPORT_ID]
    gate = Gate(monkeypatch)
    await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
    await gate.reached.wait()
    may_remove.set()
    await asyncio.wait({first})
    await imports.adopt_all()
    gate.open.set()
    await imports.wait_for(REPORT_ID)
    assert await names(world, by) == ["New", "Newer"]
    assert await is_alone(world)


async def test_an_import_whose_request_ends_when_it_is_stored_is_not_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, imports, commit = await admin(world), world.service.part(Imports), Store.commit

    async def ended(self: Store) -> None:
        await commit(self)
        if imports._accepted:
            raise asyncio.CancelledError

    with monkeypatch.context() as patched, pytest.raises(asyncio.CancelledError):
        patched.setattr(Store, "commit", ended)
        await imported(world, by, HEAD + "A;New;;\n")
    await imports.adopt_all()
    await imports.wait_for(REPORT_ID)
    assert await names(world, by) == ["New"]
    assert await is_alone(world)
