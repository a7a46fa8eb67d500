"""Writing in bulk: afterwards the database is what it was before, and what was written is in it."""

from __future__ import annotations

import gc

import pytest
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import IntegrityError

from svc_tui.server.store import tables
from svc_tui.server.store.bulk import in_bulk
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database

USERS = [{"id": f"u{at}", "loginEmail": f"u{at}@x.y", "companyId": "1"} for at in range(50)]


def _read(connection: Connection) -> set[str]:
    known = inspect(connection)
    return {str(index["name"]) for table in tables.metadata.tables for index in known.get_indexes(table)}


async def _indexes(database: Database) -> set[str]:
    async with database.engine.connect() as connection:
        return await connection.run_sync(_read)


async def test_bulk_rows_are_found_and_all_indexes_are_recreated(database: Database) -> None:
    before = await _indexes(database)
    async with database.unit() as store:
        async with in_bulk(store):
            assert not gc.isenabled()
            await store.users.add_all(USERS)
        assert gc.isenabled()
        assert await store.users.count(Is("companyId", "1")) == 50
    assert "ix_users_company_id" in before
    assert await _indexes(database) == before


async def test_a_failed_bulk_insert_changes_nothing(database: Database) -> None:
    before = await _indexes(database)
    with pytest.raises(IntegrityError):
        async with database.unit() as store, in_bulk(store):
            await store.users.add_all([*USERS, {"id": "other", "loginEmail": "U1@x.y"}])
    assert gc.isenabled()
    assert await _indexes(database) == before
    async with database.unit() as store:
        assert await store.users.count() == 0
