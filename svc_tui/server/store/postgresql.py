"""PostgreSQL: reads on a connection each, changes on one that the unit holds until they are stored or undone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Boolean,
    Column,
    CursorResult,
    Insert,
    Select,
    Table,
    Text,
    bindparam,
    cast,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql import Executable
from sqlalchemy.types import TypeEngine

from svc_tui.server.store.session import Session, Values
from svc_tui.server.store.tables import DocumentTable, PreparedRow

R = TypeVar("R")

#: Rows that one statement inserts.
_MOST_ROWS = 1000
#: The transactions that a reader sees. It never returns to what it was.
_SNAPSHOT = text("SELECT CAST(pg_current_snapshot() AS text)")


class PostgresAccess:
    """What all sessions on one database share: its engine, and the question whether anything was committed."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        #: Its connections begin no transaction.
        self.reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._asking: asyncio.Future[int] | None = None
        self._next: asyncio.Future[int] | None = None
        self._snapshot, self._state = "", 0

    async def rows(self, query: Executable, values: Values = None) -> Sequence[Any]:
        """The rows of a query, on a connection that goes back at once."""

        async def read() -> Sequence[Any]:
            async with self.reading.connect() as connection:
                return (await connection.execute(query, values)).all()

        return await on_another(read)

    async def state(self) -> int:
        """A number that grows when something was committed since the last time, by any process.

        All who come before the question is sent share its answer.
        """
        if self._next is None or self._next.done():
            self._next = asyncio.ensure_future(self._asked(self._asking))
            self._next.add_done_callback(_noted)
        return await asyncio.shield(self._next)

    async def _asked(self, before: asyncio.Future[int] | None) -> int:
        if before is not None and not before.done():
            await asyncio.wait([before])
        # Who comes from here on may have seen a later commit, and asks again.
        self._asking, self._next = self._next, None
        [[snapshot]] = await self.rows(_SNAPSHOT)
        if snapshot != self._snapshot:
            self._snapshot = snapshot
            self._state += 1
        return self._state


class PostgresSession(Session):
    """The way of one unit of work."""

    dialect = "postgresql"

    def __init__(self, access: PostgresAccess) -> None:
        self._access = access
        self._connection: AsyncConnection | None = None
        #: Whether a statement of this transaction was executed, and whether one failed.
        self._has_run = self._has_failed = False

    async def rows(self, query: Executable, values: Values = None) -> Sequence[Any]:
        if self.is_changing:
            return (await self._run(query, values)).all()
        return await self._access.rows(query, values)

    async def change(self, statement: Executable, values: Values = None, *, brief: bool = False) -> CursorResult[Any]:
        return await self._run(statement, values)

    async def _run(self, statement: Executable, values: Values) -> CursorResult[Any]:
        """Execute a statement in the transaction. Every statement of it passes here: a failed one, or a cancelled one,
        ends it, and its COMMIT would undo all changes without an error."""

        async def run() -> CursorResult[Any]:
            if self._connection is None:
                self._connection = await self._access.engine.connect()
            try:
                result = await self._connection.execute(statement, values)
            except DBAPIError as error:
                if error.connection_invalidated and not self._has_run:
                    # Nothing was changed on it.
                    await self._give_back()
                raise
            self._has_run = True
            return result

        try:
            return await (run() if self._has_run else on_another(run))
        except BaseException:
            self._has_failed = True
            raise

    async def insert_rows(self, kind: DocumentTable, rows: Sequence[PreparedRow], *, replace: bool = False) -> None:
        statement = _upsertion(kind) if replace else _insertion(kind)
        for start in range(0, len(rows), _MOST_ROWS):
            lists = map(list, zip(*rows[start : start + _MOST_ROWS], strict=True))
            await self._run(statement, dict(zip(kind.names, lists, strict=True)))

    def insert(self, table: Table) -> postgresql.Insert:
        return postgresql.insert(table)

    async def begin(self) -> None:
        # The first statement begins it. Set before: what is begun is rolled back also if waiting is cancelled.
        self.is_changing, self._has_run, self._has_failed = True, False, False

    async def lock(self, keys: Collection[int]) -> None:
        listed = func.unnest(bindparam("keys", list(keys), ARRAY(BigInteger))).table_valued("key").render_derived()
        await self._run(select(func.pg_advisory_xact_lock(listed.c.key)).select_from(listed), None)

    async def try_lock(self, key: int) -> bool:
        return bool((await self._run(select(func.pg_try_advisory_xact_lock(key)), None)).scalar_one())

    async def commit(self) -> None:
        if self._has_failed:
            raise RuntimeError("a statement of this unit failed, but the unit was committed")
        if self._connection is not None:
            await self._connection.commit()
        # Reads that follow take a connection each, and must not wait with another one.
        await self.release()

    async def rollback(self) -> None:
        # A connection that ended has rolled back.
        with suppress(DBAPIError):
            if self._connection is not None:
                await self._connection.rollback()
        await self.release()

    async def release(self) -> None:
        self.is_changing = False
        await self._give_back()

    async def _give_back(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            # Also when the request is cancelled: a connection that is not returned is lost.
            await asyncio.shield(asyncio.ensure_future(_returned(connection)))

    async def state(self) -> int | None:
        return await self._access.state()


async def on_another(work: Callable[[], Awaitable[R]]) -> R:
    """Do some work, and once more if the database had just ended its connection: nothing was changed then."""
    try:
        return await work()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
    return await work()


def is_open(connection: Any) -> bool:
    """Whether the database has not ended a connection, which the driver knows without asking."""
    return not connection._connection.is_closed()


async def _returned(connection: AsyncConnection) -> None:
    """Return a connection to the pool. One with an open transaction, whose rollback failed, is closed instead."""
    with suppress(DBAPIError):
        await connection.rollback()
    if not connection.closed and not connection.invalidated:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        if not driver.is_closed() and driver.is_in_transaction():
            await connection.invalidate()
    await connection.close()


def _noted(answer: asyncio.Future[int]) -> None:
    """An error is that of those who wait. If all of them were cancelled, none is left to read it."""
    if not answer.cancelled():
        answer.exception()


def _insertion(kind: DocumentTable) -> Insert:
    """The insertion of many rows by one statement. Each parameter has the values of one column."""
    return insert(kind.table).from_select(*_unnested(kind))


def _upsertion(kind: DocumentTable) -> Insert:
    """The same for rows of which some replace others."""
    new = postgresql.insert(kind.table).from_select(*_unnested(kind))
    values = {name: new.excluded[name] for name in kind.names if name != "id"}
    return new.on_conflict_do_update(index_elements=["id"], set_=values)


def _unnested(kind: DocumentTable) -> tuple[list[str], Select[Any]]:
    """The columns of a table, and the rows whose columns are parameters, with documents as text."""
    lists = [bindparam(column.name, type_=ARRAY(_plain_type(column))) for column in kind.table.c]
    rows = func.unnest(*lists).table_valued(*kind.names, name="new").render_derived()
    columns = [
        cast(rows.c[each.name], JSON) if isinstance(each.type, JSON) else rows.c[each.name] for each in kind.table.c
    ]
    return [*kind.names], select(*columns)


def _plain_type(column: Column[Any]) -> TypeEngine[Any]:
    return column.type if isinstance(column.type, Boolean) else Text()
