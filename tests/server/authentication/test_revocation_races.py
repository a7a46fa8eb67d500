"""Keys, grants and minimum versions that are revoked at the moment when another request changes them, on PostgreSQL.

The other request has read the record when it is removed. What was revoked stays revoked.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.conftest import world_at
from tests.server.authentication.oauth_support import TOKEN, application, bearer, code_of, exchanged
from tests.server.authentication.test_api_keys import KEYS, a_key
from tests.server.authentication.test_client_versions import ALL as VERSIONS
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.held_writes import change_held, writes_held
from tests.support.postgres import Postgres
from tests.support.world import APP, World, granted, refused

APPLICATION = f"/api/svc/applications/v1.0/applications/{APP}"


@dataclass
class Running:
    world: World
    database: str


@pytest.fixture
async def running(postgres: Postgres, clock: SetClock, tmp_path: Path) -> AsyncIterator[Running]:
    database = await postgres.fresh(RUNNING)
    async with world_at(database, tmp_path, clock) as world:
        yield Running(world, database)


async def test_a_key_that_is_deleted_during_an_edit_stays_deleted(running: Running) -> None:
    world = running.world
    await world.application()
    jane = await world.user()
    id = (await a_key(world, jane))["id"]
    async with change_held(running.database, f"DELETE FROM api_keys WHERE id = '{id}'") as waiting:
        edit = world.put(f"{KEYS}/{id}", by=jane, json={"description": "edited", "isActive": True})
        edited = asyncio.ensure_future(edit)
        await waiting(1, edited)
    refused(await edited, 404000)
    refused(await world.get(f"{KEYS}/{id}", by=jane), 404000)


@pytest.mark.parametrize("rotation", [True, False])
async def test_a_grant_that_is_revoked_during_a_refresh_stays_revoked(running: Running, rotation: bool) -> None:
    world = running.world
    await application(world, enableOAuthRefreshTokenRotation=rotation)
    jane = await world.user()
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    [grant] = granted(await world.get(f"{TOKEN}s", by=jane))["data"]
    async with change_held(running.database, f"DELETE FROM oauth_tokens WHERE id = '{grant['id']}'") as waiting:
        refresh = exchanged(world, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
        refreshed = asyncio.ensure_future(refresh)
        await waiting(1, refreshed)
    assert ((await refreshed).status_code, (await refreshed).json()["error"]) == (400, "invalid_grant")
    assert granted(await world.get(f"{TOKEN}s", by=jane))["data"] == []
    refused(await world.http.get("/api/svc/enduser/v1.0/users/me", headers=bearer(tokens)), 401202)


async def test_a_minimum_version_that_changes_while_its_application_is_renamed_is_the_new_one(running: Running) -> None:
    world = running.world
    boss = await world.user(roles=("superadmin",))
    await application(world)
    version = f"{VERSIONS}/{APP}"
    granted(await world.post(VERSIONS, by=boss, json={"id": APP, "version": "1"}))
    put = world.put(version, by=boss, json={"version": "2"})
    await _in_turn(running, put, world.put(APPLICATION, by=boss, json={"name": "Renamed"}))
    changed = granted(await world.get(version, by=boss))["data"]
    assert (changed["name"], changed["version"]) == ("Renamed", "2")
    deletion = world.delete(version, by=boss)
    await _in_turn(running, deletion, world.put(APPLICATION, by=boss, json={"name": "Renamed again"}))
    refused(await world.get(version, by=boss), 404000)


async def _in_turn(running: Running, first: Awaitable[httpx.Response], second: Awaitable[httpx.Response]) -> None:
    """Send the second request when the first one waits to write. Both are granted."""
    async with writes_held(running.database, "client_versions") as waiting:
        one = asyncio.ensure_future(first)
        await waiting(1, one)
        other = asyncio.ensure_future(second)
        await waiting(2, other)
    granted(await one)
    granted(await other)
