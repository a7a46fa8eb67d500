"""Tickets in the store: values that expire, most of them used once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, PrimaryKeyConstraint, Table, and_, delete, func, select, update

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.tables import TEXT, Document, metadata
from svc_tui.server.store.transaction import Transaction

#: Values that expire, most of them used once: challenges, TOTP steps, states of single sign-on.
TICKETS = Table(
    "tickets",
    metadata,
    Column("kind", TEXT, nullable=False),
    Column("id", TEXT, nullable=False),
    Column("expires", TEXT, nullable=False),
    Column("document", JSON, nullable=False),
    PrimaryKeyConstraint("kind", "id"),
    Index("ix_tickets_expires", "expires"),
)


class Tickets:
    """Values that expire. A ticket is identified by its kind and id."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def add(self, kind: str, id: str, *, now: datetime, expires: datetime, document: Document) -> bool:
        """Add a ticket. False when a valid one exists. Of several concurrent calls exactly one gets True."""
        await self.remove_expired(now=now)
        row = {"kind": kind, "id": id, "expires": stamp(expires), "document": document}
        query = self._transaction.insert(TICKETS).values(row).on_conflict_do_nothing()
        return bool((await self._transaction.change(query, brief=True)).rowcount)

    async def remove_expired(self, *, now: datetime) -> None:
        """Remove the tickets that are no longer valid."""
        await self._transaction.change(delete(TICKETS).where(TICKETS.c.expires < stamp(now)))

    async def read(self, kind: str, id: str, *, now: datetime) -> Document | None:
        """The content of a valid ticket."""
        query = select(TICKETS.c.document).where(self._is(kind, id), TICKETS.c.expires >= stamp(now))
        row = await self._transaction.first(query)
        return None if row is None else dict(row[0])

    async def count(self, kind: str, *, now: datetime) -> int:
        """How many valid tickets of a kind there are."""
        query = select(func.count()).where(TICKETS.c.kind == kind, TICKETS.c.expires >= stamp(now))
        row = await self._transaction.first(query)
        return int(row[0]) if row is not None else 0

    async def remove(self, kind: str, id: str) -> None:
        """Remove a ticket."""
        await self._transaction.change(delete(TICKETS).where(self._is(kind, id)), brief=True)

    async def change(self, kind: str, id: str, document: Document) -> bool:
        """Replace the content of a ticket. False when it does not exist."""
        query = update(TICKETS).where(self._is(kind, id)).values(document=document)
        return bool((await self._transaction.change(query, brief=True)).rowcount)

    async def renew(self, kinds: Iterable[str], id: str, *, expires: datetime) -> None:
        """Let the tickets of these kinds with this id expire later. One that has expired is there again, empty."""
        rows = [{"kind": kind, "id": id, "expires": stamp(expires), "document": {}} for kind in kinds]
        new = self._transaction.insert(TICKETS).values(rows)
        again = new.on_conflict_do_update(index_elements=["kind", "id"], set_={"expires": new.excluded.expires})
        await self._transaction.change(again, brief=True)

    async def take(self, kind: str, id: str, *, now: datetime) -> Document | None:
        """Take a ticket out. Of several concurrent calls exactly one gets its content."""
        found = await self.read(kind, id, now=now)
        gone = await self._transaction.change(delete(TICKETS).where(self._is(kind, id)), brief=True)
        return found if gone.rowcount else None

    @staticmethod
    def _is(kind: str, id: str) -> Any:
        return and_(TICKETS.c.kind == kind, TICKETS.c.id == id)
