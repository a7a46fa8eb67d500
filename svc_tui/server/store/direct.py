"""Statements that the driver of PostgreSQL executes without SQLAlchemy, which takes five times as long for each.

Connections are those of SQLAlchemy's pool, and so are the errors: who catches them need not know which way a statement
took. Nothing here begins a transaction by itself. A unit of work that changes something begins and ends its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util.concurrency import greenlet_spawn

R = TypeVar("R")

#: The transactions that a reader sees. It never returns to what it was.
_SNAPSHOT = "SELECT CAST(pg_current_snapshot() AS text)"


class DirectAccess:
    """The way to one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        #: Its connections do not begin transactions by themselves; what is executed on them is committed immediately.
        self.engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        dialect: Any = self.engine.sync_engine.dialect
        #: The errors of the driver as SQLAlchemy knows them.
        self._errors: Any = dialect.loaded_dbapi.Error
        self._asking: asyncio.Future[int] | None = None
        self._next: asyncio.Future[int] | None = None
        self._snapshot, self._state = "", 0

    async def selected(self, statement: str, parameters: Sequence[Any]) -> Sequence[Any]:
        """The rows of a statement, without a transaction. sqlalchemy.exc.DBAPIError as from SQLAlchemy.

        A connection that the database has just ended is replaced once: reading twice does no harm.
        """
        for last in (False, True):
            lent = await self._lent()
            try:
                return await self.fetched(lent, statement, parameters)
            except DBAPIError:
                if last or not _driver(lent).is_closed():
                    raise
            finally:
                await _returned(lent)
        raise AssertionError

    async def _lent(self) -> PoolProxiedConnection:
        try:
            return await self.engine.raw_connection()
        except self._errors as error:
            raise self._named("connect", error) from error

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
        [[snapshot]] = await self.selected(_SNAPSHOT, ())
        if snapshot != self._snapshot:
            self._snapshot = snapshot
            self._state += 1
        return self._state

    async def fetched(self, lent: PoolProxiedConnection, statement: str, parameters: Sequence[Any]) -> Sequence[Any]:
        """The rows of a statement on a connection."""
        rows: Sequence[Any] = await self._done(lent, statement, lambda driver: driver.fetch(statement, *parameters))
        return rows

    async def executed(self, lent: PoolProxiedConnection, statement: str, parameters: Sequence[Any] = ()) -> str:
        """Execute a statement, or several without parameters. What PostgreSQL calls it: `UPDATE 1`, `COMMIT`."""
        said = await self._done(lent, statement, lambda driver: driver.execute(statement, *parameters))
        return str(said)

    async def _done(self, lent: PoolProxiedConnection, statement: str, work: Callable[[Any], Awaitable[R]]) -> R:
        try:
            return await work(_driver(lent))
        except Exception as error:
            raise self._translated(lent, statement, error) from error

    def _translated(self, lent: PoolProxiedConnection, statement: str, error: Exception) -> BaseException:
        """The error as SQLAlchemy raises it."""
        adapter: Any = lent.dbapi_connection
        try:
            adapter._handle_exception(error)
        except self._errors as known:
            return self._named(statement, known)
        except Exception as other:
            return other
        return error

    def _named(self, statement: str, error: Exception) -> BaseException:
        # Values of records do not belong in messages.
        options: Any = {"hide_parameters": True, "dialect": self.engine.sync_engine.dialect}
        named: BaseException = DBAPIError.instance(statement, None, error, self._errors, **options)
        return named


async def pooled_connection(connection: AsyncConnection) -> PoolProxiedConnection:
    """The connection of the pool that SQLAlchemy uses here."""
    return await connection.get_raw_connection()


async def return_connection(connection: AsyncConnection) -> None:
    """Return a connection to the pool. One with an open transaction, whose rollback failed, is closed instead."""
    if not connection.closed and not connection.invalidated:
        driver = _driver(await pooled_connection(connection))
        if not driver.is_closed() and driver.is_in_transaction():
            await connection.invalidate()
    await connection.close()


def is_open(connection: Any) -> bool:
    """Whether the database has not ended a connection, which the driver knows without asking."""
    return not connection._connection.is_closed()


def _noted(answer: asyncio.Future[int]) -> None:
    """An error is that of those who wait. If all of them were cancelled, none is left to read it."""
    if not answer.cancelled():
        answer.exception()


def _driver(lent: PoolProxiedConnection) -> Any:
    return lent.driver_connection


async def _returned(lent: PoolProxiedConnection) -> None:
    # This waits only where the connection is closed, whose place in the pool is free whatever happens.
    await greenlet_spawn(lent.close)
