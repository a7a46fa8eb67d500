"""Restoring a backup: into SQLite or PostgreSQL, completely or not at all, and upgraded to the present version."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Column, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import DropTable

from svc_tui.server.backup.backup_file import Contents, DamagedBackup, Row, TableHead, batches, inspect
from svc_tui.server.backup.writing import RUNNING, VERSION_TABLE, Progress, present_tables
from svc_tui.server.running.heartbeat import Heartbeat
from svc_tui.server.serve import FAILED, OUT_OF_REACH, ServerCommandError, opened_service, reason_of
from svc_tui.server.service import Service
from svc_tui.server.settings import Settings
from svc_tui.server.store import upgrading
from svc_tui.server.store.coordination import PROCESSES
from svc_tui.server.store.creation import NewerDatabase, OlderDatabase, newest_version, statements
from svc_tui.server.store.sqlite_lock import DatabaseInUse, using_database

#: Tables that a server without users fills by itself.
_BY_ITSELF = RUNNING | {VERSION_TABLE, "turns", "signing_keys"}
#: Tables that no backup has: the service fills them.
_NOT_SAVED = RUNNING | {VERSION_TABLE}
#: What values of another form than the service writes end in, beside the errors of databases.
_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
_NUMBERED = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%'
"""
_IN_USE = "a server is using the database; stop all servers first"


def contents_of(path: Path) -> Contents:
    """The contents of a backup. The whole file is read and checked: ServerCommandError if anything is missing or
    changed."""
    try:
        return inspect(path)
    except DamagedBackup as error:
        raise ServerCommandError(f"{path} is {error}; nothing was changed", FAILED) from error
    except OSError as error:
        raise ServerCommandError(f"cannot read {path}: {error.strerror or error}") from error


def restore_backup(
    settings: Settings, path: Path, *, replace: bool = False, progress: Progress = lambda _: None
) -> None:
    """Restore a backup in one transaction, then upgrade the tables to the present version in the same one.

    The file was checked before, with `contents_of`. ServerCommandError with the reason, and then nothing is changed:
    the database has records and they are not to be replaced, a server uses it, or the backup is of a newer version.
    """
    contents = contents_of(path)
    service = opened_service(settings)
    try:
        with using_database(settings.database, alone=True):
            asyncio.run(_restore(service, path, contents, replace, progress))
    except DatabaseInUse:
        raise ServerCommandError(_IN_USE, FAILED) from None


async def _restore(service: Service, path: Path, contents: Contents, replace: bool, progress: Progress) -> None:
    try:
        await asyncio.to_thread(_check_unused, service)
        async with service.database.upgrading() as connection:
            await _clear(service, connection, replace)
            await _create(connection, contents.revision)
            await _fill(connection, path, progress)
            await _upgrade(connection)
    except NewerDatabase as error:
        raise ServerCommandError(f"{path} was written by a newer version of svc-tui; nothing was changed") from error
    except OlderDatabase as error:
        raise ServerCommandError(
            f"{path} was written by a version before the first release of svc-tui, which alone can restore it; "
            "nothing was changed"
        ) from error
    except DamagedBackup as error:
        raise ServerCommandError(f"{path} is {error}; nothing was changed", FAILED) from error
    except (SQLAlchemyError, OSError) as error:
        reason = f"the backup cannot be restored: {reason_of(error)}; nothing was changed"
        raise ServerCommandError(reason, OUT_OF_REACH) from error
    finally:
        await service.database.close()


def _check_unused(service: Service) -> None:
    """ServerCommandError if another process has the SQLite file open: this journal mode ends only for the last
    process."""
    url = service.database.engine.url
    if url.get_backend_name() != "sqlite":
        return
    path = Path(str(url.database))
    # It gets secrets. SQLite gives its other files the same mode.
    path.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise ServerCommandError(_IN_USE, FAILED) from error
    except sqlite3.DatabaseError as error:
        raise ServerCommandError(f"{path} is not a database") from error


async def _clear(service: Service, connection: AsyncConnection, replace: bool) -> None:
    """Remove all tables. ServerCommandError if they have records that are not to be replaced, or a server uses them."""
    found = await connection.run_sync(present_tables)
    if PROCESSES.name in found:
        await _check_silent(service, connection)
    for table in found.values() if not replace else ():
        if table.name not in _BY_ITSELF and (await connection.execute(select(table).limit(1))).first():
            raise ServerCommandError(
                "the database has records; --replace removes them, or use an empty database", FAILED
            )
    if connection.dialect.name == "postgresql":
        # Other programs can have the tables open; waiting for them has an end.
        await connection.execute(text("SET LOCAL lock_timeout = '10s'"))
    for table in found.values():
        await connection.execute(DropTable(table))


async def _check_silent(service: Service, connection: AsyncConnection) -> None:
    heartbeat = service.part(Heartbeat)
    ids = (await connection.execute(select(PROCESSES.c.id))).scalars().all()
    async with service.database.unit() as store:
        for id in ids:
            if await heartbeat.is_process_alive(store, id):
                raise ServerCommandError(f"{_IN_USE}, or wait for two minutes after another machine was lost", FAILED)


async def _create(connection: AsyncConnection, revision: str) -> None:
    """Create the tables of a version, as a server that starts with it does. NewerDatabase, OlderDatabase."""
    if connection.dialect.name == "sqlite" and revision == newest_version():
        for statement in statements():
            await connection.execute(text(statement))
    else:
        await connection.run_sync(upgrading.upgraded, revision)


async def _upgrade(connection: AsyncConnection) -> None:
    try:
        await connection.run_sync(upgrading.upgraded)
    except _UNREADABLE as error:
        # Migrations read records, and no server wrote these.
        raise DamagedBackup("damaged: its records cannot be upgraded") from error


async def _fill(connection: AsyncConnection, path: Path, progress: Progress) -> None:
    tables, rows = await connection.run_sync(present_tables), 0
    for head, batch in batches(path):
        table = tables.get(head.name) if head.name not in _NOT_SAVED else None
        if table is None or not set(head.columns) <= {column.name for column in table.columns}:
            raise DamagedBackup(f"damaged: its table {head.name} is unknown")
        try:
            await connection.execute(insert(table), _named(head, batch))
        except _UNREADABLE as error:
            raise DamagedBackup(f"damaged: its table {head.name} has values that cannot be stored") from error
        rows += len(batch)
        progress(rows)
    if connection.dialect.name == "postgresql":
        for name, column in (await connection.execute(text(_NUMBERED))).all():
            await _continue_numbers(connection, tables[name].c[column])


def _named(head: TableHead, rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [dict(zip(head.columns, row, strict=True)) for row in rows]


async def _continue_numbers(connection: AsyncConnection, column: Column[Any]) -> None:
    """Let a column that numbers its rows continue after the highest number."""
    highest = (await connection.execute(select(func.max(column)))).scalar_one()
    if highest is not None:
        sequence = func.pg_get_serial_sequence(column.table.name, column.name)
        await connection.execute(select(func.setval(sequence, highest)))
