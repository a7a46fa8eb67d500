"""Health addresses: alive without the database; ready only with it, and neither while migrating nor while stopping."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from svc_tui.server.http.health import LIVE, READY, Health, prepare_alive
from tests.support.process import serving
from tests.support.world import World


async def answers(world: World) -> tuple[int, int, str]:
    """The status of both addresses, and the reason of the second one."""
    live, ready = await world.get(LIVE), await world.get(READY)
    return live.status_code, ready.status_code, ready.json()["status"]


async def test_a_running_server_is_ready(world_on_both: World, caplog: pytest.LogCaptureFixture) -> None:
    assert await answers(world_on_both) == (200, 200, "ready")
    assert not [record for record in caplog.records if "/health/" in record.getMessage()]


async def test_a_server_whose_database_does_not_respond_is_alive_and_not_ready(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> bool:
        raise OSError("no route")

    monkeypatch.setattr(world.service.database, "is_upgrading", fail)
    assert await answers(world) == (200, 503, "the database does not respond")


async def test_a_server_is_not_ready_while_another_machine_migrates(world_on_both: World) -> None:
    database = world_on_both.service.database
    if database.engine.dialect.name == "sqlite":
        assert not await database.is_upgrading()
        return
    async with database.engine.begin() as other:
        await other.execute(text("SELECT pg_advisory_xact_lock(7305)"))
        assert await answers(world_on_both) == (200, 503, "migrating")
    assert await answers(world_on_both) == (200, 200, "ready")


async def test_others_stay_ready_while_a_server_starts_that_has_nothing_to_upgrade(world_on_both: World) -> None:
    database = world_on_both.service.database
    async with database.engine.begin() as other:
        if other.dialect.name == "postgresql":
            # As a health check does. The lock of an upgrade would wait for it, and hold up all further checks.
            await other.execute(text("SELECT pg_advisory_xact_lock_shared(7305)"))
        async with asyncio.timeout(20):
            await database.upgrade()
        assert await answers(world_on_both) == (200, 200, "ready")


async def test_a_server_that_stops_is_not_ready(world: World) -> None:
    world.service.part(Health).stopping = True
    assert await answers(world) == (200, 503, "stopping")


async def test_while_a_start_takes_long_the_process_is_alive_and_not_ready() -> None:
    prepared = asyncio.Event()

    async def prepare() -> None:
        await prepared.wait()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with asyncio.timeout(20), httpx.AsyncClient() as http:
            starting = asyncio.create_task(prepare_alive(prepare(), listener, patience=0))
            assert (await http.get(url + LIVE)).status_code == 200
            for path in (READY, "/api/svc/ping"):
                answer = await http.get(url + path)
                assert (answer.status_code, answer.json()) == (503, {"status": "starting"})
            prepared.set()
            await starting
        # The socket still listens: requests wait for the service.
        with socket.create_connection(listener.getsockname()):
            pass


async def test_the_reason_of_a_failed_preparation_is_reported() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("no disk")

    for patience in (0, 20):
        with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(ValueError, match="no disk"):
            await prepare_alive(fail(), listener, patience=patience)


def test_load_balancers_see_a_stop_before_requests_are_refused(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("drain_seconds = 600\n")
    with serving(tmp_path, config=config) as server:
        assert httpx.get(server.url + READY).status_code == 200
        server.process.terminate()
        while httpx.get(server.url + READY).status_code == 200:
            assert server.process.poll() is None
        assert httpx.get(server.url + "/api/svc/ping").status_code == 200
        # A second signal ends it immediately.
        assert server.end() == 0
