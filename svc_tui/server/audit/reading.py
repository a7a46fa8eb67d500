"""Reading the audit log: administrators read the changes of the companies that they administer.

To them, a user of another company is only the roles that allowed the change: no login, no address.
"""

from __future__ import annotations

from svc_tui.interface.access import Reach
from svc_tui.interface.audit import operations as declared
from svc_tui.interface.audit.records import AuditQuery, AuditRecord
from svc_tui.interface.companies.records import omitted_fields
from svc_tui.interface.timestamps import stamp
from svc_tui.server.reach import belonging_within, company_subject
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call, RuleResult, documents_page, rule
from svc_tui.server.store.conditions import AtLeast, AtMost, Condition, Is
from svc_tui.server.store.tables import Document

#: What a record says of a user.
_OF_USER = ("userId", "loginEmail", "userCompanyId", "applicationId", "address")


@rule(declared.list_audit_records)
async def list_records(call: Call[AuditQuery]) -> RuleResult:
    query = call.query
    where: list[Condition] = [] if Reach.ANY in call.reached else [belonging_within(call.reached, call.known_caller)]
    if query.from_date is not None:
        where.append(AtLeast("date", stamp(query.from_date)))
    if query.to_date is not None:
        where.append(AtMost("date", stamp(query.to_date)))
    for field in ("userId", "operation", "kind", "recordId", "companyId", "outcome"):
        value = query.wire().get(field)
        if value is not None:
            where.append(Is(field, value))
    if query.user_id is not None and Reach.ANY not in call.reached:
        # This filter must not reveal which user of another company made a change.
        where.append(Is("userCompanyId", call.known_caller.company_id))
    return await documents_page(
        call.store.audit_records, AuditRecord, query, *where, show=lambda found: _shown(call, found)
    )


@rule(declared.get_audit_record)
async def get_record(call: Call) -> RuleResult:
    id = call.path["auditId"]
    found = await call.store.audit_records.get(id)
    if found is None:
        raise not_found("Audit record", id)
    company = await call.store.companies.get(str(found.get("companyId") or "")) or {"id": found.get("companyId") or ""}
    call.require(company_subject(company))
    return {"data": _shown(call, found)}


def _shown(call: Call[AuditQuery] | Call, document: Document) -> Document:
    """A record for the caller."""
    if Reach.ANY in call.reached:
        return document
    known = (document.get("companyId"), call.known_caller.company_id)
    shown = dict(document)
    if document.get("userCompanyId") not in known:
        shown = {name: value for name, value in document.items() if name not in _OF_USER}
    if document.get("kind") == "companies":
        omitted = omitted_fields(call.known_caller)
        kept = [each for each in document.get("changes", ()) if each["field"].partition(".")[0] not in omitted]
        shown["changes"] = kept
    return shown
