"""The store: every collection of records that a request reads and changes, in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    ScalarSelect,
    Select,
    Text,
    bindparam,
    cast,
    delete,
    literal,
    select,
    union_all,
)

from svc_tui.server.store import directory_tables, tables, voice_tables
from svc_tui.server.store.audit import AUDIT_RECORDS
from svc_tui.server.store.contents import Images, ImportFiles, InvoiceLines
from svc_tui.server.store.coordination import Counters, Processes, RateCounts, Tickets, Turns
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.events import Events, EventSessions
from svc_tui.server.store.invoices import Invoices
from svc_tui.server.store.read_cache import caller_key, record_key
from svc_tui.server.store.tables import Document, DocumentTable
from svc_tui.server.store.transaction import Transaction
from svc_tui.server.store.users import Users, UserSecrets

C = TypeVar("C")


class _LazyCollection(Generic[C]):
    """A collection of a store, made when it is first used: most requests use a few of them."""

    def __init__(self, make: Callable[[Transaction], C]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, store: Transaction, owner: type) -> C:
        made = self._make(store)
        store.__dict__[self._name] = made
        return made


def _caller() -> CompoundSelect[Any]:
    """The records of a caller, whose ids are parameters: their table, id and text."""

    def one(kind: DocumentTable, id: ColumnElement[Any] | ScalarSelect[Any]) -> Select[Any]:
        columns = kind.table.c
        return select(literal(kind.name), columns.id, cast(columns.document, Text)).where(columns.id == id)

    user, application = (bindparam(name, type_=tables.TEXT) for name in ("user", "application"))
    company = select(tables.USERS.table.c.company_id).where(tables.USERS.table.c.id == user).scalar_subquery()
    return union_all(one(tables.USERS, user), one(tables.COMPANIES, company), one(tables.APPLICATIONS, application))


def _documents(kind: DocumentTable) -> _LazyCollection[DocumentCollection]:
    return _LazyCollection(lambda store: DocumentCollection(store, kind))


@dataclass(frozen=True, slots=True)
class CallerRecords:
    """The records of a caller; None where there is none."""

    user: Document | None
    company: Document | None
    application: Document | None


class Store(Transaction):
    """The records that one request reads and changes."""

    companies = _documents(tables.COMPANIES)
    users = _LazyCollection(lambda store: Users(store, tables.USERS))
    user_secrets = _LazyCollection(lambda store: UserSecrets(store, tables.USER_SECRETS))
    applications = _documents(tables.APPLICATIONS)
    api_keys = _documents(tables.API_KEYS)
    mfa_settings = _documents(tables.MFA_SETTINGS)
    client_versions = _documents(tables.CLIENT_VERSIONS)
    login_guards = _documents(tables.LOGIN_GUARDS)
    identity_providers = _documents(tables.IDENTITY_PROVIDERS)
    trusted_applications = _documents(tables.TRUSTED_APPLICATIONS)
    oauth_tokens = _documents(tables.OAUTH_TOKENS)
    signing_keys = _documents(tables.SIGNING_KEYS)
    sites = _documents(tables.SITES)
    catalogs = _documents(tables.CATALOGS)
    offers = _documents(tables.OFFERS)
    subscriptions = _documents(tables.SUBSCRIPTIONS)
    invoices = _LazyCollection(Invoices)
    invoice_files = _documents(tables.INVOICE_FILES)
    invoice_lines = _LazyCollection(InvoiceLines)
    templates = _documents(tables.TEMPLATES)
    splash_screens = _documents(tables.SPLASH_SCREENS)
    cloudpbxs = _documents(voice_tables.CLOUDPBXS)
    prohibited_numbers = _documents(voice_tables.PROHIBITED_NUMBERS)
    subscribers = _documents(voice_tables.SUBSCRIBERS)
    ddis = _documents(voice_tables.DDIS)
    devices = _documents(voice_tables.DEVICES)
    registrations = _documents(voice_tables.REGISTRATIONS)
    recordings = _documents(voice_tables.RECORDINGS)
    welcome_services = _documents(voice_tables.WELCOME_SERVICES)
    welcomes = _documents(voice_tables.WELCOMES)
    office_hours = _documents(voice_tables.OFFICE_HOURS)
    external_trunks = _documents(voice_tables.EXTERNAL_TRUNKS)
    directories = _documents(directory_tables.DIRECTORIES)
    directory_entries = _documents(directory_tables.DIRECTORY_ENTRIES)
    import_reports = _documents(directory_tables.IMPORT_REPORTS)
    imported_rows = _documents(directory_tables.IMPORTED_ROWS)
    import_files = _LazyCollection(ImportFiles)
    daily_stats = _documents(directory_tables.DAILY_STATS)
    audit_records = _documents(AUDIT_RECORDS)
    counters = _LazyCollection(Counters)
    rates = _LazyCollection(RateCounts)
    images = _LazyCollection(Images)
    processes = _LazyCollection(Processes)
    tickets = _LazyCollection(Tickets)
    turns = _LazyCollection(Turns)
    events = _LazyCollection(Events)
    event_sessions = _LazyCollection(EventSessions)

    async def caller(self, user_id: str, application_id: str) -> CallerRecords:
        """The records of a caller. One statement reads all three, for the reads of each."""
        state = await self.state()
        if state is not None:

            async def read() -> bool:
                for kind, id, text in await self.rows(_CALLER, {"user": user_id, "application": application_id}):
                    self.shared.kept.keep(state, record_key(kind, id), text, len(text))
                return True

            # Requests that come together wait for one read.
            await self.shared.kept.read(state, caller_key(user_id), read, lambda _: 0)
        user = await self.users.get(user_id)
        company = await self.companies.get(str(user.get("companyId", ""))) if user else None
        return CallerRecords(user, company, await self.applications.get(application_id))

    def forget_collections(self) -> None:
        """Those of an ended unit. They refer to the store: only the garbage collector would free all of them."""
        for name in self.__dict__.keys() & _COLLECTIONS:
            del self.__dict__[name]

    async def remove_all(self) -> None:
        """Remove the records of all kinds, but no signing key: tokens stay valid."""
        for table in reversed(tables.metadata.sorted_tables):
            if table is not tables.SIGNING_KEYS.table:
                await self.change(delete(table))


_CALLER = _caller()
#: The names of the collections.
_COLLECTIONS = frozenset(name for name, each in vars(Store).items() if isinstance(each, _LazyCollection))
