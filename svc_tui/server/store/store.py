"""One unit of work: the records, tickets and events that a request reads and changes in one transaction."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Select, and_, cast, delete, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from svc_tui.server.clock import stamp
from svc_tui.server.store import directory_tables, tables, voice_tables
from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.counters import Counters
from svc_tui.server.store.images import Images
from svc_tui.server.store.invoice_lines import InvoiceLines
from svc_tui.server.store.queries import column_of, sql
from svc_tui.server.store.tables import EVENT_LOG, OUTBOX, TICKETS, Document, DocumentTable

#: Largest offset that both databases take.
_FARTHEST = 2**62
#: Ids that one statement names; both databases take more.
_MOST_AT_ONCE = 1000
#: Locks that all users share, and where their numbers begin: behind those of all other names.
_USER_LOCKS, _USERS_FROM = 1024, 2**32


def lock_key(name: str) -> int:
    """The number of a lock. PostgreSQL has room for some thousand locks at a time: users, of whom one unit may change
    all of a company, share a limited number of them."""
    number = zlib.crc32(name.encode())
    return _USERS_FROM + number % _USER_LOCKS if name.startswith("user:") else number


@dataclass(frozen=True, slots=True)
class Sort:
    """Order of a list: a field's wire name; records without a value come last in both directions.

    Records with the same value follow one another by the field `then`, in the same direction.
    """

    field: str
    descending: bool = False
    then: str = ""


@dataclass(frozen=True, slots=True)
class DocumentWindow:
    """One window of what matches, and how many match altogether."""

    documents: list[Document]
    total: int


class DocumentCollection:
    """The records of one kind, as documents with wire names."""

    def __init__(self, store: Store, kind: DocumentTable) -> None:
        self._store = store
        self._kind = kind
        self._table = kind.table

    async def get(self, id: str) -> Document | None:
        """The record with this id."""
        return await self._first(select(self._table.c.document).where(self._table.c.id == id))

    async def one(self, *where: Condition) -> Document | None:
        """The first record, by id, that meets all conditions."""
        return await self._first(self._matching(where).order_by(self._table.c.id).limit(1))

    async def find(
        self, *where: Condition, sort: Sort | None = None, limit: int | None = None, offset: int = 0
    ) -> DocumentWindow:
        """A window of the records that meet all conditions; the id settles equal places."""
        query = select(self._table.c.id).where(*(sql(self._kind, part) for part in where))
        if sort is not None:
            for field in (sort.field, sort.then) if sort.then else (sort.field,):
                column = column_of(self._kind, field)
                query = query.order_by(column.is_(None), column.desc() if sort.descending else column.asc())
        query = query.order_by(self._table.c.id).limit(limit).offset(min(offset, _FARTHEST))
        ids = [row[0] for row in await self._store.connection.execute(query)]
        documents = await self._documents(ids)
        whole = limit is None and not offset
        return DocumentWindow(documents, len(documents) if whole else await self.count(*where))

    async def _documents(self, ids: list[str]) -> list[Document]:
        # Ordering ids and then reading few documents is many times quicker than ordering documents.
        found: dict[str, Document] = {}
        for start in range(0, len(ids), _MOST_AT_ONCE):
            some = ids[start : start + _MOST_AT_ONCE]
            query = select(self._table.c.id, self._table.c.document).where(self._table.c.id.in_(some))
            found.update((row[0], row[1]) for row in await self._store.connection.execute(query))
        return [found[id] for id in ids if id in found]

    async def count(self, *where: Condition) -> int:
        """How many records meet all conditions."""
        query = select(func.count()).select_from(self._table).where(*(sql(self._kind, part) for part in where))
        return int((await self._store.connection.execute(query)).scalar_one())

    async def spread(self, field: str, *where: Condition) -> dict[Any, int]:
        """How many of the records that meet all conditions share each value of a field's column."""
        column = column_of(self._kind, field)
        query = select(column, func.count()).where(*(sql(self._kind, part) for part in where)).group_by(column)
        return {row[0]: int(row[1]) for row in await self._store.connection.execute(query)}

    async def sums(self, field: str, path: str, names: Sequence[str], *where: Condition) -> dict[Any, dict[str, int]]:
        """Numbers of the records that meet all conditions, added up for each value of a field's column.

        The numbers stand under `names` in the inner document `path`; those that no record has are left out.
        """
        column, inner = column_of(self._kind, field), self._table.c.document
        numbers = [func.sum(cast(inner[(path, name)].as_string(), BigInteger)) for name in names]
        query = select(column, *numbers).where(*(sql(self._kind, part) for part in where)).group_by(column)
        return {
            row[0]: {name: int(value) for name, value in zip(names, row[1:], strict=True) if value is not None}
            for row in await self._store.connection.execute(query)
        }

    async def add(self, document: Document) -> Document:
        """Write a new record. sqlalchemy.exc.IntegrityError when its id or a unique field exists."""
        await self.add_all([document])
        return document

    async def add_all(self, documents: Iterable[Document]) -> None:
        """Write many new records."""
        rows = [self._kind.row(document) for document in documents]
        if rows:
            await self._store.begin()
            await self._store.connection.execute(insert(self._table), rows)

    async def put(self, document: Document) -> Document:
        """Write a record, new or not."""
        row = self._kind.row(document)
        await self._store.begin()
        changed = await self._store.connection.execute(
            update(self._table).where(self._table.c.id == row["id"]).values(**row)
        )
        if not changed.rowcount:
            await self._store.connection.execute(insert(self._table), [row])
        return document

    async def remove(self, id: str) -> bool:
        """Remove a record; False when there was none."""
        await self._store.begin()
        gone = await self._store.connection.execute(delete(self._table).where(self._table.c.id == id))
        return bool(gone.rowcount)

    async def remove_all(self, *where: Condition) -> int:
        """Remove what meets all conditions; how many there were."""
        await self._store.begin()
        query = delete(self._table).where(*(sql(self._kind, part) for part in where))
        return int((await self._store.connection.execute(query)).rowcount)

    def _matching(self, where: Sequence[Condition]) -> Select[Document]:
        return select(self._table.c.document).where(*(sql(self._kind, part) for part in where))

    async def _first(self, query: Select[Document]) -> Document | None:
        row = (await self._store.connection.execute(query)).first()
        return None if row is None else row[0]


