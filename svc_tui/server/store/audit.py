"""The audit log: every change of a unit of work leaves its records in the transaction of the change.

Who changes something is the origin of the running task: a request, or a background job. Work without an origin leaves
no records: filling an empty database, or a test that writes its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Select, Table, Text, cast, select

from svc_tui.interface.dates import stamp
from svc_tui.server.store.audit_values import changes_of, kind_of, name_of
from svc_tui.server.store.tables import Document, DocumentTable, Key, PreparedRow, declare

AUDIT_RECORDS = declare(
    "audit_records",
    Key("date"),
    Key("companyId"),
    Key("recordId"),
    Key("userId"),
    Key("operation"),
    Key("outcome"),
    Key("kind"),
    Key("userCompanyId"),
    order=("date",),
    within={"companyId": ("operation", "outcome", "kind")},
)

#: A statement that changes more records than this leaves one audit record with their number.
MOST_EACH = 100
#: Tables whose records name their user or CloudPBX instead of their company, and the field.
_OWNERS = (("ownerId", "users"), ("userId", "users"), ("systemId", "cloudpbxs"))
#: Tables whose records have the id of another one.
_SAME_ID = {"user_secrets": "users", "prohibited_numbers": "cloudpbxs"}

Rows = Callable[[Select[Any]], Awaitable[Sequence[Any]]]
Insertion = Callable[[DocumentTable, Sequence[PreparedRow]], Awaitable[object]]


@dataclass
class Origin:
    """Who changes something, from where, and by which operation or background job."""

    now: Callable[[], datetime] = field(repr=False)
    operation: str = ""
    job: str = ""
    address: str = ""
    #: The id of the request, as in the log of the service and in the response.
    request: str = ""
    user_id: str = ""
    login: str = ""
    roles: tuple[str, ...] = ()
    company_id: str = ""
    application_id: str = ""
    #: Tables whose changes the records of another table report, such as the entries of an import.
    unrecorded: frozenset[str] = frozenset()


_ORIGIN: ContextVar[Origin | None] = ContextVar("origin", default=None)


@contextmanager
def originating(origin: Origin) -> Iterator[Origin]:
    """Everything in the block, and in tasks that it starts, is done by this origin."""
    token = _ORIGIN.set(origin)
    try:
        yield origin
    finally:
        _ORIGIN.reset(token)


def current_origin() -> Origin | None:
    """The origin of the running task; None for work without one."""
    return _ORIGIN.get()


def act_as(user: Document, application: Document, roles: Sequence[str] = ()) -> None:
    """The user of the current origin is known."""
    origin = _ORIGIN.get()
    if origin is not None:
        origin.user_id, origin.login = str(user.get("id") or ""), str(user.get("loginEmail") or "")
        origin.company_id, origin.application_id = str(user.get("companyId") or ""), str(application.get("id") or "")
        origin.roles = tuple(roles)


def start_with(origin: Origin) -> None:
    """This task, and those that it starts from now on, are of this origin unless they have their own."""
    _ORIGIN.set(origin)


@contextmanager
def job(name: str) -> Iterator[None]:
    """Everything in the block is done by this background job, where changes are recorded at all."""
    current = _ORIGIN.get()
    if current is None:
        yield
        return
    with originating(replace(current, job=name)):
        yield


@dataclass
class _Note:
    """A change that is not yet stored. `owner` is the table and id of the record that names the company."""

    document: Document
    owner: tuple[str, str] | None = None


class Audit:
    """The audit records of one unit of work, until it is committed."""

    def __init__(self) -> None:
        self._notes: list[_Note] = []
        #: Company and name of users and CloudPBXs.
        self._owners: dict[tuple[str, str], tuple[str, str]] = {}
        self._request = ""
        #: Whether this unit has recorded something, also if it is stored already.
        self.recorded = False

    def watches(self, table: str) -> bool:
        """Whether changes of this table are recorded."""
        origin = _ORIGIN.get()
        return origin is not None and bool(kind_of(table)) and table not in origin.unrecorded

    def changed(self, table: str, id: str, before: Document | None, after: Document | None) -> None:
        """A record was created (without `before`), changed, or deleted (without `after`)."""
        if not self.watches(table):
            return
        changes = changes_of(table, before, after)
        record = after or before or {}
        company = id if table in ("companies", "splash_screens") else _company(record)
        if table in ("users", "cloudpbxs") and company:
            # A login changes its user in fields that are not recorded.
            self._owners[table, id] = (company, name_of(record))
        if before is not None and after is not None and not changes:
            return
        action = "create" if before is None else "delete" if after is None else "update"
        owner = None if company else _owner(table, id, record)
        fields = {"recordId": id, "recordName": name_of(record), "companyId": company, "changes": changes}
        self._add({"action": action, "kind": kind_of(table), **fields}, owner)

    def changed_many(self, table: str, action: str, count: int, company: str = "") -> None:
        """Very many records were created or deleted by one statement."""
        if self.watches(table) and count:
            self._add({"action": action, "kind": kind_of(table), "count": count, "companyId": company})

    def performed(
        self, action: str, *, kind: str = "", record_id: str = "", name: str = "", outcome: str = "done"
    ) -> None:
        """Something was done that changed no field of a record, such as a logout, or was refused."""
        owner = ("users", record_id) if kind == "users" and record_id else None
        fields = {"action": action, "kind": kind, "recordId": record_id, "recordName": name, "outcome": outcome}
        self._add(fields, owner)

    def refused(self, count: int, action: str = "attempt", kind: str = "", record_id: str = "") -> None:
        """This many attempts of this origin were refused; `kind` and `record_id` are of what was tried."""
        owner = ("users", record_id) if kind == "users" and record_id else None
        said = {"action": action, "outcome": "refused", "count": count, "kind": kind, "recordId": record_id}
        self._add(said, owner)

    def _add(self, document: Document, owner: tuple[str, str] | None = None) -> None:
        origin = _ORIGIN.get()
        if origin is None:
            return
        self.recorded = True
        self._request = self._request or origin.request or secrets.token_hex(12)
        said = {
            "date": stamp(origin.now()),
            "outcome": "done",
            "operation": origin.operation,
            "job": origin.job,
            "requestId": self._request,
            "address": origin.address,
            **document,
        }
        # In the order of the changes.
        id = f"{int(origin.now().timestamp() * 1000):011x}{len(self._notes):04x}{secrets.token_hex(5)[1:]}"
        self._notes.append(_Note({"id": id, **{name: value for name, value in said.items() if value}}, owner))

    async def write(self, rows: Rows, insert: Insertion) -> None:
        """Store the records, by one statement. Those of a login name its user, who was not known before."""
        notes, self._notes = self._notes, []
        origin = _ORIGIN.get()
        if not notes or origin is None:
            return
        await self._find_owners({note.owner for note in notes if note.owner}, rows)
        who = {
            "userId": origin.user_id,
            "loginEmail": origin.login,
            "roles": list(origin.roles),
            "userCompanyId": origin.company_id,
            "applicationId": origin.application_id,
        }
        known = {name: value for name, value in who.items() if value}
        for note in notes:
            company, name = self._owners.get(note.owner, ("", "")) if note.owner else ("", "")
            if company:
                note.document["companyId"] = company
            if name and note.owner and note.owner[1] == note.document.get("recordId"):
                # The record is of the same thing, such as the password of a user.
                note.document.setdefault("recordName", name)
            note.document.update(known)
        await insert(AUDIT_RECORDS, [AUDIT_RECORDS.prepared(AUDIT_RECORDS.row(note.document)) for note in notes])

    def discard(self) -> None:
        """The unit was rolled back."""
        self._notes.clear()

    async def _find_owners(self, owners: set[tuple[str, str]], rows: Rows) -> None:
        for table in ("users", "cloudpbxs"):
            ids = sorted(id for kind, id in owners - self._owners.keys() if kind == table)
            for start in range(0, len(ids), 500):
                for id, company, text in await rows(_owners_of(table, ids[start : start + 500])):
                    self._owners[table, str(id)] = (str(company or ""), name_of(from_json(text)))


def _company(record: Document) -> str:
    return str(record.get("companyId") or record.get("ownedByCompany") or "")


def _owner(table: str, id: str, record: Document) -> tuple[str, str] | None:
    if table in _SAME_ID:
        return _SAME_ID[table], id
    return next(((kind, str(record[name])) for name, kind in _OWNERS if record.get(name)), None)


def _owners_of(kind: str, ids: Sequence[str]) -> Select[Any]:
    table: Table = AUDIT_RECORDS.table.metadata.tables[kind]
    return select(table.c.id, table.c.company_id, cast(table.c.document, Text)).where(table.c.id.in_(ids))
