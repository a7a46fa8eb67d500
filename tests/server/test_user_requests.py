"""One user sends more requests than there are connections to the database, and all of them take long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.authentication.proof import API_KEY, APP_AUTH, CHALLENGE, app_auth
from tests.conftest import world_at
from tests.server.companies.support import caller
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.held_writes import writes_held
from tests.support.postgres import Postgres
from tests.support.statements import statements
from tests.support.world import APP, APP_SECRET, OTHER_COMPANY, World, granted

Document = dict[str, Any]

ME, SITES = "/api/svc/enduser/v1.0/users/me", "/api/svc/admin/v1.0/sites"
KEYS = "/api/svc/authentication/v1.0/apikeys"


@pytest.fixture
async def database(postgres: Postgres) -> str:
    return await postgres.fresh(RUNNING)


@pytest.fixture
async def world(database: str, clock: SetClock, tmp_path: Path) -> AsyncIterator[World]:
    async with world_at(database, tmp_path, clock) as made:
        yield made


async def credentials(world: World, kind: str, user: Document) -> Callable[[int], dict[str, str]]:
    """The headers of each request of a user."""
    if kind == "token":
        header = {"authorization": f"Bearer {world.token(user)}"}
        return lambda number: header
    body = {"description": "many", "isActive": True, "scope": ["all"]}
    key = granted(await world.post(KEYS, by=user, json=body))["data"]["apiKey"]
    return lambda number: {
        API_KEY: key,
        CHALLENGE: f"{number:022}",
        APP_AUTH: app_auth(APP, APP_SECRET, f"{number:022}"),
    }


async def test_a_waiting_read_is_not_made_when_its_client_has_disconnected(
    world: World, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    by, other = await caller(world, "superadmin", OTHER_COMPANY), await world.user()
    most, sent = world.service.settings.user_requests, list[dict[str, Any]]()
    scope = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "server": ("svc.test", 80),
        "client": ("127.0.0.1", 1),
        "method": "GET",
        "path": SITES,
        "raw_path": SITES.encode(),
        "root_path": "",
        "query_string": b"name=gone",
        "headers": [(b"host", b"svc.test"), (b"authorization", f"Bearer {world.token(by)}".encode())],
    }

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    caplog.set_level("INFO")
    with statements(world.service.database) as made:
        async with writes_held(database, "sites", reads=True) as waiting:
            many = [asyncio.create_task(world.get(SITES, by=by, params={"name": f"{n}"})) for n in range(most)]
            await waiting(most)
            gone = asyncio.create_task(world.app(scope, receive, send))
            # In the time of these, it has come to its turn.
            for _ in range(3):
                granted(await world.get(ME, by=other))
            assert not gone.done()
        for answer in await asyncio.gather(*many):
            granted(answer)
        await gone
    assert sent == []
    assert f"GET {SITES} 0" in caplog.text
    read = [str(each.values) for each in made if "FROM sites" in each.sql]
    assert any("'0'" in values for values in read) and not any("gone" in values for values in read)


@pytest.mark.parametrize("kind", ["token", "key"])
async def test_slow_requests_of_one_user_leave_connections_for_others(world: World, database: str, kind: str) -> None:
    """The challenge of a key is written and committed before the request waits, so it holds no connection then."""
    await world.application()
    many, other = await caller(world, "superadmin", OTHER_COMPANY), await world.user()
    headers = await credentials(world, kind, many)
    most, connections = world.service.settings.user_requests, world.service.settings.database_connections
    async with writes_held(database, "sites", reads=True) as waiting:
        sent = [
            asyncio.create_task(world.get(SITES, headers=headers(number), params={"name": str(number)}))
            for number in range(connections + 5)
        ]
        await waiting(most)
        granted(await world.get(ME, by=other))
        assert not any(each.done() for each in sent)
    for answer in await asyncio.gather(*sent):
        granted(answer)
