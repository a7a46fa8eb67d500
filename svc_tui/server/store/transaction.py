"""One unit of work on the database: its transaction and its locks. How each database does it: `session.py`."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import CursorResult, Table, Text, cast, delete, select, update
from sqlalchemy.sql import Executable

from svc_tui.server.store.audit import Audit
from svc_tui.server.store.read_cache import Encoded, ReadCache
from svc_tui.server.store.session import Session, Values
from svc_tui.server.store.tables import DocumentTable, PreparedRow

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

#: Number of locks that all users share, and the first of them: above those of all other names.
_USER_LOCKS, _USERS_FROM = 1024, 2**32


def lock_key(name: str) -> int:
    """The number of a lock. PostgreSQL has room for some thousand locks at a time. One unit can change all users of a
    company, so users share a limited number of locks."""
    number = zlib.crc32(name.encode())
    return _USERS_FROM + number % _USER_LOCKS if name.startswith("user:") else number


def _nothing() -> None:
    """Without a delivery, no task waits for events."""


@dataclass
class SharedState:
    """What all units of work on a database have in common."""

    encoded: Encoded = field(default_factory=Encoded)
    kept: ReadCache = field(default_factory=ReadCache)
    #: Called after a commit with new events.
    wake_delivery: Callable[[], None] = _nothing


class Transaction:
    """Either all or none of its changes are stored.

    Reads need no transaction. `lock` and every change open one; `commit` and `rollback` end it.
    """

    def __init__(self, session: Session, shared: SharedState) -> None:
        self._session, self.shared = session, shared
        self._known_state: int | None = None
        self._locked: set[int] = set()
        self._after_commit: list[Callable[[], None]] = []
        #: The audit records of the changes so far.
        self.audit = Audit()
        #: Called with the number of rows that were inserted together.
        self.inserted: list[Callable[[int], None]] = []

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`, for the few statements that differ."""
        return self._session.dialect

    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An INSERT of the dialect, with its ON CONFLICT clauses."""
        return self._session.insert(table)

    def after_commit(self, act: Callable[[], None]) -> None:
        """Call a function once the changes so far are stored, to wake tasks that depend on them; not after a rollback.
        The same function is called once."""
        if act not in self._after_commit:
            self._after_commit.append(act)

    async def state(self) -> int | None:
        """The state of the database: it equals its last value only if nothing was committed since, and grows otherwise.
        None if this unit may have changed something."""
        if self._session.is_changing:
            return None
        if self._known_state is None:
            # It stays the same for the length of the reads of this unit.
            self._known_state = await self._session.state()
        return self._known_state

    async def rows(self, query: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """The rows of a query, with the changes of this unit. `values` are those of its parameters."""
        return await self._session.rows(query, values)

    async def first(self, query: Executable) -> Any:
        """The first row of a query; None without one."""
        rows = await self.rows(query)
        return rows[0] if rows else None

    async def change(self, statement: Executable, values: Values = None, *, brief: bool = False) -> CursorResult[Any]:
        """Execute a statement that changes something, for several rows where `values` has several.

        `brief`: it changes a few rows that it finds by an index. SQLite then does it at once, on the event loop.
        """
        await self.begin()
        return await self._session.change(statement, values, brief=brief)

    async def insert_rows(self, kind: DocumentTable, rows: Sequence[PreparedRow]) -> None:
        """Insert rows. sqlalchemy.exc.IntegrityError when one of them, or its unique value, exists."""
        await self.begin()
        await self._session.insert_rows(kind, rows)
        for called in self.inserted:
            called(len(rows))

    async def put_rows(self, kind: DocumentTable, rows: Sequence[PreparedRow]) -> None:
        """Insert or replace rows by their ids. Of several with the same id the last one stays."""
        await self.begin()
        await self._session.insert_rows(kind, [*{row[0]: row for row in rows}.values()], replace=True)
        for called in self.inserted:
            called(len(rows))

    async def replace_row(self, kind: DocumentTable, row: Mapping[str, Any]) -> str | None:
        """Replace the row with this id. Its document before, as text; None when there was none."""
        await self.begin()
        table = kind.table
        # No other change comes between the two.
        before = await self.first(select(cast(table.c.document, Text)).where(table.c.id == row["id"]).with_for_update())
        if before is None:
            return None
        await self.change(update(table).where(table.c.id == row["id"]).values(**row), brief=True)
        return str(before[0])

    async def remove_row(self, kind: DocumentTable, id: str) -> str | None:
        """Remove the row with this id. Its document before, as text; None when there was none."""
        statement = delete(kind.table).where(kind.table.c.id == id).returning(cast(kind.table.c.document, Text))
        removed = (await self.change(statement, brief=True)).first()
        return None if removed is None else str(removed[0])

    async def begin(self) -> None:
        """Open the writing transaction, unless it is open."""
        if not self._session.is_changing:
            await self._session.begin()

    async def lock(self, name: str) -> None:
        """Wait for, and hold, the lock of this name until the unit ends. Read after it, then change."""
        await self.lock_all((name,))

    async def lock_all(self, names: Iterable[str]) -> None:
        """Hold the locks of all these names: one statement, and always in the same order, so that none deadlock."""
        await self.begin()
        if keys := sorted({lock_key(name) for name in names} - self._locked):
            await self._session.lock(keys)
            self._locked.update(keys)

    async def try_lock(self, name: str) -> bool:
        """Take the lock of this name until the unit ends, without waiting. False when another process holds it."""
        await self.begin()
        key = lock_key(name)
        if key not in self._locked and not await self._session.try_lock(key):
            return False
        self._locked.add(key)
        return True

    async def commit(self) -> None:
        """Commit the changes so far, independent of later ones (a counted failure before a refusal)."""
        await self.audit.write(self.rows, self.insert_rows)
        if self._session.is_changing:
            await self._session.commit()
        self._end()
        acts, self._after_commit = self._after_commit, []
        for act in acts:
            act()

    @asynccontextmanager
    async def released(self) -> AsyncIterator[None]:
        """Commit, so that nothing is held while the block requests something of another service."""
        await self.commit()
        yield

    async def rollback(self) -> None:
        """Roll back the changes that were not committed."""
        self.audit.discard()
        self._after_commit.clear()
        self._end()
        if self._session.is_changing:
            await self._session.rollback()

    async def release(self) -> None:
        """The unit ends: nothing of it is held any more."""
        await self._session.release()

    def _end(self) -> None:
        self._known_state = None
        self._locked.clear()