class Tickets:
    """What lives for some time only. A ticket is known by its kind and id."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, kind: str, id: str, *, now: datetime, expires: datetime, document: Document) -> bool:
        """Write a ticket; False when a living one is there. Exactly one of several at once gets True."""
        await self._store.begin()
        await self._store.connection.execute(delete(TICKETS).where(TICKETS.c.expires < stamp(now)))
        row = {"kind": kind, "id": id, "expires": stamp(expires), "document": document}
        if self._store.dialect == "postgresql":
            made = await self._store.connection.execute(postgres_insert(TICKETS).values(row).on_conflict_do_nothing())
        else:
            made = await self._store.connection.execute(sqlite_insert(TICKETS).values(row).on_conflict_do_nothing())
        return bool(made.rowcount)

    async def read(self, kind: str, id: str, *, now: datetime) -> Document | None:
        """What a living ticket holds."""
        query = select(TICKETS.c.document).where(self._is(kind, id), TICKETS.c.expires >= stamp(now))
        row = (await self._store.connection.execute(query)).first()
        return None if row is None else dict(row[0])

    async def change(self, kind: str, id: str, document: Document) -> bool:
        """Replace what a ticket holds; False when it is gone."""
        await self._store.begin()
        query = update(TICKETS).where(self._is(kind, id)).values(document=document)
        return bool((await self._store.connection.execute(query)).rowcount)

    async def take(self, kind: str, id: str, *, now: datetime) -> Document | None:
        """Use a ticket up: exactly one of several at once gets what it holds."""
        found = await self.read(kind, id, now=now)
        await self._store.begin()
        gone = await self._store.connection.execute(delete(TICKETS).where(self._is(kind, id)))
        return found if gone.rowcount else None

    @staticmethod
    def _is(kind: str, id: str) -> Any:
        return and_(TICKETS.c.kind == kind, TICKETS.c.id == id)


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

    def __init__(self, store: Store) -> None:
        self._store = store
        #: Whether this unit told something; whoever delivers looks at it when the unit is kept.
        self.told = False

    async def tell(self, event: Event, *, now: datetime) -> None:
        """Write an event that is delivered if, and only if, this unit is kept."""
        await self._store.begin()
        document = {"name": event.name, "recipients": list(event.recipients), "content": event.content}
        await self._store.connection.execute(insert(OUTBOX), [{"created": stamp(now), "document": document}])
        self.told = True

    async def deliver(self, *, most: int = 500) -> int:
        """Move the oldest events from the outbox to their recipients' logs, in order; how many there were."""
        await self._store.lock("outbox")
        found = await self._store.connection.execute(select(OUTBOX).order_by(OUTBOX.c.number).limit(most))
        waiting = found.all()
        told = [
            {"user_id": recipient, "created": row.created, "document": _shown(row.created, row.document)}
            for row in waiting
            for recipient in row.document["recipients"]
        ]
        if told:
            await self._store.connection.execute(insert(EVENT_LOG), told)
        if waiting:
            await self._store.connection.execute(delete(OUTBOX).where(OUTBOX.c.number <= waiting[-1].number))
        return len(waiting)

    async def of(self, user_id: str, *, after: int = 0, limit: int = 100) -> list[tuple[int, Document]]:
        """What a user was told after a number, with the numbers: {name, content, created}."""
        query = (
            select(EVENT_LOG.c.number, EVENT_LOG.c.document)
            .where(EVENT_LOG.c.user_id == user_id, EVENT_LOG.c.number > after)
            .order_by(EVENT_LOG.c.number)
            .limit(limit)
        )
        return [(int(row[0]), dict(row[1])) for row in await self._store.connection.execute(query)]


