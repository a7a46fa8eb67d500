"""The store: every collection of records that a request reads and changes, in one transaction."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from svc_tui.server.store import directory_tables, tables, voice_tables
from svc_tui.server.store.counters import Counters
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.event_sessions import EventSessions
from svc_tui.server.store.events import Events
from svc_tui.server.store.images import Images
from svc_tui.server.store.invoice_lines import InvoiceLines
from svc_tui.server.store.processes import Processes
from svc_tui.server.store.reading import Reader
from svc_tui.server.store.tickets import Tickets
from svc_tui.server.store.transaction import Transaction
from svc_tui.server.store.turns import Turns


class Store(Transaction):
    """The records that one request reads and changes."""

    def __init__(self, engine: AsyncEngine, reader: Reader | None = None) -> None:
        super().__init__(engine, reader)
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
        self.oauth_tokens = DocumentCollection(self, tables.OAUTH_TOKENS)
        self.signing_keys = DocumentCollection(self, tables.SIGNING_KEYS)
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
        self.processes = Processes(self)
        self.tickets = Tickets(self)
        self.turns = Turns(self)
        self.events = Events(self)
        self.event_sessions = EventSessions(self)

    async def remove_all(self) -> None:
        """Remove the records of all kinds, but no signing key: tokens stay valid."""
        for table in reversed(tables.metadata.sorted_tables):
            if table is not tables.SIGNING_KEYS.table:
                await self.change(delete(table))
