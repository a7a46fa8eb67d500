"""Events in the store: the outbox that a change writes to, each user's log of events that are not yet delivered, and
the open sessions that they are sent to."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, update

from svc_tui.interface.dates import stamp
from svc_tui.server.store.sqlite import MOST_BRIEF
from svc_tui.server.store.tables import EVENT_LOG, EVENT_SESSIONS, OUTBOX, Document
from svc_tui.server.store.transaction import Transaction


def _logged(created: str, document: Document) -> Document:
    return {"id": document["id"], "name": document["name"], "content": document["content"], "created": created}


def _new_id() -> str:
    return secrets.token_hex(12)


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its name, the user ids of its recipients, and its content. By its `id` a receiver drops a repeat."""

    name: str
    recipients: tuple[str, ...]
    content: Document
    id: str = field(default_factory=_new_id)


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a user's log. `document` is {id, name, content, created}; a later event has a higher `number`."""

    number: int
    user_id: str
    document: Document


class Events:
    """The outbox, and the log of events of each user."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def add(self, event: Event, *, now: datetime) -> None:
        """Add an event. It is delivered only when this unit is committed."""
        document = {
            "id": event.id,
            "name": event.name,
            "recipients": list(event.recipients),
            "content": event.content,
        }
        await self._transaction.change(insert(OUTBOX), [{"created": stamp(now), "document": document}], brief=True)
        self._transaction.after_commit(self._transaction.shared.wake_delivery)

    async def deliver(self, *, most: int = 500) -> int:
        """Move the oldest events from the outbox to the logs of their recipients. Returns how many there were.

        One process moves at a time. So the numbers of the log are in the order of commits: a reader that has seen a
        number never misses a lower one.
        """
        if not await self.waiting():
            return 0
        await self._transaction.lock("outbox")
        waiting = await self._transaction.rows(select(OUTBOX).order_by(OUTBOX.c.number).limit(most))
        logged = [
            {"user_id": recipient, "created": row.created, "document": _logged(row.created, row.document)}
            for row in waiting
            for recipient in row.document["recipients"]
        ]
        if logged:
            await self._transaction.change(insert(EVENT_LOG), logged, brief=len(logged) <= MOST_BRIEF)
        if waiting:
            numbers = [row.number for row in waiting]
            gone = delete(OUTBOX).where(OUTBOX.c.number.in_(numbers))
            await self._transaction.change(gone, brief=len(numbers) <= MOST_BRIEF)
        return len(waiting)

    async def waiting(self) -> bool:
        """Whether there are events in the outbox."""
        return bool(await self._transaction.rows(select(OUTBOX.c.number).limit(1)))

    async def log_of(self, user_id: str, *, after: int = 0, limit: int = 100) -> list[tuple[int, Document]]:
        """The events of a user after a number, each with its number."""
        query = _log(after, limit).where(EVENT_LOG.c.user_id == user_id)
        return [(event.number, event.document) for event in await self._read(query)]

    async def log(self, *, after: int = 0, limit: int = 100) -> list[LoggedEvent]:
        """The events of all users after a number."""
        return await self._read(_log(after, limit))

    async def last(self) -> int:
        """The highest number of the log; 0 when it is empty."""
        row = await self._transaction.first(select(func.max(EVENT_LOG.c.number)))
        return int(row[0] or 0) if row is not None else 0

    async def recipients(self, *, after: int) -> tuple[int, set[str]]:
        """The highest number of the log, and the users with events after a number."""
        query = select(EVENT_LOG.c.user_id, func.max(EVENT_LOG.c.number)).where(EVENT_LOG.c.number > after)
        rows = await self._transaction.rows(query.group_by(EVENT_LOG.c.user_id))
        return max((int(row[1]) for row in rows), default=after), {str(row[0]) for row in rows}

    async def remove(self, numbers: Collection[int]) -> None:
        """Remove delivered events."""
        await self._transaction.change(delete(EVENT_LOG).where(EVENT_LOG.c.number.in_(numbers)))

    async def remove_acknowledged(self, user_id: str) -> None:
        """Remove the events of a user that all sessions with events acknowledged."""
        slowest = (
            select(func.min(EVENT_SESSIONS.c.acknowledged)).where(EVENT_SESSIONS.c.user_id == user_id).scalar_subquery()
        )
        query = delete(EVENT_LOG).where(EVENT_LOG.c.user_id == user_id, EVENT_LOG.c.number <= slowest)
        await self._transaction.change(query)

    async def remove_before(self, moment: datetime) -> int:
        """Remove events that are older, delivered or not. Returns how many there were."""
        query = delete(EVENT_LOG).where(EVENT_LOG.c.created < stamp(moment))
        return (await self._transaction.change(query)).rowcount

    async def _read(self, query: Select[Any]) -> list[LoggedEvent]:
        rows = await self._transaction.rows(query)
        return [LoggedEvent(int(row[0]), str(row[1]), dict(row[2])) for row in rows]


def _log(after: int, limit: int) -> Select[Any]:
    columns = select(EVENT_LOG.c.number, EVENT_LOG.c.user_id, EVENT_LOG.c.document)
    return columns.where(EVENT_LOG.c.number > after).order_by(EVENT_LOG.c.number).limit(limit)


class EventSessions:
    """The open sessions. A session that is missing here has been ended: replaced, closed, or its process was silent."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def open(self, id: str, user_id: str, resource: str, process: str, *, most: int, now: datetime) -> bool:
        """Open a session, which replaces one with the same resource. False when the user has `most` others."""
        await self._transaction.lock(f"events:{user_id}")
        own = EVENT_SESSIONS.c.user_id == user_id
        await self._transaction.change(
            delete(EVENT_SESSIONS).where(own, EVENT_SESSIONS.c.resource == resource), brief=True
        )
        count = await self._transaction.first(select(func.count()).select_from(EVENT_SESSIONS).where(own))
        if count is not None and count[0] >= most:
            return False
        row = {"id": id, "user_id": user_id, "resource": resource, "process": process, "seen": stamp(now)}
        await self._transaction.change(insert(EVENT_SESSIONS).values(row), brief=True)
        return True

    async def acknowledge(self, id: str, number: int | None) -> bool:
        """Note the last event that a session acknowledged; None when it takes no events. False if it was ended."""
        query = update(EVENT_SESSIONS).where(EVENT_SESSIONS.c.id == id).values(acknowledged=number)
        return bool((await self._transaction.change(query, brief=True)).rowcount)

    async def close(self, id: str) -> None:
        """End a session."""
        await self._transaction.change(delete(EVENT_SESSIONS).where(EVENT_SESSIONS.c.id == id), brief=True)

    async def seen(self, process: str, *, now: datetime) -> set[str]:
        """Note that a process is alive. Returns the ids of its sessions that were not ended elsewhere."""
        own = EVENT_SESSIONS.c.process == process
        await self._transaction.change(update(EVENT_SESSIONS).where(own).values(seen=stamp(now)))
        return await self.ids(process)

    async def ids(self, process: str) -> set[str]:
        """The ids of the sessions of a process that were not ended elsewhere."""
        own = select(EVENT_SESSIONS.c.id).where(EVENT_SESSIONS.c.process == process)
        return {str(row[0]) for row in await self._transaction.rows(own)}

    async def end_all(self, user_id: str) -> None:
        """End the sessions of a user."""
        await self._transaction.change(delete(EVENT_SESSIONS).where(EVENT_SESSIONS.c.user_id == user_id))

    async def expire(self, before: datetime) -> int:
        """End the sessions of processes that are silent since this time. Returns how many there were."""
        query = delete(EVENT_SESSIONS).where(EVENT_SESSIONS.c.seen < stamp(before))
        return int((await self._transaction.change(query)).rowcount)
