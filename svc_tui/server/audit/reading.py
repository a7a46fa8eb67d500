"""Reading the audit log: administrators read the changes of the companies that they administer; and its removal after
its retention, once a day.

To administrators, a user of another company is only the roles that allowed the change: no login, no address.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial

from svc_tui.interface.access import Reach
from svc_tui.interface.audit import operations as declared
from svc_tui.interface.audit.records import AuditQuery, AuditRecord
from svc_tui.interface.dates import stamp
from svc_tui.interface.readers import Whose
from svc_tui.server.hooks import background_job
from svc_tui.server.reach import belonging_within, company_subject, user_subject
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, documents_page, rule
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.audit_values import record_of_kind
from svc_tui.server.store.conditions import AtLeast, AtMost, Condition, Is, Not
from svc_tui.server.store.tables import Document


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
    if query.by_request is not None:
        where.append(Not(Is("operation", None)) if query.by_request else Is("operation", None))
    if query.user_id is not None and Reach.ANY not in call.reached:
        # This filter must not reveal which user of another company made a change; what the caller's customers did, yes.
        user = await call.store.users.get(query.user_id)
        own = user is not None and call.allows(await user_subject(call.store, user))
        company = str(user["companyId"]) if user is not None and own else call.known_caller.company_id
        where.append(Is("userCompanyId", company))
    page = await documents_page(call, call.store.audit_records, AuditRecord, query, *where)
    return {**page, "data": await _readable(call, page["data"])}


@rule(declared.get_audit_record)
async def get_record(call: Call) -> RuleResult:
    id = call.path["auditId"]
    found = await call.store.audit_records.get(id)
    if found is None:
        raise not_found("Audit record", id)
    company = await call.store.companies.get(str(found.get("companyId") or "")) or {"id": found.get("companyId") or ""}
    call.require(company_subject(company))
    return {"data": (await _readable(call, [found]))[0]}


async def _readable(call: AnyCall, documents: list[Document]) -> list[Document]:
    """Records without the values of fields that the caller does not read of the changed records."""
    changes = [(each, change) for each in documents for change in each.get("changes") or () if "secret" not in change]
    values = [
        (record_of_kind(str(each.get("kind"))), Whose(company_id=str(each.get("companyId") or "")), change["field"])
        for each, change in changes
    ]
    hidden = {
        id(change)
        for (_, change), reads in zip(changes, await call.readers.of_values(values), strict=True)
        if not reads
    }
    return [
        {**each, "changes": [change for change in each["changes"] if id(change) not in hidden]}
        if each.get("changes")
        else each
        for each in documents
    ]


#: Seconds between two removals.
_EVERY = 86_400.0


@background_job
def audit_retention(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove old audit records for the length of a block."""
    act, failure = partial(remove_old, service), "old audit records could not be removed"
    return in_turn(service, "old audit records", act, _EVERY, failure, done="old audit records removed")


async def remove_old(service: Service) -> int:
    """Remove the audit records that are older than their retention. Returns how many there were."""
    limit = service.clock.now() - timedelta(days=service.settings.audit_retention_days)
    async with service.database.unit() as store:
        return await store.audit_records.remove_all(AtMost("date", stamp(limit)))
