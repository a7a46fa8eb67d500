"""What all processes share beside the records: who is alive, whose turn a job is, counts of requests and of use, and
tickets, which expire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    and_,
    case,
    delete,
    func,
    select,
    update,
)

from svc_tui.interface.dates import moment, stamp
from svc_tui.server.store.tables import TEXT, Document, metadata
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


REQUEST_RATES = Table(
    "request_rates",
    metadata,
    Column("name", TEXT, primary_key=True),
    #: Minutes since 1970.
    Column("minute", BigInteger, nullable=False),
    Column("count", Integer, nullable=False),
    Index("ix_request_rates_minute", "minute"),
)


class RateCounts:
    """How often each name was counted in a minute."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def add(self, name: str, minute: int, count: int) -> int:
        """Add to the count of a minute; the sum. A new minute begins at zero."""
        columns = REQUEST_RATES.c
        new = self._transaction.insert(REQUEST_RATES).values(name=name, minute=minute, count=count)
        total = case((columns.minute == new.excluded.minute, columns.count), else_=0) + new.excluded.count
        changed = new.on_conflict_do_update(
            index_elements=["name"], set_={"minute": new.excluded.minute, "count": total}
        )
        return int((await self._transaction.change(changed.returning(columns.count), brief=True)).scalar_one())

    async def remove_before(self, minute: int) -> None:
        """Remove the counts of earlier minutes."""
        await self._transaction.change(delete(REQUEST_RATES).where(REQUEST_RATES.c.minute < minute))


#: Application, hour (`2026-11-20T10`), group.
Counted = tuple[str, str, str]

USAGE_COUNTERS = Table(
    "usage_counters",
    metadata,
    Column("application_id", TEXT, nullable=False),
    Column("hour", TEXT, nullable=False),
    Column("group_name", TEXT, nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("application_id", "hour", "group_name"),
    Index("ix_usage_counters_hour", "hour"),
)


class Counters:
    """The counters of all processes together."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def add(self, counts: Mapping[Counted, int]) -> None:
        """Add to the counters."""
        columns = USAGE_COUNTERS.c
        for (application, hour, group), count in sorted(counts.items()):
            row = {"application_id": application, "hour": hour, "group_name": group, "count": count}
            key = ["application_id", "hour", "group_name"]
            new = self._transaction.insert(USAGE_COUNTERS).values(row)
            added = {"count": columns.count + new.excluded.count}
            await self._transaction.change(new.on_conflict_do_update(index_elements=key, set_=added))

    async def remove_before(self, moment: datetime) -> int:
        """Remove the counters of earlier hours. Returns how many there were."""
        query = delete(USAGE_COUNTERS).where(USAGE_COUNTERS.c.hour < f"{moment:%Y-%m-%dT%H}")
        return int((await self._transaction.change(query)).rowcount)

    async def between(self, applications: Sequence[str], first: str, last: str) -> list[tuple[str, str, int]]:
        """Hour, group and count of these applications, from the first hour to the hour before the last."""
        columns = USAGE_COUNTERS.c
        query = select(columns.hour, columns.group_name, columns.count).where(
            columns.application_id.in_(applications), columns.hour >= first, columns.hour < last
        )
        return [(row[0], row[1], int(row[2])) for row in await self._transaction.rows(query)]


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
