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
    cast,
    delete,
    literal,
    select,
    union_all,
)

from svc_tui.server.store import directory_tables, tables, voice_tables
from svc_tui.server.store.audit import AUDIT_RECORDS
from svc_tui.server.store.counters import Counters
from svc_tui.server.store.counts import RECORD_COUNTS
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.event_sessions import EventSessions
from svc_tui.server.store.events import Events
from svc_tui.server.store.images import Images
from svc_tui.server.store.import_files import ImportFiles
from svc_tui.server.store.invoice_lines import InvoiceLines
from svc_tui.server.store.invoices import Invoices
from svc_tui.server.store.processes import Processes
from svc_tui.server.store.rates import RateCounts
from svc_tui.server.store.statements import given
from svc_tui.server.store.tables import TEXT, Document, DocumentTable
from svc_tui.server.store.tickets import Tickets
from svc_tui.server.store.transaction import Transaction
from svc_tui.server.store.turns import Turns
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
    """The records of a caller: their table, id and text."""

    def one(kind: DocumentTable, id: ColumnElement[Any] | ScalarSelect[Any]) -> Select[Any]:
        columns = kind.table.c
        return select(literal(kind.name), columns.id, cast(columns.document, Text)).where(columns.id == id)

    user = given("user", TEXT)
    company = select(tables.USERS.table.c.company_id).where(tables.USERS.table.c.id == user).scalar_subquery()
    return union_all(
        one(tables.USERS, user), one(tables.COMPANIES, company), one(tables.APPLICATIONS, given("application", TEXT))
    )


def _documents(kind: DocumentTable) -> _LazyCollection[DocumentCollection]:
    return _LazyCollection(lambda store: DocumentCollection(store, kind))


@dataclass(frozen=True, slots=True)
class CallerRecords:
    """The records of a caller; None where there is none."""

    user: Document | None
    company: Document | None
    application: Document | None

    def size(self) -> int:
        """An estimate of their memory in bytes, beside that of their texts."""
        return 8 * sum(len(each or ()) for each in (self.user, self.company, self.application))


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
        """The records of a caller, read by one statement. The company is shared by all readers."""
        await self._read_caller(user_id, application_id)
        user = await self.users.get(user_id)
        company = await self.companies.shared(str(user.get("companyId", ""))) if user else None
        return CallerRecords(user, company, await self.applications.get(application_id))

    async def shared_caller(self, user_id: str, application_id: str) -> CallerRecords:
        """The same records for all readers, who must not change them."""

        async def read() -> CallerRecords:
            return await self.caller(user_id, application_id)

        key = ("shared caller", user_id, application_id)
        return await self.kept.read(await self.state(), key, read, CallerRecords.size)

    async def _read_caller(self, user_id: str, application_id: str) -> None:
        """Read a user, its company and an application by one statement, and keep them for the reads of each."""
        state = await self.state()
        if state is not None:
            values = {"user": user_id, "application": application_id}

            async def read() -> bool:
                collections = {"users": self.users, "companies": self.companies, "applications": self.applications}
                for kind, id, text in await self.known(("caller",), _caller, values):
                    collections[kind].keep(state, id, text)
                return True

            await self.kept.read(state, ("caller", user_id, application_id), read, lambda _: 0)

    def forget_collections(self) -> None:
        """Those of an ended unit. They refer to the store: only the garbage collector would free all of them."""
        for name in self.__dict__.keys() & _COLLECTIONS:
            del self.__dict__[name]

    async def remove_all(self) -> None:
        """Remove the records of all kinds, but no signing key: tokens stay valid."""
        for table in reversed(tables.metadata.sorted_tables):
            # The database itself counts removed records.
            if table not in (tables.SIGNING_KEYS.table, RECORD_COUNTS):
                await self.change(delete(table))


#: The names of the collections.
_COLLECTIONS = frozenset(name for name, each in vars(Store).items() if isinstance(each, _LazyCollection))
