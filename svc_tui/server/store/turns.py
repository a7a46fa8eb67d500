"""Turns of background jobs: when each job is due next, and which process is at it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Table, select

from svc_tui.interface.timestamps import moment, stamp
from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

TURNS = Table("turns", metadata, Column("name", TEXT, primary_key=True), Column("due", TEXT, nullable=False))


class Turns:
    """The turns of all jobs that the processes share."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def due(self, name: str) -> datetime | None:
        """When a job is due; None when no process has had it yet."""
        query = select(TURNS.c.due).where(TURNS.c.name == name)
        row = await self._transaction.first(query)
        return moment(row[0]) if row is not None else None

    async def take(self, name: str, *, now: datetime) -> bool:
        """Take the turn of a job that is due. False when another process is at it, or was.

        On PostgreSQL the turn ends with the unit, also when this process is killed. SQLite serves one process.
        """
        if self._transaction.dialect == "sqlite":
            return True
        new = self._transaction.insert(TURNS).values(name=name, due=stamp(now)).on_conflict_do_nothing()
        await self._transaction.change(new)
        # Others wait for a new row until it is committed.
        await self._transaction.commit()
        # The lock of the row is held until this unit ends: its next change must not begin another transaction.
        await self._transaction.begin()
        query = select(TURNS.c.name).where(TURNS.c.name == name, TURNS.c.due <= stamp(now))
        return bool(await self._transaction.rows(query.with_for_update(skip_locked=True)))

    async def set_due(self, name: str, due: datetime) -> None:
        """Note when a job is due: it was done, or no process has had it yet."""
        new = self._transaction.insert(TURNS).values(name=name, due=stamp(due))
        changed = new.on_conflict_do_update(index_elements=["name"], set_={"due": new.excluded.due})
        await self._transaction.change(changed, brief=True)
