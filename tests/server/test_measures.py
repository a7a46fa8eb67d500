"""Numbers for Prometheus: counted where it happens, only where an operator asked for them, and summed over workers."""

from __future__ import annotations

import json
import os
import signal
import socket
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from svc_tui.server.http.health import READY
from svc_tui.server.http.measures import IMPORTS_RUNNING, Measures
from svc_tui.server.running.turns import take_turn
from svc_tui.server.serve import serve
from tests.server.test_serve import workers_of
from tests.support.postgres import Postgres
from tests.support.process import serving
from tests.support.world import World

ME = "/api/svc/enduser/v1.0/users/me"
PING = "/api/svc/ping"
COUNTED = {"metrics_address": "127.0.0.1:9464"}


def value(world: World, name: str, **labels: str) -> float | None:
    return world.service.part(Measures).registry.get_sample_value(name, labels)  # type: ignore[no-any-return]


@pytest.mark.parametrize("world", [COUNTED], indirect=True)
async def test_requests_are_counted_by_operation_and_status_with_their_duration(world: World) -> None:
    jane = await world.user()
    for _ in range(3):
        await world.get(ME, by=jane)
    await world.get(ME)
    await world.get(f"/{'x' * 20}")
    assert value(world, "svc_requests_total", operation="get_own_user", status="200") == 3
    assert value(world, "svc_requests_total", operation="get_own_user", status="401") == 1
    # Paths that a client can invent are not named: their number has no limit.
    assert value(world, "svc_requests_total", operation="", status="404") == 1
    assert value(world, "svc_request_seconds_count", operation="get_own_user") == 4


@pytest.mark.parametrize("world", [COUNTED], indirect=True)
async def test_connections_turns_and_jobs_are_counted(world: World) -> None:
    async def act() -> None:
        assert value(world, "svc_turns_total", job="tidy", result="done") is None

    await take_turn(world.service, "tidy", act, 60)
    assert value(world, "svc_turns_total", job="tidy", result="done") == 1
    before = value(world, "svc_database_connections")
    assert before is not None
    async with world.service.database.engine.connect():
        assert value(world, "svc_database_connections") == before + 1
    assert value(world, "svc_database_connections") == before
    assert value(world, "svc_database_connections_limit") == world.service.settings.database_connections
    with world.service.part(Measures).during(IMPORTS_RUNNING):
        assert value(world, "svc_imports_running") == 1
    assert value(world, "svc_imports_running") == 0


async def test_nothing_is_counted_without_an_address(world: World) -> None:
    await world.get(PING)
    assert world.service.part(Measures).registry is None


def test_an_address_in_use_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "server.toml"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        config.write_text(f"metrics_address = '{address}'\n")
        assert serve(port=0, data_dir=tmp_path, config=config) == 2
    assert f"svc-tui: cannot listen on {address} for metrics: Address already in use" in capsys.readouterr().err


def metrics_server(address: str) -> dict[str, float]:
    """All samples, with their labels in alphabetical order."""
    text = httpx.get(f"http://{address}/metrics", timeout=20).text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join([each.name, *(each.labels[name] for name in sorted(each.labels))]): each.value for each in samples}


async def test_workers_count_together_and_stop_when_load_balancers_had_time(tmp_path: Path, postgres: Postgres) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    config = tmp_path / "server.toml"
    config.write_text(f"metrics_address = '{address}'\ndrain_seconds = 600\nlog_format = 'json'\n")
    with serving(tmp_path, workers=2, database=await postgres.fresh(), config=config) as server:
        for _ in range(20):
            assert httpx.get(server.url + PING).status_code == 200
        found = metrics_server(address)
        assert found["svc_requests_total ping 200"] == 20
        assert found["svc_database_connections_limit"] == 40
        # The job runs beside the requests.
        while (done := metrics_server(address).get("svc_turns_total expired records done", 0)) < 1:
            assert server.process.poll() is None
        assert done == 1
        victim = workers_of(server)[0]
        os.kill(victim, signal.SIGKILL)
        while len(set(workers_of(server)) - {victim}) < 2:
            assert server.process.poll() is None
        while (found := metrics_server(address))["svc_database_connections_limit"] < 40:
            assert server.process.poll() is None
        # What the killed worker counted stays, what it held does not.
        assert found["svc_requests_total ping 200"] == 20
        assert found["svc_database_connections_limit"] == 40
        server.process.terminate()
        while httpx.get(server.url + READY).status_code == 200:
            assert server.process.poll() is None
        assert httpx.get(server.url + PING).status_code == 200
        # A second signal ends all workers at once.
        assert server.end() == 0
        lines = [json.loads(line) for line in server.log.splitlines()]
        assert [line["message"] for line in lines].count("GET /api/svc/ping 200") == 21
