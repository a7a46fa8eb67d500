"""Putting the data of a demo back while its server runs: completely, or not at all."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from svc_tui.server.demo.accounts import APP_ID, DEFAULT_ACCOUNT
from svc_tui.server.serve import reset_demo
from svc_tui.server.store.database import Database
from tests.support.process import ServerProcess, serving_demo

#: Puts the data back, and is killed in the middle: after the companies, the users and the applications.
KILLED = """
import os, signal, sys
from pathlib import Path
from svc_tui.server.demo import settings
from svc_tui.server.serve import reset_demo
settings.api_keys = lambda calendar: os.kill(os.getpid(), signal.SIGKILL)
reset_demo(Path(sys.argv[1]), "small", sys.argv[2])
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with serving_demo(tmp_path) as running:
        yield running


async def _put(folder: Path, name: str) -> None:
    """Rename the application of the console, and remove the default account."""
    database = Database(f"sqlite:///{folder / 'data' / 'svc.db'}")
    async with database.unit() as store:
        known = await store.applications.get(APP_ID)
        assert known is not None
        await store.applications.put({**known, "name": name})
        await store.users.remove(DEFAULT_ACCOUNT.id)
    await database.close()


async def _found(folder: Path) -> tuple[str, bool, int, int]:
    """The name of the application, whether the default account exists, and how many users and indexes there are."""
    database = Database(f"sqlite:///{folder / 'data' / 'svc.db'}")
    async with database.unit() as store:
        known = await store.applications.get(APP_ID)
        assert known is not None
        account = await store.users.get(DEFAULT_ACCOUNT.id)
        users = await store.users.count()
        rows = await store.rows(text("select count(*) from sqlite_master where type = 'index'"))
        indexes = int(rows[0][0])
    await database.close()
    return known["name"], account is not None, users, indexes


async def test_a_reset_puts_everything_back_while_the_server_runs(server: ServerProcess, tmp_path: Path) -> None:
    before = await _found(tmp_path)
    await _put(tmp_path, "Changed")
    assert (await _found(tmp_path))[:2] == ("Changed", False)
    assert await asyncio.to_thread(reset_demo, tmp_path / "data", "small", server.url) == ""
    assert await _found(tmp_path) == before
    assert server.end() == 0


async def test_a_reset_that_is_killed_changes_nothing(server: ServerProcess, tmp_path: Path) -> None:
    await _put(tmp_path, "Changed")
    before = await _found(tmp_path)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "data"), server.url], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert await _found(tmp_path) == before


def test_a_reset_of_a_damaged_database_returns_the_reason(tmp_path: Path) -> None:
    (tmp_path / "svc.db").write_text("This is no database." * 100)
    assert "the database does not respond" in reset_demo(tmp_path, "small", "http://127.0.0.1:1")
