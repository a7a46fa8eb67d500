"""The tables: for each kind of record its document, and the columns for filters and sorting.

Columns are derived from the document at each write, so that a record is only changed as a document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from pydantic_core import to_json
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

Document = dict[str, Any]
#: The values of the columns of a record in their order: its id first, its document as text last.
PreparedRow = tuple[Any, ...]

metadata = MetaData()

#: Byte order on both databases: PostgreSQL would sort by the locale of its installation otherwise.
TEXT: TypeEngine[str] = String().with_variant(String(collation="C"), "postgresql")


class ColumnType(StrEnum):
    """How a field of the document becomes a column."""

    TEXT = "text"
    #: Compared, searched and sorted in any case.
    FOLDED = "folded"
    BOOLEAN = "boolean"
    #: A list of words, stored as `,one,two,`.
    WORDS = "words"
    #: The domain of an email address, in lower case; empty without one.
    DOMAIN = "domain"


@cache
def _column_name(wire: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", wire).lower()


@dataclass(frozen=True, slots=True)
class Key:
    """A field for filters and sorting. With `unique`, no two records have the same value.

    For a field with a list of objects, `each` is the field of the objects that becomes a word. Without `sorts`, no list
    is sorted by the field. `source` is the field that has the value, where it is another one. Without `indexed`, only
    indexes of `within` have the column.
    """

    wire: str
    column_type: ColumnType = ColumnType.TEXT
    unique: bool = False
    each: str = ""
    sorts: bool = True
    source: str = ""
    indexed: bool = True

    @property
    def column(self) -> str:
        return _column_name(self.wire)

    def value(self, document: Document) -> str | bool | None:
        """The value of the column for a document. A missing field is NULL."""
        found = document.get(self.source or self.wire)
        if self.each:
            found = [one[self.each] for one in found or () if one.get(self.each)]
        if self.column_type is ColumnType.DOMAIN:
            return str(found or "").partition("@")[2].casefold()
        if found is None:
            return None
        match self.column_type:
            case ColumnType.FOLDED:
                return str(found).casefold()
            case ColumnType.BOOLEAN:
                return bool(found)
            case ColumnType.WORDS:
                return f",{','.join(str(word) for word in found)}," if found else None
            case _:
                return str(found)


@dataclass(frozen=True)
class DocumentTable:
    """The table of a kind of record, and its keys by wire name. `id` is the field that identifies a record."""

    name: str
    table: Table
    keys: dict[str, Key]
    id: str = "id"
    #: Each column of a key, and the function that gives its value for a document.
    columns: tuple[tuple[str, Callable[[Document], Any]], ...] = ()
    #: The columns of the order of its lists: records with the same value of another field are in this order.
    order: tuple[str, ...] = ()

    def row(self, document: Document) -> dict[str, Any]:
        """The row of a document."""
        row = {column: value(document) for column, value in self.columns}
        row["id"], row["document"] = document[self.id], document
        return row

    def prepared(self, row: Mapping[str, Any]) -> PreparedRow:
        """A row as the driver takes it."""
        return tuple([to_json(row[name]).decode() if name == "document" else row[name] for name in self.names])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(column.name for column in self.table.c)


DOCUMENT_TABLES: dict[str, DocumentTable] = {}


def declare(
    name: str,
    *keys: Key,
    id: str = "id",
    order: Sequence[str] = (),
    within: Mapping[str, Sequence[str]] = MappingProxyType({}),
    indexes: Sequence[Sequence[str]] | None = None,
    filtered: Sequence[str] = (),
) -> DocumentTable:
    """Declare the table of a kind of record. `order` are the fields by which its lists are sorted.

    Every key has its own index, unless `indexes` lists the columns of the few that a table with a million rows can
    afford. The columns of the order follow in it, so that one index serves two lists without sorting anything: all
    records by the key, and the records with one value of the key in the order of lists. `within` names the fields that
    lists of one company, CloudPBX or similar are also sorted by; each of them has a second index there. `filtered` are
    fields by which every list is filtered: the indexes in the order of lists contain them, so no record is read to be
    counted or skipped.
    """
    named = {key.wire: key.column for key in keys}
    ties = tuple(named[wire] for wire in order)
    columns: list[Any] = [Column("id", TEXT, primary_key=True)]
    columns += [Column(key.column, Boolean() if key.column_type is ColumnType.BOOLEAN else TEXT) for key in keys]
    for key in (key for key in keys if key.indexed and indexes is None):
        sorting = (key.column,) if key.unique else (key.column, *(tie for tie in ties if tie != key.column), "id")
        if key.wire in (*order, *within):
            sorting += tuple(named[wire] for wire in filtered)
        columns.append(Index(f"ix_{name}_{key.column}", *sorting, unique=key.unique))
    for scope, wires in within.items():
        for column in (named[wire] for wire in wires):
            sorting = (named[scope], column, *(tie for tie in ties if tie != column), "id")
            columns.append(Index(f"ix_{name}_{named[scope]}_{column}", *sorting))
    columns += [Index(f"ix_{name}_{'_'.join(listed[:2])}", *listed) for listed in indexes or ()]
    # The document is last, so that filters do not read past long texts.
    columns.append(Column("document", JSON, nullable=False))
    values = tuple((key.column, key.value) for key in keys)
    table = Table(name, metadata, *columns)
    kind = DocumentTable(name, table, {key.wire: key for key in keys}, id, values, ties)
    DOCUMENT_TABLES[name] = kind
    return kind


_kind, _folded, _words, _flag = declare, ColumnType.FOLDED, ColumnType.WORDS, ColumnType.BOOLEAN

COMPANIES = _kind(
    "companies",
    Key("name", _folded),
    Key("bpId"),
    Key("organisationId"),
    Key("status"),
    Key("isBP", _flag),
    Key("bpType"),
    Key("visibility"),
    Key("country"),
    Key("city", _folded),
    Key("offerType"),
    Key("catalogId"),
    Key("externalReference"),
    Key("externalReference2"),
    Key("selectedAppCustomisationTemplate"),
    Key("creationDate"),
    Key("statusUpdatedDate"),
    order=("name",),
)
SITES = _kind(
    "sites", Key("name", _folded), Key("companyId"), Key("status"), order=("name",), within={"companyId": ("status",)}
)
CATALOGS = _kind("catalogs", Key("name", _folded), Key("isDefault", _flag), Key("offersList", _words), order=("name",))
OFFERS = _kind(
    "offers",
    Key("name", _folded),
    Key("canBeSold", _flag),
    Key("autoSubscribe", _flag),
    Key("isExclusive", _flag),
    Key("isPrepaid", _flag),
    Key("isDefault", _flag),
    Key("profileId"),
    Key("offerReference"),
    Key("sapReference"),
    Key("businessSpecific", _words),
    Key("groupName"),
    order=("name",),
)
#: `syncDue` is when the billing systems are expected to respond, `expirationDate` when the subscription ends or is
#: renewed.
SUBSCRIPTIONS = _kind(
    "subscriptions",
    Key("companyId"),
    Key("offerId"),
    Key("offerName", _folded),
    Key("status"),
    Key("isDefault", _flag),
    Key("syncDue"),
    Key("expirationDate"),
)
#: Invoices of partners that buy directly. Files are referred to by their ids.
INVOICES = _kind(
    "invoices",
    Key("companyId"),
    Key("updatedDate"),
    Key("invoiceFiles", _words, each="id"),
    order=("updatedDate",),
)
#: Invoicing files. Their lines are in `INVOICE_LINES`.
INVOICE_FILES = _kind(
    "invoice_files",
    Key("companyId"),
    Key("billingPeriod"),
    Key("invoiceType"),
    Key("fileType"),
    Key("bpType"),
    Key("invoiceCreationDate"),
    Key("filepath", unique=True),
    order=("invoiceCreationDate",),
)
TEMPLATES = _kind(
    "templates",
    Key("name", _folded),
    Key("type"),
    Key("visibility"),
    Key("visibleBy", _words),
    Key("ownedByCompany"),
    Key("creationDate"),
    order=("name",),
)
#: Settings of the splash screen of a company, with its id. The image is in `IMAGES`.
SPLASH_SCREENS = _kind("splash_screens")
USERS = _kind(
    "users",
    Key("loginEmail", _folded, unique=True),
    #: Which company a domain belongs to, for logins that no user has.
    Key("loginDomain", ColumnType.DOMAIN, source="loginEmail", sorts=False, indexed=False),
    Key("authenticationExternalUid", _folded),
    Key("jid_im", _folded),
    Key("companyId"),
    Key("organisationId"),
    Key("siteId"),
    Key("roles", _words),
    Key("adminType"),
    Key("displayName", _folded),
    Key("firstName", _folded),
    Key("lastName", _folded),
    Key("companyName", _folded),
    Key("isTerminated", _flag),
    Key("isActive", _flag),
    Key("creationDate"),
    Key("lastLoginDate"),
    #: The subscriptions of the user's licences.
    Key("profiles", _words, each="subscriptionId"),
    order=("displayName",),
    within={
        "companyId": (
            "loginEmail",
            "firstName",
            "lastName",
            "creationDate",
            "lastLoginDate",
            "authenticationExternalUid",
            "jid_im",
            "organisationId",
            "siteId",
            "roles",
            "adminType",
            "isActive",
            "profiles",
            "loginDomain",
        ),
        "loginDomain": ("companyId",),
        "organisationId": (),
        "siteId": (),
    },
    filtered=("roles", "adminType", "isTerminated"),
)
#: Secrets of a user: password hash, TOTP secret, hash of the recovery code.
USER_SECRETS = _kind("user_secrets")
APPLICATIONS = _kind(
    "applications",
    Key("name", _folded),
    Key("ownerId"),
    Key("state"),
    Key("env"),
    Key("type"),
    Key("kpi"),
    Key("activity"),
    Key("origin", _folded),
    Key("dateOfCreation"),
    Key("dateOfDeploymentRequest"),
    Key("dateOfDeployment"),
    Key("dateOfLastTokenWhenRenew"),
    #: Status of the subscriptions that pay for it; set together with `subscriptions`.
    Key("subscriptionStatus", _words),
    Key("isSvcClientDefault", _flag, sorts=False),
    order=("name",),
)
API_KEYS = _kind(
    "api_keys",
    Key("userId"),
    Key("description", _folded),
    Key("isActive", _flag),
    Key("creationDate"),
    Key("lastUpdateDate"),
    Key("expirationDate"),
    Key("loginEmail", _folded),
    Key("keyHash", unique=True, sorts=False),
    order=("creationDate",),
)
MFA_SETTINGS = _kind(
    "mfa_settings",
    Key("companyId"),
    Key("mfaName", _folded),
    Key("enabledForAllCompanyUsers", _flag),
    id="mfaId",
    order=("mfaName",),
)
CLIENT_VERSIONS = _kind("client_versions", Key("name", _folded), Key("type"), Key("version"))
#: Failed logins and the lock of an account, valid `until` then.
LOGIN_GUARDS = _kind("login_guards", Key("until"))
#: Identity providers of companies; `type` is OIDC or SAML.
IDENTITY_PROVIDERS = _kind("identity_providers", Key("companyId"), Key("type"))
#: Applications without a second factor for a user; id is `<user id>:<application id>`.
TRUSTED_APPLICATIONS = _kind("trusted_applications", Key("userId"), Key("appId"), Key("until"))

#: What a user granted to an application; `expires` is the end of its last token.
OAUTH_TOKENS = _kind(
    "oauth_tokens",
    Key("userId"),
    Key("appId"),
    Key("appName", _folded),
    Key("creationDate"),
    Key("expires"),
    Key("refreshHash", unique=True, sorts=False),
    order=("appName",),
)

#: Keys that sign tokens. They stay when the records are replaced.
SIGNING_KEYS = _kind("signing_keys", Key("purpose"))

#: Events, written in the transaction of their change, until they are in the logs of their recipients.
OUTBOX = Table(
    "outbox",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("created", TEXT, nullable=False),
    Column("document", JSON, nullable=False),
)

#: The events of each user, in the order of their commits, until they are acknowledged or too old.
EVENT_LOG = Table(
    "event_log",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("user_id", TEXT, nullable=False),
    Column("created", TEXT, nullable=False),
    Column("document", JSON, nullable=False),
    Index("ix_event_log_user", "user_id", "number"),
    Index("ix_event_log_created", "created"),
    # Positions of sessions are numbers: none is used again after its event was removed.
    sqlite_autoincrement=True,
)

#: Open sessions that events are sent to. `acknowledged` is the number of the last acknowledged event, NULL while the
#: session takes no events; `process` is the server process that holds the session.
EVENT_SESSIONS = Table(
    "event_sessions",
    metadata,
    Column("id", TEXT, primary_key=True),
    Column("user_id", TEXT, nullable=False),
    Column("resource", TEXT, nullable=False),
    Column("process", TEXT, nullable=False),
    Column("acknowledged", Integer),
    Column("seen", TEXT, nullable=False),
    UniqueConstraint("user_id", "resource"),
    Index("ix_event_sessions_process", "process"),
)
