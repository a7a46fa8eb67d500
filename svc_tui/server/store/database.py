"""The database: opening it, upgrading its tables, and units of work on it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json, to_json
from sqlalchemy import event, text
from sqlalchemy.engine import URL, Dialect, make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from svc_tui.lazy_import import lazy_import
from svc_tui.server.store import many_parts
from svc_tui.server.store.creation import create_if_empty
from svc_tui.server.store.session import Session
from svc_tui.server.store.sqlite import LOCK_SECONDS, SqliteReader, SqliteSession, SqliteWriter
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import metadata
from svc_tui.server.store.text_indexes import create_trigram_indexes, lacks_trigram_indexes
from svc_tui.server.store.transaction import SharedState

if TYPE_CHECKING:
    from svc_tui.server.store import postgresql, upgrading
else:
    # A server on SQLite starts without it.
    postgresql = lazy_import("svc_tui.server.store.postgresql")
    upgrading = lazy_import("svc_tui.server.store.upgrading")

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}

_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")

#: pydantic decodes and encodes documents faster than the standard library. Values of records do not belong in messages.
_OPTIONS: dict[str, Any] = {
    "json_deserializer": from_json,
    "json_serializer": lambda value: to_json(value).decode(),
    "hide_parameters": True,
}

#: The lock of a server that upgrades the tables.
_UPGRADE_LOCK = 7305


_OWN_TABLES = text(
    "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY(:own)"
)


class UpgradeInProgress(Exception):
    """A server is changing the tables."""


def engine_for(url: str, connections: int = 20) -> AsyncEngine:
    """An engine for `sqlite:///file` or `postgresql://...`, with its asynchronous driver. ValueError otherwise."""
    parsed = make_url(url)
    # All stay open: opening one takes PostgreSQL longer than most units of work, most of all when many want one.
    pool: dict[str, Any] = {"pool_size": connections, "max_overflow": 0}
    driver = _DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        raise ValueError(f"the database must be sqlite or postgresql, not {parsed.get_backend_name()}")
    parsed = parsed.set(drivername=driver)
    if driver == "sqlite+aiosqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise ValueError("an SQLite database must be a file")
        engine = create_async_engine(parsed, connect_args={"timeout": LOCK_SECONDS}, **_OPTIONS, **pool)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        return engine
    engine = create_async_engine(_with_ssl(parsed), pool_pre_ping=True, **_OPTIONS, **pool)
    event.listen(engine.sync_engine, "do_connect", _connected)
    # A connection that the database ended is known as soon as it is ended. Asking takes three requests each time.
    engine.dialect.do_ping = postgresql.is_open  # type: ignore[method-assign, assignment]
    return engine


def _connected(dialect: Dialect, _record: object, arguments: list[Any], named: dict[str, Any]) -> Any:
    """A new connection. OperationalError in place of an OSError of the driver, which is one of the database."""
    try:
        return dialect.connect(*arguments, **named)
    except OSError as error:
        raise OperationalError("connect", None, error) from error


def _with_ssl(url: URL) -> URL:
    """An address of PostgreSQL with the `sslmode` of its own tools, which the driver calls `ssl`."""
    if "sslmode" not in url.query:
        return url
    mode = url.query["sslmode"]
    if mode not in _SSL_MODES:
        raise ValueError(f"sslmode must be one of {', '.join(_SSL_MODES)}")
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Transactions are begun explicitly: the driver's own begin late and can then find the database busy.
    connection.isolation_level = None
    cursor: sqlite3.Cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "mmap_size=268435456"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
    many_parts.add_to(connection)


class Database:
    """The database behind a server. `url` as in `engine_for`; at most this many connections are open at a time."""

    def __init__(self, url: str, *, connections: int = 20) -> None:
        self.engine = engine_for(url, connections)
        self.shared = SharedState()
        #: The connections to SQLite of this process; None with PostgreSQL, which has `access`.
        self.reader: SqliteReader | None = None
        self.writer: SqliteWriter | None = None
        self.access: postgresql.PostgresAccess | None = None
        if self.engine.dialect.name == "sqlite":
            self.reader, self.writer = SqliteReader(self.engine.url, _OPTIONS), SqliteWriter(self.engine.url, _OPTIONS)
        else:
            self.access = postgresql.PostgresAccess(self.engine)

    def _session(self) -> Session:
        """The way of a new unit of work to this database."""
        if self.access is not None:
            return postgresql.PostgresSession(self.access)
        assert self.reader is not None and self.writer is not None
        return SqliteSession(self.engine, self.reader, self.writer)

    async def upgrade(self, alone: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """Create the tables, or upgrade them to the newest version. Several servers can do this at the same time.

        NewerDatabase and OlderDatabase as in `upgraded`. Existing tables are changed within `alone`.
        """
        url = self.engine.url
        if url.get_backend_name() == "sqlite" and create_if_empty(Path(str(url.database)), LOCK_SECONDS):
            return
        if url.get_backend_name() == "postgresql" and await self._is_complete():
            return
        async with self.upgrading() as connection:
            with alone():
                await connection.run_sync(upgrading.upgraded)
            if connection.dialect.name == "postgresql":
                await connection.run_sync(create_trigram_indexes)

    async def _is_complete(self) -> bool:
        """Whether there is nothing to upgrade, after the end of an upgrade or restore in progress.

        A start that upgrades nothing must not take the lock of upgrades: during that time no other server would be
        ready, and a load balancer would find none.
        """
        async with self.engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock_shared({_UPGRADE_LOCK})"))
            newest = await connection.run_sync(upgrading.is_newest)
            return newest and not await connection.run_sync(lacks_trigram_indexes)

    @asynccontextmanager
    async def upgrading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that changes tables. Servers that start wait for its end."""
        async with self.engine.begin() as connection:
            if connection.dialect.name == "sqlite":
                await connection.execute(text("BEGIN IMMEDIATE"))
            else:
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
            yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that reads one state of all tables until its end, and hinders no writer.

        UpgradeInProgress while a server changes the tables; until the end no server does.
        """
        async with self.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                await connection.execute(text("BEGIN"))
                yield connection
                return
            free = await connection.execute(text(f"SELECT pg_try_advisory_lock_shared({_UPGRADE_LOCK})"))
            if not free.scalar_one():
                raise UpgradeInProgress
            try:
                # The state that is read is chosen after this commit: it has no half of an upgrade.
                await connection.commit()
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                tables = await connection.execute(_OWN_TABLES, {"own": list(metadata.tables)})
                names = ", ".join(tables.scalars())
                if names:
                    await connection.execute(text(f"LOCK TABLE {names} IN ACCESS SHARE MODE"))
            finally:
                # Servers can start: only the tables must not change.
                await connection.execute(text(f"SELECT pg_advisory_unlock_shared({_UPGRADE_LOCK})"))
            yield connection

    async def is_upgrading(self) -> bool:
        """Whether a server is upgrading the tables. With SQLite no other server can."""
        async with self.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                await connection.execute(text("SELECT 1"))
                return False
            free = await connection.execute(text(f"SELECT pg_try_advisory_xact_lock_shared({_UPGRADE_LOCK})"))
            return not free.scalar_one()

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[Store]:
        """A unit of work: committed at the end of the block, rolled back when it raises."""
        store = Store(self._session(), self.shared)
        try:
            yield store
            await store.commit()
        except BaseException:
            # Why it ends is what counts, above all that it was cancelled. A connection that fails here is closed.
            with suppress(SQLAlchemyError, OSError):
                await store.rollback()
            raise
        finally:
            await store.release()
            store.forget_collections()

    async def close(self) -> None:
        self.shared.kept.clear()
        if self.reader is not None:
            self.reader.close()
        if self.writer is not None:
            self.writer.close()
        await self.engine.dispose()
