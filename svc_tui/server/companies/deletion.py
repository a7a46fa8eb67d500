"""Deletion of companies (4.4): all conditions are checked, and the refusal lists every violated one."""

from __future__ import annotations

from svc_tui.interface.access import Role
from svc_tui.interface.companies import operations as declared
from svc_tui.interface.companies.findings import BY_PARAM, CONDITIONS
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of
from svc_tui.server.companies.access import load_company, require_access
from svc_tui.server.companies.fields import count_linked
from svc_tui.server.companies.representation import represented
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.stored import StoredCompany


@rule(declared.delete_company)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"company:{call.path['companyId']}")
    company = await load_company(call.store, call.path["companyId"])
    await require_access(call, company)
    violated = {param: count for param, count in (await _counts(call, company)).items() if count}
    if violated:
        first = next(condition for condition in CONDITIONS if condition.param in violated)
        problems = [Problem(param, BY_PARAM[param].sentence, count) for param, count in violated.items()]
        raise Refusal(first.code, [problem.wire() for problem in problems])
    terminated = copied(company)
    # The name becomes available again.
    terminated.name = f"terminated_{company.id}_{company.name}"
    terminated.status, terminated.status_updated_date = "terminated", call.now
    del terminated.last_avatar_update_date, terminated.last_banner_update_date
    await call.store.companies.put(document_of(terminated))
    await call.store.images.remove("avatar", company.id)
    await call.store.images.remove("splashscreen", company.id)
    await call.store.splash_screens.remove(company.id)
    answer = await represented(call, terminated, "full")
    return {"status": f"Company {company.id} successfully deleted", "data": answer}


async def _counts(call: Call, company: StoredCompany) -> dict[str, int]:
    """The counts that must be zero, by the name of their condition, in order."""
    store, of_company = call.store, Is("companyId", company.id)
    paid = (Not(Is("isDefault", True)), Not(Is("status", "terminated")))
    return {
        "status": int(company.status == "terminated"),
        "companies": await count_linked(store, company.id),
        "sites": await store.sites.count(of_company),
        # Default subscriptions are ignored because every company has one; otherwise no company could be deleted.
        "subscriptions": await store.subscriptions.count(of_company, *paid),
        "users": await _count_users(call, company),
    }


async def _count_users(call: Call, company: StoredCompany) -> int:
    """Users left, including those with a pending termination. A company_admin alone in the company does not count."""
    caller = call.known_caller
    left = await call.store.users.count(Is("companyId", company.id), Not(Is("isTerminated", True)))
    alone = left == 1 and caller.company_id == company.id and Role.COMPANY_ADMIN in caller.roles
    return 0 if alone else left
