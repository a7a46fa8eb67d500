"""Events in the store: the outbox that a change writes to, and each user's log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.tables import EVENT_LOG, OUTBOX, Document
from svc_tui.server.store.transaction import Transaction


def _logged(created: str, document: Document) -> Document:
    return {"name": document["name"], "content": document["content"], "created": created}


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its name, the user ids of its recipients, and its content."""

    name: str
    recipients: tuple[str, ...]
    content: Document


class Events:
    """The outbox, and the log of events of each user."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        #: Whether this unit added an event, which is to be delivered once the unit is committed.
        self.added = False

    async def add(self, event: Event, *, now: datetime) -> None:
        """Add an event. It is delivered only when this unit is committed."""
        await self._transaction.begin()
        document = {"name": event.name, "recipients": list(event.recipients), "content": event.content}
        await self._transaction.connection.execute(insert(OUTBOX), [{"created": stamp(now), "document": document}])
        self.added = True

    async def deliver(self, *, most: int = 500) -> int:
        """Move the oldest events from the outbox to the logs of their recipients. Returns how many there were."""
        await self._transaction.lock("outbox")
        found = await self._transaction.connection.execute(select(OUTBOX).order_by(OUTBOX.c.number).limit(most))
        waiting = found.all()
        logged = [
            {"user_id": recipient, "created": row.created, "document": _logged(row.created, row.document)}
            for row in waiting
            for recipient in row.document["recipients"]
        ]
        if logged:
            await self._transaction.connection.execute(insert(EVENT_LOG), logged)
        if waiting:
            await self._transaction.connection.execute(delete(OUTBOX).where(OUTBOX.c.number <= waiting[-1].number))
        return len(waiting)

    async def log_of(self, user_id: str, *, after: int = 0, limit: int = 100) -> list[tuple[int, Document]]:
        """The events of a user after a number, each with its number: {name, content, created}."""
        query = (
            select(EVENT_LOG.c.number, EVENT_LOG.c.document)
            .where(EVENT_LOG.c.user_id == user_id, EVENT_LOG.c.number > after)
            .order_by(EVENT_LOG.c.number)
            .limit(limit)
        )
        return [(int(row[0]), dict(row[1])) for row in await self._transaction.connection.execute(query)]
