"""Server processes that are alive, of all machines: each notes every few seconds that it is."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Table, delete, select

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

PROCESSES = Table("processes", metadata, Column("id", TEXT, primary_key=True), Column("seen", TEXT, nullable=False))


class Processes:
    """The processes on this database."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def seen(self, id: str, *, now: datetime) -> None:
        """Note that a process is alive."""
        new = self._transaction.insert(PROCESSES).values(id=id, seen=stamp(now))
        changed = new.on_conflict_do_update(index_elements=["id"], set_={"seen": new.excluded.seen})
        await self._transaction.change(changed, brief=True)

    async def is_alive(self, id: str, *, since: datetime) -> bool:
        """Whether a process noted after this time that it is alive."""
        query = select(PROCESSES.c.id).where(PROCESSES.c.id == id, PROCESSES.c.seen > stamp(since))
        return await self._transaction.first(query) is not None

    async def remove(self, id: str) -> None:
        """Note that a process ends."""
        await self._transaction.change(delete(PROCESSES).where(PROCESSES.c.id == id))

    async def remove_silent(self, *, since: datetime) -> None:
        """Remove the processes that were silent after this time."""
        await self._transaction.change(delete(PROCESSES).where(PROCESSES.c.seen <= stamp(since)))
