"""Deletion of companies: every condition is looked at, and all that fail are told (4.4)."""

from __future__ import annotations

from svc_tui.interface.access import Role
from svc_tui.interface.companies import operations as declared
from svc_tui.interface.companies.deletion import BY_PARAM, CONDITIONS
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.server.companies.fields import linked
from svc_tui.server.companies.seen import existing, require, shown
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.tables import Document


@rule(declared.delete_company)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"company:{call.path['companyId']}")
    company = await existing(call.store, call.path["companyId"], Code.NOT_FOUND_DELETE)
    await require(call, company)
    standing = {param: count for param, count in (await _counts(call, company)).items() if count}
    if standing:
        first = next(condition for condition in CONDITIONS if condition.param in standing)
        problems = [Problem(param, BY_PARAM[param].sentence, count) for param, count in standing.items()]
        raise Refusal(first.code, [problem.wire() for problem in problems])
    terminated = {
        **company,
        # The name is free again.
        "name": f"terminated_{company['id']}_{company['name']}",
        "status": "terminated",
        "statusUpdatedDate": call.stamp,
    }
    for picture in ("lastAvatarUpdateDate", "lastBannerUpdateDate"):
        terminated.pop(picture, None)
    await call.store.companies.put(terminated)
    await call.store.images.remove("avatar", company["id"])
    await call.store.images.remove("splashscreen", company["id"])
    await call.store.splash_screens.remove(company["id"])
    answer = await shown(call, terminated, "full", theme_object=False)
    return {"status": f"Company {company['id']} successfully deleted", "data": answer}


async def _counts(call: Call, company: Document) -> dict[str, int]:
    """What stands in the way by the name of its condition, in their order."""
    store, of_it = call.store, Is("companyId", company["id"])
    paid = (Not(Is("isDefault", True)), Not(Is("status", "terminated")))
    return {
        "status": int(company.get("status") == "terminated"),
        "companies": await linked(store, company),
        "sites": await store.sites.count(of_it),
        # Without these two kinds no company could ever be deleted: every company has its default subscription.
        "subscriptions": await store.subscriptions.count(of_it, *paid),
        "users": await _users(call, company),
    }


async def _users(call: Call, company: Document) -> int:
    """Users who are left, also those who wait for their termination; a company_admin all by himself counts not."""
    assert call.caller is not None
    left = await call.store.users.count(Is("companyId", company["id"]), Not(Is("isTerminated", True)))
    alone = left == 1 and call.caller.company_id == company["id"] and Role.COMPANY_ADMIN in call.caller.roles
    return 0 if alone else left
