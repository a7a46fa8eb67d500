"""Sessions that events are sent to, of all server processes: how far each of them has acknowledged."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, insert, select, update

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.tables import EVENT_SESSIONS
from svc_tui.server.store.transaction import Transaction


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
