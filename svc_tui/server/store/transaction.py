"""One unit of work on the database: its connection, its transaction and its locks."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Table, func, select, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from svc_tui.late import late

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql
else:
    postgresql = late("sqlalchemy.dialects.postgresql")

#: Number of locks that all users share, and the first of them: above those of all other names.
_USER_LOCKS, _USERS_FROM = 1024, 2**32


def lock_key(name: str) -> int:
    """The number of a lock. PostgreSQL has room for some thousand locks at a time. One unit can change all users of a
    company, so users share a limited number of locks."""
    number = zlib.crc32(name.encode())
    return _USERS_FROM + number % _USER_LOCKS if name.startswith("user:") else number


class Transaction:
    """Either all or none of its changes are stored.

    Reads need no transaction. `lock` and every change open one, on SQLite exclusively.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.dialect = connection.dialect.name
        self._begun = False
        self._locked: set[int] = set()
        #: Called after the commit, to wake tasks that depend on these changes.
        self.afterwards: list[Callable[[], None]] = []

    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An INSERT of the dialect, with its ON CONFLICT clauses."""
        return postgresql.insert(table) if self.dialect == "postgresql" else sqlite.insert(table)

    async def begin(self) -> None:
        """Open the writing transaction, unless it is open."""
        if not self._begun:
            self._begun = True
            if self.dialect == "sqlite":
                await self.connection.execute(text("BEGIN IMMEDIATE"))

    async def lock(self, name: str) -> None:
        """Wait for, and hold, the lock of this name until the unit ends. Read after it, then change."""
        await self.begin()
        key = lock_key(name)
        if self.dialect == "postgresql" and key not in self._locked:
            await self.connection.execute(select(func.pg_advisory_xact_lock(key)))
            self._locked.add(key)

    async def try_lock(self, name: str) -> bool:
        """Take the lock of this name until the unit ends, without waiting. False when another process holds it."""
        await self.begin()
        key = lock_key(name)
        if self.dialect == "postgresql" and key not in self._locked:
            if not (await self.connection.execute(select(func.pg_try_advisory_xact_lock(key)))).scalar_one():
                return False
            self._locked.add(key)
        return True

    async def commit(self) -> None:
        """Commit the changes so far, independent of later ones (a counted failure before a refusal)."""
        await self.connection.commit()
        self._ended()

    @asynccontextmanager
    async def released(self) -> AsyncIterator[None]:
        """Commit, and give the connection back while the block requests something of another service."""
        await self.commit()
        await self.connection.close()
        try:
            yield
        finally:
            self.connection = await self.connection.engine.connect()

    async def rollback(self) -> None:
        """Roll back the changes that were not committed."""
        await self.connection.rollback()
        self._ended()

    def _ended(self) -> None:
        self._begun = False
        self._locked.clear()
