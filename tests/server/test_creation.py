"""New databases: the tables as they are declared are those that the migrations lead to."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from svc_tui.server.store import creation, tables, upgrading
from svc_tui.server.store.creation import NewerDatabase, OlderDatabase
from svc_tui.server.store.database import Database
from tests.support.differences import differences as differing
from tests.support.postgres import Postgres


async def migrated(url: str) -> Database:
    """A database that all migrations made, on an empty one."""
    database = Database(url)
    async with database.engine.begin() as connection:
        await connection.run_sync(upgrading.upgraded)
    return database


async def created(url: str) -> Database:
    database = Database(url)
    await database.upgrade()
    return database


async def differences(database: Database) -> Any:
    async with database.engine.connect() as connection:
        return await connection.run_sync(differing)


def _described(connection: Connection) -> dict[str, object]:
    found = inspect(connection)
    counting = {
        row[0] for row in connection.execute(text("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCR%'"))
    }
    return {
        name: (
            {(each["name"], str(each["type"]), each["nullable"], each["default"]) for each in found.get_columns(name)},
            found.get_pk_constraint(name)["constrained_columns"],
            {tuple(each["column_names"]) for each in found.get_unique_constraints(name)},
            {(each["name"], tuple(each["column_names"]), each["unique"]) for each in found.get_indexes(name)},
            name in counting,
            connection.execute(text(f'SELECT * FROM "{name}"')).all(),
        )
        for name in found.get_table_names()
    }


async def described(database: Database) -> dict[str, object]:
    """The tables with columns, keys, indexes and rows."""
    async with database.engine.connect() as connection:
        found = await connection.run_sync(_described)
    await database.close()
    return found


async def test_the_migrations_make_exactly_the_tables_that_are_declared(tmp_path: Path, postgres: Postgres) -> None:
    # New databases of PostgreSQL are made by the migrations.
    for database in (await migrated(f"sqlite:///{tmp_path / 'svc.db'}"), Database(await postgres.fresh())):
        assert await differences(database) == [], "a migration is missing (CONTRIBUTING, How to add a field)"
        await database.close()


async def test_a_new_database_equals_a_migrated_one_with_its_version(tmp_path: Path) -> None:
    new = await described(await created(f"sqlite:///{tmp_path / 'new.db'}"))
    assert new == await described(await migrated(f"sqlite:///{tmp_path / 'migrated.db'}"))
    assert set(tables.metadata.tables) | {"alembic_version"} == set(new)


def test_the_newest_version_is_the_head_of_the_migrations() -> None:
    assert ScriptDirectory(str(creation.MIGRATIONS)).get_current_head() == creation.newest_version()


async def test_servers_that_start_at_once_create_the_tables_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'svc.db'}"
    databases = [Database(url) for _ in range(4)]
    await asyncio.gather(*(asyncio.to_thread(asyncio.run, each.upgrade()) for each in databases))
    assert await differences(databases[0]) == []
    for each in databases:
        await each.close()


def test_a_file_that_cannot_be_read_is_not_current(tmp_path: Path) -> None:
    path = tmp_path / "svc.db"
    path.write_bytes(b"not a database" * 100)
    assert not creation.create_if_empty(path, 1)


@pytest.mark.parametrize(
    ("version", "refusal"),
    [("9999", NewerDatabase), ("0026", OlderDatabase), ("0001", OlderDatabase), (creation.newest_version(), None)],
)
async def test_only_an_unknown_version_is_refused(
    tmp_path: Path, version: str, refusal: type[Exception] | None
) -> None:
    path = tmp_path / "svc.db"
    database = await created(f"sqlite:///{path}")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [version])
    if refusal is not None:
        with pytest.raises(refusal):
            await database.upgrade()
    else:
        await database.upgrade()
    await database.close()
