"""Fixtures that every floor's tests may use."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support.clock import SetClock
from tests.support.kept import keep_in

if TYPE_CHECKING:
    from svc_tui.server.service import Service
    from svc_tui.server.store.database import Database
    from tests.support.postgres import Postgres
    from tests.support.process import ServerProcess
    from tests.support.world import World


# How long an example takes says only how busy the machine is.
settings.register_profile("any speed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Starting worker processes takes seconds: worth it for folders, not for a few chosen tests."""
    chosen = config.option.keyword or config.option.markexpr or not all(Path(each).is_dir() for each in config.args)
    return 0 if chosen else None


def pytest_configure() -> None:
    """A shell lets its background jobs ignore ctrl+c, and they pass that on to what the tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Garbage collections look no more at what was loaded for all tests: it stays until the end."""
    gc.collect()
    gc.freeze()


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


@pytest.fixture(scope="session", autouse=True)
def _kept_for_the_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    own = tmp_path_factory.getbasetemp()
    keep_in((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "kept")


#: A folder in memory: closing a database waits there for no disk. Containers have one that is too small.
_MEMORY, _ENOUGH_BYTES = Path("/dev/shm"), 2**30


@pytest.fixture
def database_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for a database that need not survive the machine; in memory where there is room for it."""
    roomy = _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES
    with tempfile.TemporaryDirectory(prefix="svc-tests-", dir=_MEMORY if roomy else tmp_path) as folder:
        yield Path(folder)


@pytest.fixture
def sqlite_url(database_folder: Path) -> str:
    """A new SQLite file with all tables."""
    from tests.support.databases import TABLES

    return TABLES.copy(database_folder / "svc.db")


@pytest.fixture(params=["sqlite", "postgresql"])
async def database_url(request: pytest.FixtureRequest) -> str:
    """A new database with all tables, once on SQLite and once on PostgreSQL: for whatever SQL matters to."""
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        return await server.fresh()
    return str(request.getfixturevalue("sqlite_url"))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A database with its tables, on both products in turn."""
    from svc_tui.server.store.database import Database

    opened = Database(database_url)
    yield opened
    await opened.close()


@asynccontextmanager
async def world_at(url: str, folder: Path, clock: SetClock, **given: object) -> AsyncIterator[World]:
    """A service on this database, in this process."""
    import httpx

    from svc_tui.server.http.application import build
    from svc_tui.server.service import service_of
    from svc_tui.server.settings import Settings
    from tests.support.keys import share_signing_key
    from tests.support.world import World

    cheap = {"cheap_hashes": True, "insecure_identity_providers": True}
    settings = Settings.model_validate({"database_url": url, "data_dir": folder / "data", **cheap, **given})
    share_signing_key(settings.data_dir)
    service: Service = service_of(settings, clock=clock)
    app = build(settings, service=service)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://svc.test") as http,
    ):
        yield World(app, service, clock, http)


@pytest.fixture
async def world(
    request: pytest.FixtureRequest, database_folder: Path, tmp_path: Path, clock: SetClock
) -> AsyncIterator[World]:
    """A service on SQLite with one company and one application; an indirect parameter holds other settings."""
    from tests.support.databases import RUNNING

    url = RUNNING.copy(database_folder / "svc.db")
    async with world_at(url, tmp_path, clock, **getattr(request, "param", {})) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
async def world_on_both(
    request: pytest.FixtureRequest, database_folder: Path, tmp_path: Path, clock: SetClock
) -> AsyncIterator[World]:
    """The same, once on SQLite and once on PostgreSQL."""
    from tests.support.databases import RUNNING

    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = await server.fresh(RUNNING)
    else:
        url = RUNNING.copy(database_folder / "svc.db")
    async with world_at(url, tmp_path, clock) as made:
        yield made


@pytest.fixture
async def demo_world(database_folder: Path, tmp_path: Path, clock: SetClock) -> AsyncIterator[World]:
    """A service on SQLite with the small demo data of the clock's day, and nothing else."""
    from tests.support.databases import demo

    url = demo(clock.now().date()).copy(database_folder / "svc.db")
    async with world_at(url, tmp_path, clock) as made:
        yield made


@pytest.fixture(scope="session")
def server_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server process with the small demo data, one for the session. Tests must not change what others read."""
    from tests.support.process import serving_demo

    with serving_demo(tmp_path_factory.mktemp("server")) as server:
        yield server
