"""Several processes on one SQLite database: servers of the same version share it, another version waits for them."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from starlette.applications import Starlette

from svc_tui.server.clock import SystemClock
from svc_tui.server.first_account import create_first_account
from svc_tui.server.security.key_replacement import replace_signing_keys
from svc_tui.server.serve import FAILED, ServerCommandError, serve
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.creation import newest_version
from svc_tui.server.store.database import Database
from svc_tui.server.store.sqlite_lock import using_database
from tests.bench.crashes import SETTINGS, settled
from tests.bench.writers import writers
from tests.support.process import ServerProcess, start
from tests.support.versions import LATER, become_later, older
from tests.support.world import World

if TYPE_CHECKING:
    from pytest import CaptureFixture

PASSWORD = "a long password"


@pytest.fixture
def two_servers(tmp_path: Path) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    config = tmp_path / "server.toml"
    config.write_text(SETTINGS)
    url = f"sqlite:///{tmp_path / 'svc.db'}"
    first, second = (
        start(tmp_path / f"{name}.log", data_dir=tmp_path / name, database=url, config=config) for name in "ab"
    )
    yield first, second
    for server in (first, second):
        server.process.kill()
        server.process.wait()
        assert server.process.stdout is not None
        server.process.stdout.close()


async def test_two_servers_on_one_sqlite_database_lose_no_write(
    tmp_path: Path, two_servers: tuple[ServerProcess, ServerProcess]
) -> None:
    first, second = two_servers
    service = service_of(
        Settings(database_url=f"sqlite:///{tmp_path / 'svc.db'}", data_dir=tmp_path / "here", cheap_hashes=True)
    )
    await service.tokens.keys.refresh()
    chance = random.Random(1)
    async with httpx.AsyncClient(base_url=first.url, timeout=60) as http:
        clients = await writers(World(Starlette(), service, SystemClock(), http))
        for _ in range(8):
            # All write at once, each time at one of the two.
            http.base_url = httpx.URL(chance.choice((first.url, second.url)))
            await asyncio.gather(*(each.step() for each in clients))
        await settled(clients[0].world)
        for each in clients:
            await each.check()
            assert each.answers["acknowledged"] > 0
    await service.database.close()


@pytest.fixture
def older_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of the version before."""
    url = f"sqlite:///{tmp_path / 'svc.db'}"

    async def make() -> None:
        database = Database(url)
        async with database.engine.begin() as connection:
            await connection.run_sync(older, newest_version())
            for table in ("users", "user_secrets", "login_guards"):
                await connection.exec_driver_sql(f"DELETE FROM {table}")
        await database.close()

    asyncio.run(make())
    become_later(monkeypatch, tmp_path / "migrations")
    return url


def _version(tmp_path: Path) -> str:
    with closing(sqlite3.connect(tmp_path / "svc.db")) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_tables_are_not_upgraded_while_a_server_of_an_older_version_uses_them(
    tmp_path: Path, older_url: str, capsys: CaptureFixture[str]
) -> None:
    settings = Settings(database_url=older_url, data_dir=tmp_path / "data")
    with using_database(older_url):
        assert serve(port=0, database=older_url, data_dir=tmp_path / "data") == FAILED
        assert "another process uses the database" in capsys.readouterr().err
        for command in (
            lambda: create_first_account("a@example.com", PASSWORD, database=older_url, data_dir=tmp_path / "data"),
            lambda: replace_signing_keys(settings),
        ):
            with pytest.raises(ServerCommandError, match="stop it first"):
                command()
        assert _version(tmp_path) != LATER
    create_first_account("a@example.com", PASSWORD, database=older_url, data_dir=tmp_path / "data")
    assert _version(tmp_path) == LATER


def test_the_first_account_is_created_beside_a_server_but_not_during_a_restore(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'svc.db'}"
    with using_database(url, alone=True), pytest.raises(ServerCommandError, match="is being restored"):
        create_first_account("a@example.com", PASSWORD, database=url, data_dir=tmp_path / "data")
    with using_database(url):
        create_first_account("a@example.com", PASSWORD, database=url, data_dir=tmp_path / "data")
        with pytest.raises(ServerCommandError, match="has accounts already"):
            create_first_account("a@example.com", PASSWORD, database=url, data_dir=tmp_path / "data")
