"""Fixtures that every floor's tests may use."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.clock import SetClock

if TYPE_CHECKING:
    from svc_tui.server.service import Service
    from svc_tui.server.store.database import Database
    from tests.support.postgres import Postgres
    from tests.support.process import ServerProcess
    from tests.support.world import World


@pytest.fixture
def clock() -> SetClock:
    """A clock that a test moves."""
    return SetClock()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for the session, started when the first test asks for it."""
    from tests.support.postgres import running

    with running() as server:
        yield server


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A new SQLite file."""
    return f"sqlite:///{tmp_path / 'svc.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
async def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database, once on SQLite and once on PostgreSQL: for whatever SQL matters to."""
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        return await server.fresh()
    return f"sqlite:///{tmp_path / 'svc.db'}"


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A database with its tables, on both products in turn."""
    from svc_tui.server.store.database import Database

    opened = Database(database_url)
    await opened.upgrade()
    yield opened
    await opened.close()


async def _world(url: str, folder: Path, clock: SetClock, **given: object) -> AsyncIterator[World]:
    import httpx

    from svc_tui.server.application import build
    from svc_tui.server.service import service_of
    from svc_tui.server.settings import Settings
    from tests.support.world import World

    cheap = {"cheap_hashes": True, "insecure_identity_providers": True}
    settings = Settings.model_validate({"database_url": url, "data_dir": folder / "data", **cheap, **given})
    _share_key(settings.data_dir)
    service: Service = service_of(settings, clock=clock)
    app = build(settings, service=service)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://svc.test") as http,
    ):
        world = World(app, service, clock, http)
        await world.company()
        await world.application()
        yield world


_KEYS: list[bytes] = []


def _share_key(folder: Path) -> None:
    """Making a signing key takes long: the tests of a session share one."""
    from svc_tui.server.security.tokens import signing_key

    path = folder / "signing-key.pem"
    if _KEYS:
        folder.mkdir(parents=True)
        path.write_bytes(_KEYS[0])
    else:
        signing_key(folder)
        _KEYS.append(path.read_bytes())


@pytest.fixture
async def world(
    request: pytest.FixtureRequest, sqlite_url: str, tmp_path: Path, clock: SetClock
) -> AsyncIterator[World]:
    """A fresh service on SQLite with one company and one application; an indirect parameter holds other settings."""
    async for each in _world(sqlite_url, tmp_path, clock, **getattr(request, "param", {})):
        yield each


@pytest.fixture
async def world_on_both(database_url: str, tmp_path: Path, clock: SetClock) -> AsyncIterator[World]:
    """The same, once on SQLite and once on PostgreSQL."""
    async for each in _world(database_url, tmp_path, clock):
        yield each


@pytest.fixture(scope="session")
def server_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server process with the small demo data, one for the session. Tests must not change what others read."""
    from tests.support.process import serving

    with serving(tmp_path_factory.mktemp("server"), demo_data="small") as server:
        yield server
