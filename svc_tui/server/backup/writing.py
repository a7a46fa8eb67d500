"""Writing a backup while servers use the database: one consistent state of all tables, in little memory."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from socket import gaierror
from typing import BinaryIO

from sqlalchemy import Column, Connection, LargeBinary, MetaData, Table, func, inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from svc_tui.interface.dates import stamp
from svc_tui.server.backup.backup_file import BackupWriter, Contents, TableHead
from svc_tui.server.serve import FAILED, OUT_OF_REACH, ServerCommandError, opened_service, reason_of, require_database
from svc_tui.server.service import Service
from svc_tui.server.settings import Settings
from svc_tui.server.store.database import UpgradeInProgress
from svc_tui.server.store.tables import metadata

VERSION_TABLE = "alembic_version"


def present_tables(connection: Connection) -> dict[str, Table]:
    """The tables of the service by name, without those of other programs in the same schema."""
    present, own = MetaData(), [*metadata.tables, VERSION_TABLE]
    for (_, name), columns in sorted(inspect(connection).get_multi_columns(filter_names=own).items()):
        Table(name, present, *(Column(column["name"], column["type"]) for column in columns))
    return dict(present.tables)


#: Tables of what runs at the moment: processes, their event sessions and rates, which begin empty after a restore.
RUNNING = frozenset({"processes", "event_sessions", "request_rates"})
#: Rows that are read at a time, and after which progress is reported.
_BATCH = 500

Progress = Callable[[int], None]
#: The rows that are written, and how many there are.
WritingProgress = Callable[[int, int], None]


def write_backup(settings: Settings, path: Path, progress: WritingProgress = lambda rows, total: None) -> Contents:
    """Write a backup to a new file with mode 600: it holds secrets.

    The file has its name only when it is complete. ServerCommandError with the reason; `progress` gets the number of
    rows that are written, and of all.
    """
    if path.exists():
        raise ServerCommandError(f"{path} exists already; choose another name")
    require_database(settings)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ServerCommandError(f"cannot write to the folder {path.parent}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            contents = asyncio.run(_write(opened_service(settings), file, progress))
            file.flush()
            os.fsync(file.fileno())
        _publish(Path(name), path)
    except OSError as error:
        raise ServerCommandError(f"the backup cannot be written: {error.strerror or error}", FAILED) from error
    finally:
        Path(name).unlink(missing_ok=True)
    return contents


def _publish(complete: Path, path: Path) -> None:
    """Give a complete file its name. ServerCommandError if another file got it in the meantime."""
    try:
        # Unlike a new name, another link never replaces a file.
        path.hardlink_to(complete)
    except FileExistsError:
        raise ServerCommandError(f"{path} exists already; choose another name") from None
    except OSError:
        # This file system has no links.
        complete.replace(path)


async def _write(service: Service, file: BinaryIO, progress: WritingProgress) -> Contents:
    try:
        async with service.database.snapshot() as connection:
            tables = await connection.run_sync(present_tables)
            if VERSION_TABLE not in tables:
                raise ServerCommandError("the database has no tables of a service")
            revision = (await connection.execute(select(tables[VERSION_TABLE].c.version_num))).scalar_one()
            contents = Contents(str(revision), stamp(service.clock.now()))
            writer = BackupWriter(file, contents)
            written = [table for table in tables.values() if table.name not in (*RUNNING, VERSION_TABLE)]
            counts = [
                (await connection.execute(select(func.count()).select_from(each))).scalar_one() for each in written
            ]
            for table in written:
                await _write_table(connection, table, writer, lambda rows: progress(rows, sum(counts)))
            writer.end()
            return replace(contents, rows=writer.rows)
    except UpgradeInProgress as error:
        raise ServerCommandError("a server is upgrading the tables; try again when it is ready", FAILED) from error
    except (SQLAlchemyError, ConnectionError, TimeoutError, gaierror) as error:
        raise ServerCommandError(f"the database does not respond: {reason_of(error)}", OUT_OF_REACH) from error
    finally:
        await service.database.close()


async def _write_table(connection: AsyncConnection, table: Table, writer: BackupWriter, progress: Progress) -> None:
    binary = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
    writer.table(TableHead(table.name, tuple(column.name for column in table.columns), tuple(binary)))
    query = select(table).execution_options(yield_per=_BATCH)
    async with connection.stream(query) as found:
        async for rows in found.partitions():
            for row in rows:
                writer.row(row)
            progress(writer.rows)
