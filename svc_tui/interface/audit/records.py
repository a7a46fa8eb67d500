"""The audit log: who changed what, when and from where. An extension of this server, not in the specification."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.audit.record_kinds import RECORD_KINDS
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.fields import field
from svc_tui.interface.records import Belongs, Record

#: Administrators read the changes of the companies that they administer. Support is left out: a record has addresses
#: and logins, which no operation of the specification shows to support.
READ_AUDIT = access(
    any=(Role.SUPERADMIN,),
    organisation=(Role.ORGANIZATION_ADMIN,),
    end_customers=(Role.BP_ADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN),
)

Action = Literal["create", "update", "delete", "perform", "login", "failed login", "lock", "attempt"]
Outcome = Literal["done", "refused"]


class AuditChange(Record):
    """A changed field of the record. A secret has no values."""

    path: str = field("", wire="field", help="Field with its path in the record")
    old: str | None = field(None, label="Old value", help="Value before the change; empty: none", personal=True)
    new: str | None = field(None, label="New value", help="Value after the change; empty: none", personal=True)
    secret: bool | None = field(None, label="Values are hidden", help="Whether the values are not recorded")


class AuditRecord(Record):
    """One change, or one attempt.

    It belongs to the user who made it: who reads changes of a company learns of users whom they do not administer only
    the roles.
    """

    SMALL: ClassVar = ("id", "date", "action", "kind", "recordId", "recordName", "operation", "loginEmail", "outcome")
    MEDIUM: ClassVar = (*SMALL, "userId", "companyId", "roles", "applicationId", "address", "job", "count", "requestId")
    BELONGS: ClassVar = Belongs(user=("userId",), company=("userCompanyId",), system=(), site=())

    date: datetime | None = field(None, help="Time of the change", group="Change")
    action: Action | None = field(None, help="What was done to the record", group="Change")
    outcome: Outcome | None = field(None, help="Whether it was done or refused", group="Change")
    changes: list[AuditChange] | None = field(None, help="Changed fields with old and new values", group="Change")
    count: int | None = field(None, help="Number of records or attempts that this entry stands for", group="Change")
    operation: str | None = field(None, help="ID of the operation", group="Change")
    job: str | None = field(None, label="Background job", help="Job of the service, without a user", group="Change")
    kind: str | None = field(
        None, label="Kind of record", help="Kind of the changed record", group="Record", choices=RECORD_KINDS
    )
    record_name: str | None = field(
        None, label="Name of the record", help="Its name after the change", group="Record", personal=True
    )
    record_id: str | None = field(None, label="Record", help="ID of the changed record", group="Record")
    company_id: str | None = field(None, help="Company of the changed record", group="Record", refers="companies")
    login_email: str | None = field(
        None, readers=READ_AUDIT, help="Login of that user at the time", group="Origin", personal=True
    )
    user_id: str | None = field(None, readers=READ_AUDIT, help="Who changed it", group="Origin", refers="users")
    roles: list[str] | None = field(None, help="Roles of that user that allowed it", group="Origin")
    user_company_id: str | None = field(
        None,
        label="Company of the user",
        readers=READ_AUDIT,
        help="Company of that user",
        group="Origin",
        refers="companies",
    )
    application_id: str | None = field(
        None, readers=READ_AUDIT, help="Application of the credentials", group="Origin", refers="applications"
    )
    address: str | None = field(None, readers=READ_AUDIT, help="Address of the client", group="Origin", personal=True)
    request_id: str | None = field(None, label="Request", help="The same for all changes of a request", group="Origin")
    id: str | None = field(None, help="Identifier", group="Origin")


class AuditQuery(ListQuery):
    """Filters of the audit log."""

    DEFAULT_SORT: ClassVar[str] = "date"

    from_date: datetime | None = field(None, filters=("date",), help="At this time or later")
    to_date: datetime | None = field(None, filters=("date",), help="At this time or earlier")
    user_id: str | None = field(None, help="Changes by this user", refers="users")
    operation: str | None = field(None, help="Changes by this operation", max_length=100)
    by_request: bool | None = field(
        None,
        label="By a request",
        filters=("operation",),
        help="Changes by requests (true), or by jobs of the service (false)",
    )
    kind: str | None = field(
        None, label="Kind of record", help="Changes of records of this kind", max_length=100, choices=RECORD_KINDS
    )
    record_id: str | None = field(None, label="Record", help="Changes of the record with this ID", max_length=100)
    company_id: str | None = field(None, help="Changes of records of this company", refers="companies")
    outcome: Outcome | None = field(None, help="Done or refused")
    sort_field: str | None = field("date", help="Field to sort by")
    sort_order: Literal[-1, 1] = field(-1, help="1 ascending, -1 descending")


__all__ = ["READ_AUDIT", "AuditChange", "AuditQuery", "AuditRecord"]