class Store:
    """What one request reads and changes; everything or nothing of it is kept.

    Reading needs no transaction. `lock` and every change open one, on SQLite for this unit alone.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.dialect = connection.dialect.name
        self._begun = False
        self._locked: set[int] = set()
        #: What is called when this unit is kept: to wake whoever waits for what it wrote.
        self.afterwards: list[Callable[[], None]] = []
        self.companies = DocumentCollection(self, tables.COMPANIES)
        self.users = DocumentCollection(self, tables.USERS)
        self.user_secrets = DocumentCollection(self, tables.USER_SECRETS)
        self.applications = DocumentCollection(self, tables.APPLICATIONS)
        self.api_keys = DocumentCollection(self, tables.API_KEYS)
        self.mfa_settings = DocumentCollection(self, tables.MFA_SETTINGS)
        self.client_versions = DocumentCollection(self, tables.CLIENT_VERSIONS)
        self.login_guards = DocumentCollection(self, tables.LOGIN_GUARDS)
        self.identity_providers = DocumentCollection(self, tables.IDENTITY_PROVIDERS)
        self.trusted_applications = DocumentCollection(self, tables.TRUSTED_APPLICATIONS)
        self.sites = DocumentCollection(self, tables.SITES)
        self.catalogs = DocumentCollection(self, tables.CATALOGS)
        self.offers = DocumentCollection(self, tables.OFFERS)
        self.subscriptions = DocumentCollection(self, tables.SUBSCRIPTIONS)
        self.invoices = DocumentCollection(self, tables.INVOICES)
        self.invoice_files = DocumentCollection(self, tables.INVOICE_FILES)
        self.invoice_lines = InvoiceLines(self)
        self.templates = DocumentCollection(self, tables.TEMPLATES)
        self.splash_screens = DocumentCollection(self, tables.SPLASH_SCREENS)
        self.cloudpbxs = DocumentCollection(self, voice_tables.CLOUDPBXS)
        self.prohibited_numbers = DocumentCollection(self, voice_tables.PROHIBITED_NUMBERS)
        self.subscribers = DocumentCollection(self, voice_tables.SUBSCRIBERS)
        self.ddis = DocumentCollection(self, voice_tables.DDIS)
        self.devices = DocumentCollection(self, voice_tables.DEVICES)
        self.registrations = DocumentCollection(self, voice_tables.REGISTRATIONS)
        self.recordings = DocumentCollection(self, voice_tables.RECORDINGS)
        self.welcome_services = DocumentCollection(self, voice_tables.WELCOME_SERVICES)
        self.welcomes = DocumentCollection(self, voice_tables.WELCOMES)
        self.office_hours = DocumentCollection(self, voice_tables.OFFICE_HOURS)
        self.external_trunks = DocumentCollection(self, voice_tables.EXTERNAL_TRUNKS)
        self.directories = DocumentCollection(self, directory_tables.DIRECTORIES)
        self.directory_entries = DocumentCollection(self, directory_tables.DIRECTORY_ENTRIES)
        self.import_reports = DocumentCollection(self, directory_tables.IMPORT_REPORTS)
        self.imported_rows = DocumentCollection(self, directory_tables.IMPORTED_ROWS)
        self.daily_stats = DocumentCollection(self, directory_tables.DAILY_STATS)
        self.counters = Counters(self)
        self.images = Images(self)
        self.tickets = Tickets(self)
        self.events = Events(self)

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

    async def keep(self) -> None:
        """Keep what was changed so far, whatever becomes of the rest (a counted failure before a refusal)."""
        await self.connection.commit()
        self._over()

    async def drop(self) -> None:
        """Undo what was changed and not kept."""
        await self.connection.rollback()
        self._over()

    def _over(self) -> None:
        self._begun = False
        self._locked.clear()
