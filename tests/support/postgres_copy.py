"""The rows of an SQLite database in a PostgreSQL one: for much data, which is generated and written only once a run."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import Boolean, Table
from sqlalchemy.schema import CreateIndex, DropIndex

import svc_tui.server.store.store  # noqa: F401 - declares all tables
from svc_tui.server.store.database import Database
from svc_tui.server.store.tables import metadata


async def copy_rows(file: Path, uri: str) -> None:
    """Fill the new database at this address, with all tables, from a file."""
    target = Database(uri)
    await target.upgrade()
    indexes = [index for table in metadata.sorted_tables for index in table.indexes if not index.unique]
    async with target.unit() as store:
        for index in indexes:
            await store.change(DropIndex(index))
    connection = await asyncpg.connect(uri)
    try:
        with closing(sqlite3.connect(file)) as source:
            for table in metadata.sorted_tables:
                await _copy(source, connection, table)
    finally:
        await connection.close()
    async with target.unit() as store:
        for index in indexes:
            await store.change(CreateIndex(index))
    await target.close()


async def _copy(source: sqlite3.Connection, target: asyncpg.Connection, table: Table) -> None:
    names = [column.name for column in table.columns]
    # SQLite has no boolean values. Documents are JSON texts in both.
    booleans = [place for place, column in enumerate(table.columns) if isinstance(column.type, Boolean)]
    quoted = ", ".join(f'"{name}"' for name in names)

    def row(values: tuple[Any, ...]) -> tuple[Any, ...]:
        if not booleans:
            return values
        found = list(values)
        for place in booleans:
            found[place] = None if found[place] is None else bool(found[place])
        return tuple(found)

    records = map(row, source.execute(f'SELECT {quoted} FROM "{table.name}"'))
    await target.copy_records_to_table(table.name, records=records, columns=names)
