"""Callers that buy, and databases with demo data."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from svc_tui.server.store.database import Database
from tests.conftest import world_at
from tests.server.companies.support import caller
from tests.server.lists import Lists
from tests.server.stateful import POSTGRES
from tests.server.subscriptions.support import finance, furnished
from tests.support.clock import SetClock
from tests.support.databases import demo
from tests.support.world import OTHER_COMPANY, World

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

Document = dict[str, Any]


@pytest.fixture(scope="session", autouse=True)
def _database_of_models(request: pytest.FixtureRequest) -> None:
    if os.environ.get("MODEL_DATABASE") == "postgresql":
        POSTGRES.append(request.getfixturevalue("postgres"))


@pytest.fixture
async def seller(world: World) -> Document:
    """The bp_finance of the distributor, in a world with offers."""
    await furnished(world)
    return await finance(world)


@pytest.fixture
async def boss(world: World) -> Document:
    """A superadmin."""
    return await caller(world, "superadmin", OTHER_COMPANY)


@pytest.fixture(params=["sqlite", "postgresql"])
async def demo_database(
    request: pytest.FixtureRequest, database_folder: Path, clock: SetClock
) -> AsyncIterator[Database]:
    """A database with the small demo data of the clock's day, on both products in turn."""
    template = demo(clock.now().date())
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = await server.fresh(template)
    else:
        url = template.copy(database_folder / "svc.db")
    opened = Database(url)
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", "postgresql"])
async def lists(request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock) -> AsyncIterator[Lists]:
    """The lists of the small demo data, on both databases in turn. That of PostgreSQL is shared by tests."""
    template = demo(clock.now().date())
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = await server.template(template, copied=True)
    else:
        url = template.copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, clock) as world:
        made = Lists(world)
        async with world.service.database.unit() as store:
            await made.find(store)
        yield made
