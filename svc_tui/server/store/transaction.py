"""One unit of work on the database: its connection, its transaction and the names that it has locked."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from sqlalchemy import Table, func, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

#: Locks that all users share, and where their numbers begin: behind those of all other names.
_USER_LOCKS, _USERS_FROM = 1024, 2**32


def lock_key(name: str) -> int:
    """The number of a lock. PostgreSQL has room for some thousand locks at a time: users, of whom one unit may change
    all of a company, share a limited number of them."""
    number = zlib.crc32(name.encode())
    return _USERS_FROM + number % _USER_LOCKS if name.startswith("user:") else number


class Transaction:
    """All or nothing of what is written through it is kept.

    Reading needs no transaction. `lock` and every change open one, on SQLite for this unit alone.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.dialect = connection.dialect.name
        self._begun = False
        self._locked: set[int] = set()
        #: Called once this unit is kept: wakes the tasks that wait for what it wrote.
        self.afterwards: list[Callable[[], None]] = []

    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An INSERT that can say what happens to a row that exists already."""
        return postgresql.insert(table) if self.dialect == "postgresql" else sqlite.insert(table)

    async def begin(self) -> None:
        """Open the writing transaction, if it is not open yet."""
        if not self._begun:
            self._begun = True
            if self.dialect == "sqlite":
                await self.connection.execute(text("BEGIN IMMEDIATE"))

    async def lock(self, name: str) -> None:
        """Nobody else who locks this name goes on before this unit ends; read after it, then change."""
        await self.begin()
        key = lock_key(name)
        if self.dialect == "postgresql" and key not in self._locked:
            await self.connection.execute(select(func.pg_advisory_xact_lock(key)))
            self._locked.add(key)

    async def commit(self) -> None:
        """Keep what was changed so far, whatever becomes of the rest (a counted failure before a refusal)."""
        await self.connection.commit()
        self._over()

    async def rollback(self) -> None:
        """Undo what was changed and not kept."""
        await self.connection.rollback()
        self._over()

    def _over(self) -> None:
        self._begun = False
        self._locked.clear()
