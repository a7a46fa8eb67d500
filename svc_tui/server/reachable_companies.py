"""Companies that the caller of a request reaches, and that are in use."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import typed
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.stored import StoredCompany


async def reached_company(call: AnyCall, id: str, code: Code = Code.NOT_FOUND) -> StoredCompany:
    """The company with this id. Refusal 404 with this code, or 403301 when the caller does not reach it."""
    company = await call.store.companies.get(id)
    if company is None:
        raise not_found("Company", id, code)
    call.require(company_subject(company))
    return typed(StoredCompany, company)


def require_in_use(company: StoredCompany) -> None:
    """Refusal 400000 for a terminated company: nothing is added that its deletion required to be gone, or removed."""
    if company.status == "terminated":
        raise invalid(Problem("companyId", "is a terminated company", company.id))
