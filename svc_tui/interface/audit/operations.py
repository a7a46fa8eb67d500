"""Operations of the audit log. They only read: records are written by the changes themselves."""

from __future__ import annotations

from svc_tui.interface.audit.records import READ_AUDIT, AuditQuery, AuditRecord
from svc_tui.interface.envelopes import Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation
from svc_tui.language import _

_EXTENSION = _("the audit log")
_RECORDS = "/api/svc/audit/v1.0/records"

list_audit_records = Operation(
    "list_audit_records",
    "extension",
    "GET",
    _RECORDS,
    "List the changes of records, the latest first",
    Page[AuditRecord],
    READ_AUDIT,
    query=AuditQuery,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING),
    extension=_EXTENSION,
)

get_audit_record = Operation(
    "get_audit_record",
    "extension",
    "GET",
    _RECORDS + "/{auditId}",
    "Get one change with old and new values",
    Single[AuditRecord],
    READ_AUDIT,
    refuses=(Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND),
    extension=_EXTENSION,
)

__all__ = ["READ_AUDIT", "get_audit_record", "list_audit_records"]
