"""One unit of work on the database: its connection, its transaction and its locks."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CompoundSelect,
    CursorResult,
    PoolProxiedConnection,
    Select,
    Table,
    bindparam,
    func,
    insert,
    select,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql import Executable

from svc_tui.lazy_import import lazy_import
from svc_tui.server.store.audit import Audit
from svc_tui.server.store.direct import DirectAccess, is_open, pooled_connection, return_connection
from svc_tui.server.store.encoding import Encoded
from svc_tui.server.store.queries import exchange, insertion, removal, upsertion
from svc_tui.server.store.read_cache import ReadCache
from svc_tui.server.store.reading import SqliteReader
from svc_tui.server.store.replacing import replace_rows
from svc_tui.server.store.statements import Statement, Statements
from svc_tui.server.store.tables import DocumentTable, PreparedRow
from svc_tui.server.store.totals import Totals
from svc_tui.server.store.writing import SqliteWriter

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql
else:
    postgresql = lazy_import("sqlalchemy.dialects.postgresql")

#: Number of locks that all users share, and the first of them: above those of all other names.
_USER_LOCKS, _USERS_FROM = 1024, 2**32
#: Rows that one statement of PostgreSQL inserts.
_MOST_ROWS = 1000


def lock_key(name: str) -> int:
    """The number of a lock. PostgreSQL has room for some thousand locks at a time. One unit can change all users of a
    company, so users share a limited number of locks."""
    number = zlib.crc32(name.encode())
    return _USERS_FROM + number % _USER_LOCKS if name.startswith("user:") else number


@dataclass(frozen=True, slots=True)
class SharedState:
    """What all units of work on a database keep between them."""

    statements: Statements
    encoded: Encoded = field(default_factory=Encoded)
    kept: ReadCache = field(default_factory=ReadCache)
    totals: Totals = field(default_factory=Totals)


class Transaction:
    """Either all or none of its changes are stored.

    Reads need no transaction. `lock` and every change open one, on SQLite exclusively, on the connection that all units
    have in turn. A connection is taken with the first statement that needs one; short reads of SQLite do not.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        shared: SharedState,
        reader: SqliteReader | None = None,
        writer: SqliteWriter | None = None,
        direct: DirectAccess | None = None,
    ) -> None:
        self.dialect = engine.dialect.name
        self.statements, self.encoded, self.kept = shared.statements, shared.encoded, shared.kept
        self._totals = shared.totals
        #: On SQLite the tables that this transaction changes.
        self._changed: set[str] | None = set()
        self._engine, self._reader, self._writer, self._direct = engine, reader, writer, direct
        self._connection: AsyncConnection | None = None
        self._lent: PoolProxiedConnection | None = None
        self._begun = False
        self._state: int | None = None
        self._locked: set[int] = set()
        #: The audit records of the changes so far.
        self.audit = Audit()
        #: Whether this unit added an event, which is to be delivered once the unit is committed.
        self.has_events = False
        #: Called after the commit, to wake tasks that depend on these changes.
        self.afterwards: list[Callable[[], None]] = []
        #: Called with the number of rows that were inserted together.
        self.inserted: list[Callable[[int], None]] = []

    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An INSERT of the dialect, with its ON CONFLICT clauses."""
        return postgresql.insert(table) if self.dialect == "postgresql" else sqlite.insert(table)

    async def connected(self) -> AsyncConnection:
        """The connection of this unit; on SQLite for reads that take long."""
        if self._connection is None:
            if self._direct is None:
                self._connection = await self._engine.connect()
            else:
                self._connection = await self._direct.engine.connect()
                self._lent = await pooled_connection(self._connection)
        return self._connection

    async def state(self) -> int | None:
        """The state of the database: it equals its last value only if nothing was committed since, and grows otherwise.
        None if this unit may have changed something."""
        if self._begun:
            return None
        if self._reader is not None and self._connection is not None:
            return None
        if self._state is None:
            # It stays the same for the length of the reads of this unit.
            if self._reader is not None:
                self._state = self._reader.version()
            elif self._direct is not None:
                self._state = await self._direct.state()
        return self._state

    async def total(self, key: Hashable, tables: frozenset[str], count: Callable[[], Awaitable[int]]) -> int:
        """The number of records of a list that depends on these tables; that of an earlier count, if none of them was
        changed since."""
        try:
            hash(key)
        except TypeError:
            # A condition with a list or a set.
            return await count()
        state = await self.state() if self._reader is not None else None
        if state is not None and (kept := self._totals.find(state, key)) is not None:
            return kept
        found = await count()
        if state is not None and self._reader is not None and self._reader.version() == state:
            self._totals.keep(state, key, found, tables)
        return found

    def _changes(self, table: str | None) -> None:
        """Note that this transaction changes a table; None: one of all."""
        if table is None:
            self._changed = None
        elif self._changed is not None:
            self._changed.add(table)

    async def rows(self, query: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """The rows of a query, with the changes of this unit. `values` are those of its parameters."""
        if self._writer is not None and self._begun:
            return await self._writer.rows_of(query, values)
        if self._reader is not None and self._connection is None:
            await self._reader.pause()
            found = self._reader.rows(query, values)
            if found is not None:
                return found
        try:
            return (await (await self.connected()).execute(query, values)).all()
        finally:
            if self._direct is not None and not self._begun:
                # Who waits for what another unit reads must not keep it from reading.
                await self.release()

    async def selected(self, statement: str, parameters: Sequence[Any]) -> Sequence[Any]:
        """The rows of a `Statement`, with the changes of this unit. Values are as the database has them."""
        if self._direct is not None:
            if self._begun:
                return await self._direct.fetched(self._own(), statement, parameters)
            return await self._direct.selected(statement, parameters)
        if self._writer is not None and self._begun:
            return await self._writer.selected_of(statement, parameters)
        if self._reader is not None and self._connection is None:
            await self._reader.pause()
            found = self._reader.selected(statement, parameters)
            if found is not None:
                return found
        return (await (await self.connected()).exec_driver_sql(statement, tuple(parameters))).all()

    def _own(self) -> PoolProxiedConnection:
        """The connection of the changes of this unit. PendingRollbackError if it ended with a statement that failed."""
        if self._lent is None or not self._lent.is_valid:
            raise PendingRollbackError("the connection of this unit has ended")
        return self._lent

    async def known(
        self, key: Hashable, make: Callable[[], Select[Any] | CompoundSelect[Any]], values: Mapping[str, Any]
    ) -> Sequence[Any]:
        """The rows of the statement that `make` describes and `key` identifies, with these values of its parameters."""
        statement = self.statements.known(key, make)
        if statement is None:
            return await self.rows(make(), values)
        return await self.selected(statement.text, statement.parameters(values))

    async def first(self, query: Executable) -> Any:
        """The first row of a query; None without one."""
        rows = await self.rows(query)
        return rows[0] if rows else None

    async def change(
        self, statement: Executable, values: Sequence[Mapping[str, Any]] | None = None, *, brief: bool = False
    ) -> CursorResult[Any]:
        """Execute a statement that changes something, for several rows where `values` has several.

        `brief`: it changes a few rows that it finds by an index. SQLite then does it at once, on the event loop.
        """
        await self.begin()
        if self._writer is not None:
            self._changes(getattr(getattr(statement, "table", None), "name", None))
            return await self._writer.execute(statement, values, brief=brief)
        return await (await self.connected()).execute(statement, values)

    async def insert_rows(self, kind: DocumentTable, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows of a table. sqlalchemy.exc.IntegrityError when one of them, or its unique value, exists."""
        await self.insert_values(kind, [kind.prepared(row) for row in rows])

    async def insert_values(self, kind: DocumentTable, rows: Sequence[PreparedRow]) -> None:
        """The same with the values of each row in the order of the columns, documents as text."""
        await self.begin()
        self._changes(kind.name)
        statement = self.statements.of(("insert", kind.name), lambda: insert(kind.table))
        if self._direct is None:
            assert self._writer is not None
            await self._writer.change_rows(statement.text, rows)
        elif len(rows) == 1:
            await self._direct.executed(self._own(), statement.text, rows[0])
        else:
            await self._executed_many(self.statements.of(("insert many", kind.name), lambda: insertion(kind)), rows)
        for called in self.inserted:
            called(len(rows))

    async def put_values(self, kind: DocumentTable, rows: Sequence[PreparedRow]) -> None:
        """Insert or replace rows by their ids."""
        await self.begin()
        self._changes(kind.name)
        rows = [*{row[0]: row for row in rows}.values()]
        if self._direct is not None:
            await self._executed_many(self.statements.of(("put many", kind.name), lambda: upsertion(kind)), rows)
            return
        assert self._writer is not None
        known = await replace_rows(self._writer, self.statements, kind, rows)
        if new := [row for row in rows if row[0] not in known]:
            await self.insert_values(kind, new)

    async def _executed_many(self, statement: Statement, rows: Sequence[PreparedRow]) -> None:
        """Execute a statement of PostgreSQL whose parameters are the columns of many rows."""
        assert self._direct is not None
        for start in range(0, len(rows), _MOST_ROWS):
            lists = zip(*rows[start : start + _MOST_ROWS], strict=True)
            await self._direct.executed(self._own(), statement.text, tuple(map(list, lists)))

    async def replace_row(self, kind: DocumentTable, row: Mapping[str, Any]) -> str | None:
        """Replace the row with this id. Its document before, as text; None when there was none."""
        prepared = kind.prepared(row)
        self._changes(kind.name)
        if self._direct is None:
            await self.begin()
            assert self._writer is not None
            return (await replace_rows(self._writer, self.statements, kind, [prepared])).get(row["id"])
        statement = self.statements.of(("replace", kind.name), lambda: exchange(kind))
        return await self._before(statement, {**dict(zip(kind.names, prepared, strict=True)), "of": row["id"]})

    async def remove_row(self, kind: DocumentTable, id: str) -> str | None:
        """Remove the row with this id. Its document before, as text; None when there was none."""
        self._changes(kind.name)
        return await self._before(self.statements.of(("remove", kind.name), lambda: removal(kind)), {"of": id})

    async def _before(self, change: Statement, values: Mapping[str, Any]) -> str | None:
        """The document that a statement returns."""
        await self.begin()
        parameters = change.parameters(values)
        if self._writer is not None:
            rows = await self._writer.returned(change.text, parameters)
        else:
            assert self._direct is not None
            rows = await self._direct.fetched(self._own(), change.text, parameters)
        return str(rows[0][0]) if rows else None

    async def begin(self) -> None:
        """Open the writing transaction, unless it is open."""
        if not self._begun:
            await self._begin()

    async def _begin(self, then: str = "") -> None:
        """Open the writing transaction, on PostgreSQL with another statement in the same message."""
        if self._writer is not None:
            await self._writer.begin()
            self._begun = True
        elif self._direct is not None:
            # Set first: what was begun is rolled back also if waiting for a lock is cancelled.
            self._begun = True
            beginning = f"BEGIN ISOLATION LEVEL READ COMMITTED;{then}"
            await self.connected()
            try:
                await self._direct.executed(self._own(), beginning)
            except DBAPIError:
                if self._lent is not None and self._lent.is_valid and is_open(self._lent.dbapi_connection):
                    raise
                # The database ended the connection, and nothing was changed: it begins once more on another one.
                await self.release()
                await self.connected()
                await self._direct.executed(self._own(), beginning)

    async def lock(self, name: str) -> None:
        """Wait for, and hold, the lock of this name until the unit ends. Read after it, then change."""
        key = lock_key(name)
        if self._direct is None:
            await self.begin()
        elif key not in self._locked:
            locking = f"SELECT pg_advisory_xact_lock({key})"
            if self._begun:
                await self._direct.executed(self._own(), locking)
            else:
                await self._begin(locking)
            self._locked.add(key)

    async def lock_all(self, names: Iterable[str]) -> None:
        """Hold the locks of all these names: one statement, and always in the same order, so that none deadlock."""
        await self.begin()
        keys = sorted({lock_key(name) for name in names} - self._locked)
        if self.dialect == "postgresql" and keys:
            listed = func.unnest(bindparam("keys", keys, ARRAY(BigInteger))).table_valued("key").render_derived()
            await self.rows(select(func.pg_advisory_xact_lock(listed.c.key)).select_from(listed))
            self._locked.update(keys)

    async def try_lock(self, name: str) -> bool:
        """Take the lock of this name until the unit ends, without waiting. False when another process holds it."""
        await self.begin()
        key = lock_key(name)
        if self.dialect == "postgresql" and key not in self._locked:
            if not (await self.first(select(func.pg_try_advisory_xact_lock(key))))[0]:
                return False
            self._locked.add(key)
        return True

    async def commit(self) -> None:
        """Commit the changes so far, independent of later ones (a counted failure before a refusal).

        On PostgreSQL the connection goes back: reads that follow take one each, and must not wait with another one.
        """
        await self.audit.write(self.known, self.insert_rows)
        if self._direct is not None and self._begun:
            if await self._direct.executed(self._own(), "COMMIT") != "COMMIT":
                raise RuntimeError("a statement of this unit failed, but the unit was committed")
        elif self._connection is not None:
            await self._connection.commit()
        if self._writer is not None and self._begun:
            try:
                await self._writer.commit()
            except BaseException:
                # It may be stored nevertheless.
                self._totals.clear()
                raise
            if self._reader is not None:
                self._totals.committed(self._reader.version(), self._writer.version(), self._changed)
            # The changes are stored. Whatever happens from here on, they are not to be rolled back.
            self._ended()
            await self._writer.end()
        self._ended()
        if self._direct is not None:
            await self.release()

    @asynccontextmanager
    async def released(self) -> AsyncIterator[None]:
        """Commit, and give the connection back while the block requests something of another service."""
        await self.commit()
        await self.release()
        yield

    async def rollback(self) -> None:
        """Roll back the changes that were not committed. On PostgreSQL the connection goes back, as after a commit."""
        self.audit.discard()
        begun = self._begun
        self._ended()
        if self._writer is not None and begun:
            await self._writer.rollback()
        if self._direct is not None and begun and self._lent is not None and self._lent.is_valid:
            # A connection that ended has rolled back. One that stays in a transaction is not used again.
            with suppress(DBAPIError):
                await self._direct.executed(self._lent, "ROLLBACK")
        elif self._connection is not None:
            await self._connection.rollback()
        if self._direct is not None:
            await self.release()

    async def release(self) -> None:
        """Return the connection."""
        if self._connection is not None:
            # Also when the request is cancelled: a connection that is not returned is lost.
            closing = self._connection.close() if self._direct is None else return_connection(self._connection)
            self._connection = self._lent = None
            await asyncio.shield(asyncio.ensure_future(closing))

    def _ended(self) -> None:
        self._begun, self._state, self._changed = False, None, set()
        self._locked.clear()
