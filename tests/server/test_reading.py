"""Reads of SQLite on the event loop's own thread: short ones there, long ones elsewhere, all of them current."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from svc_tui.server.store.database import Database

LONG = sa.text("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT max(x) FROM n")
SHORT = sa.text("SELECT 1")


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return tmp_path / "svc.db"


async def test_a_read_that_takes_long_is_left_to_another_thread_and_the_next_short_one_is_not(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    assert database.reader is not None
    assert database.reader.rows(LONG) is None
    async with database.unit() as store:
        assert (await store.rows(LONG))[0][0] == 300000
    assert database.reader.rows(SHORT) == [(1,)]
    await database.close()


async def test_a_read_sees_what_another_process_committed_before(path: Path) -> None:
    ours, theirs = Database(f"sqlite:///{path}"), Database(f"sqlite:///{path}")
    await ours.upgrade()
    for number in range(3):
        async with theirs.unit() as store:
            await store.companies.add({"id": str(number)})
        async with ours.unit() as store:
            assert await store.companies.count() == number + 1
    await ours.close()
    await theirs.close()


async def test_reading_takes_no_connection_and_a_change_is_seen_in_its_unit_only(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    await database.upgrade()
    async with database.unit() as store, database.unit() as other:
        assert await other.companies.get("1") is None
        await store.companies.add({"id": "1"})
        assert await store.companies.get("1") == {"id": "1"}
        assert await other.companies.get("1") is None
        assert database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    await database.close()


async def test_work_that_reads_much_lets_others_work(path: Path) -> None:
    database, others = Database(f"sqlite:///{path}"), asyncio.Event()
    asyncio.get_running_loop().call_soon(others.set)
    async with database.unit() as store:
        for _ in range(100):
            await store.rows(SHORT)
    assert others.is_set()
    await database.close()


async def test_a_database_that_is_locked_for_a_moment_is_read_when_it_is_free(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    await database.upgrade()
    assert database.reader is not None
    async with database.engine.connect() as connection:
        # In the older mode of SQLite a writer keeps readers out.
        await connection.execute(sa.text("PRAGMA journal_mode=DELETE"))
        await connection.execute(sa.text("BEGIN EXCLUSIVE"))
        assert database.reader.rows(sa.text("SELECT count(*) FROM companies")) is None
    async with database.unit() as store:
        assert await store.companies.count() == 0
    await database.close()
