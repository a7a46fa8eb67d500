"""Imports on several machines: a long one is left alone, and one of a machine that is gone fails without a question."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.timestamps import stamp
from svc_tui.server.directory.importing import Imports
from svc_tui.server.presence import BEAT_SECONDS, SILENCE, Presence
from svc_tui.server.service import Service, service_of
from svc_tui.server.settings import Settings
from tests.server.directory.support import IMPORTS, admin, imported, names
from tests.server.directory.test_directory_imports import HEAD, Gate
from tests.support.clock import SetClock
from tests.support.postgres import Postgres
from tests.support.world import COMPANY, World, granted

REPORT = "company:c1:"
Document = dict[str, Any]


@pytest.fixture
async def service(postgres: Postgres, clock: SetClock, tmp_path: Path) -> AsyncIterator[Service]:
    """A machine on PostgreSQL."""
    made = service_of(Settings(database_url=await postgres.fresh(), data_dir=tmp_path, cheap_hashes=True), clock=clock)
    yield made
    await made.database.close()


async def lives(service: Service, process: str) -> bool:
    async with service.database.unit() as store:
        return await service.part(Presence).lives(store, process)


async def test_a_process_lives_for_other_machines_as_long_as_its_heartbeat(service: Service, clock: SetClock) -> None:
    other, beats, seen = Presence(service, "elsewhere"), asyncio.Queue[float](), list[bool]()

    async def sleep(seconds: float) -> None:
        clock.forward(seconds=seconds)
        seen.append(await lives(service, other.process))
        beats.put_nowait(seconds)
        if len(seen) == 50:
            await asyncio.Event().wait()

    async with asyncio.timeout(20), other.running(sleep):
        while len(seen) < 50:
            await beats.get()
        assert seen == [True] * 50
        clock.forward(seconds=SILENCE.total_seconds() - BEAT_SECONDS - 1)
        assert await lives(service, other.process)
        clock.forward(seconds=1)
        assert not await lives(service, other.process)
        await other.beat()
        assert await lives(service, other.process)
    # An orderly end is known at once.
    assert not await lives(service, other.process)


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
    other = Presence(service, "elsewhere")
    await other.beat()
    report = await running(service, other.process)
    await service.part(Imports).clear_all()
    async with service.database.unit() as store:
        assert await store.import_reports.get(REPORT) == report
        assert await store.directory_entries.count() == 1
    clock.forward(seconds=SILENCE.total_seconds())
    await service.part(Imports).clear_all()
    async with service.database.unit() as store:
        failed = await store.import_reports.get(REPORT)
        [reason] = (await store.imported_rows.find()).documents
        assert await store.directory_entries.count() == await store.directories.count() == 0
    assert failed is not None
    assert (failed["state"], failed["failed"]) == ("Completed with failure", 1)
    assert reason["errorDetails"] == "the service stopped during this import; the directory is unchanged"


@pytest.mark.parametrize(("grace", "ended"), [(30, "Completed successfully"), (0, "Completed with failure")])
async def test_a_server_that_stops_gives_an_import_a_while_to_end(
    world: World, monkeypatch: pytest.MonkeyPatch, grace: int, ended: str
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
    report = granted(await world.get(f"{IMPORTS}/{COMPANY}/report", by=by))["data"]
    assert report["state"] == ended
    assert await names(world, by) == (["New", "Newer"] if grace else [])
