"""Events in the store: the outbox that a change writes to, and each user's log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.tables import EVENT_LOG, OUTBOX, Document
from svc_tui.server.store.transaction import Transaction


def _shown(created: str, document: Document) -> Document:
    return {"name": document["name"], "content": document["content"], "created": created}


@dataclass(frozen=True, slots=True)
class Event:
    """What is told to whom: the element's name, the recipients' user ids, and what stands in it."""

    name: str
    recipients: tuple[str, ...]
    content: Document


class Events:
    """The outbox, and the log of what each user was told."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        #: Whether this unit told something; whoever delivers looks at it when the unit is kept.
        self.added = False

    async def add(self, event: Event, *, now: datetime) -> None:
        """Write an event that is delivered if, and only if, this unit is kept."""
        await self._transaction.begin()
        document = {"name": event.name, "recipients": list(event.recipients), "content": event.content}
        await self._transaction.connection.execute(insert(OUTBOX), [{"created": stamp(now), "document": document}])
        self.added = True

    async def deliver(self, *, most: int = 500) -> int:
        """Move the oldest events from the outbox to their recipients' logs, in order; how many there were."""
        await self._transaction.lock("outbox")
        found = await self._transaction.connection.execute(select(OUTBOX).order_by(OUTBOX.c.number).limit(most))
        waiting = found.all()
        told = [
            {"user_id": recipient, "created": row.created, "document": _shown(row.created, row.document)}
            for row in waiting
            for recipient in row.document["recipients"]
        ]
        if told:
            await self._transaction.connection.execute(insert(EVENT_LOG), told)
        if waiting:
            await self._transaction.connection.execute(delete(OUTBOX).where(OUTBOX.c.number <= waiting[-1].number))
        return len(waiting)

    async def log_of(self, user_id: str, *, after: int = 0, limit: int = 100) -> list[tuple[int, Document]]:
        """What a user was told after a number, with the numbers: {name, content, created}."""
        query = (
            select(EVENT_LOG.c.number, EVENT_LOG.c.document)
            .where(EVENT_LOG.c.user_id == user_id, EVENT_LOG.c.number > after)
            .order_by(EVENT_LOG.c.number)
            .limit(limit)
        )
        return [(int(row[0]), dict(row[1])) for row in await self._transaction.connection.execute(query)]
