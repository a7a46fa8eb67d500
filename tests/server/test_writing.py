"""Changes of SQLite: units have their turns in order, few rows on the event loop's own thread, many elsewhere."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DatabaseError, OperationalError

from svc_tui.server.store import sqlite
from svc_tui.server.store.database import Database
from svc_tui.server.store.sqlite import MOST_BRIEF, SqliteWriter


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'svc.db'}")
    await opened.upgrade()
    yield opened
    await opened.close()


def writer_of(database: Database) -> SqliteWriter:
    assert database.writer is not None
    return database.writer


def companies(first: int, count: int) -> list[dict[str, Any]]:
    return [{"id": str(number)} for number in range(first, first + count)]


async def add(database: Database, id: str) -> None:
    async with database.unit() as store:
        await store.companies.add({"id": id})


async def names(database: Database) -> list[str]:
    async with database.unit() as store:
        return await store.companies.ids()


async def test_units_change_in_the_order_in_which_they_came(database: Database) -> None:
    order = []

    async def change(name: str) -> None:
        async with database.unit() as store:
            await store.begin()
            order.append(name)
            await store.companies.add({"id": name})

    async with asyncio.TaskGroup() as tasks, database.unit() as store:
        await store.begin()
        for name in "cab":
            tasks.create_task(change(name))
            await asyncio.sleep(0)
        order.append("first")
    assert order == ["first", "c", "a", "b"]
    assert await names(database) == ["a", "b", "c"]


async def test_few_rows_are_changed_on_the_event_loop_and_many_on_another_thread(database: Database) -> None:
    threads: list[int] = []
    writer_of(database).driver().set_trace_callback(lambda _: threads.append(threading.get_ident()))
    async with database.unit() as store:
        await store.companies.add_all(companies(0, MOST_BRIEF))
        await store.companies.put({"id": "0", "name": "changed"})
        assert set(threads) == {threading.get_ident()}
        await store.companies.add_all(companies(100, MOST_BRIEF + 1))
        assert len(set(threads)) == 2
    assert len(await names(database)) == 2 * MOST_BRIEF + 1


async def long_change(database: Database) -> tuple[asyncio.Task[None], threading.Event]:
    """Begin to add many companies; their statement waits for the event."""
    begun, may_end = threading.Event(), threading.Event()

    def hold(statement: str) -> None:
        if statement.startswith("INSERT"):
            begun.set()
            may_end.wait(20)

    async def change() -> None:
        async with database.unit() as store:
            await store.companies.add_all(companies(0, 100))

    writer_of(database).driver().set_trace_callback(hold)
    task = asyncio.create_task(change())
    await asyncio.to_thread(begun.wait, 20)
    return task, may_end


async def test_a_task_cancelled_twice_during_a_long_change_stores_nothing(database: Database) -> None:
    task, may_end = await long_change(database)
    after = asyncio.create_task(add(database, "after"))
    for _ in range(2):
        task.cancel()
        await asyncio.wait([after], timeout=0.01)
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await after
    assert await names(database) == ["after"]


async def test_a_database_that_is_closed_during_a_change_has_nothing_of_it(database: Database) -> None:
    task, may_end = await long_change(database)
    task.cancel()
    may_end.set()
    await database.close()
    with pytest.raises(asyncio.CancelledError):
        await task
    await add(database, "after")
    assert await names(database) == ["after"]


async def test_a_commit_that_fails_leaves_no_transaction_open(database: Database) -> None:
    def refuse(action: int, of: str | None, *_: object) -> int:
        refused = action == sqlite3.SQLITE_TRANSACTION and of == "COMMIT"
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

    writer_of(database).driver().set_authorizer(refuse)
    with pytest.raises(DatabaseError):
        await add(database, "refused")
    writer_of(database).driver().set_authorizer(None)
    await add(database, "next")
    assert await names(database) == ["next"]


async def test_a_change_waits_until_another_process_has_ended_its_own(database: Database, tmp_path: Path) -> None:
    theirs = Database(f"sqlite:///{tmp_path / 'svc.db'}")

    async with theirs.unit() as store:
        await store.companies.add({"id": "theirs"})
        task = asyncio.create_task(add(database, "ours"))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not task.done()
    await task
    assert await names(database) == ["ours", "theirs"]
    await theirs.close()


async def test_a_unit_that_has_committed_lets_others_change(database: Database) -> None:
    async with database.unit() as store, asyncio.timeout(20):
        await store.companies.add({"id": "counted"})
        await store.commit()
        await add(database, "other")
        await store.companies.add({"id": "later"})
    assert await names(database) == ["counted", "later", "other"]


async def test_what_was_committed_stays_when_the_task_ends_before_its_turn_does(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ended(_self: SqliteWriter, _work: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patched, pytest.raises(asyncio.CancelledError):
        patched.setattr(sqlite, "_ROWS_IN_LOG", 0)
        patched.setattr(SqliteWriter, "_elsewhere", ended)
        await add(database, "acknowledged")
    await add(database, "next")
    assert await names(database) == ["acknowledged", "next"]


async def test_the_log_of_sqlite_does_not_grow_with_the_changes(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_ROWS_IN_LOG", 10)

    async def size_after(first: int, count: int) -> int:
        for number in range(first, first + count):
            await add(database, str(number))
        return (tmp_path / "svc.db-wal").stat().st_size

    few = await size_after(0, 20)
    assert await size_after(20, 100) < 2 * few


async def test_the_log_of_sqlite_does_not_grow_with_few_large_rows(database: Database, tmp_path: Path) -> None:
    for number in range(50):
        async with database.unit() as store:
            await store.import_files.add("file", number, bytes(1 << 20), now=datetime.now(UTC))
    assert (tmp_path / "svc.db-wal").stat().st_size < 35 << 20


async def test_a_transaction_that_something_left_open_does_not_stop_all_later_changes(database: Database) -> None:
    writer_of(database).driver().execute("BEGIN")
    with pytest.raises(OperationalError):
        await add(database, "refused")
    await add(database, "next")
    assert await names(database) == ["next"]


def test_a_database_that_was_closed_is_changed_again_from_another_event_loop(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'svc.db'}")

    async def change(first: int) -> None:
        await database.upgrade()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(add(database, f"{first}"))
            tasks.create_task(add(database, f"{first}+"))
            async with database.unit() as store:
                await store.companies.add_all(companies(first + 1, 100))
        await database.close()

    for first in (1000, 2000):
        asyncio.run(change(first))
    assert len(asyncio.run(names(database))) == 204
