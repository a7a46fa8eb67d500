"""Creation, update and deletion of companies (2.7, 4.4): all conditions of a deletion are checked, and the refusal
lists every violated one.
"""

from __future__ import annotations

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.companies import operations as declared
from svc_tui.interface.companies.access import is_reserved
from svc_tui.interface.companies.findings import BY_PARAM, CONDITIONS
from svc_tui.interface.companies.records import Acceptance, CompanyCreation, CompanyUpdate, DataLocation, ThemeQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.companies import fields
from svc_tui.server.companies.access import bp_of, caller_with_bp, load_company, require_access
from svc_tui.server.companies.fields import count_linked
from svc_tui.server.companies.representation import represented
from svc_tui.server.customisation.applying import ensure_private_default
from svc_tui.server.refusal import Refusal
from svc_tui.server.request_values import non_null_values, update_of
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCatalog, StoredCompany, StoredOffer, change_users
from svc_tui.server.subscriptions.records import new_subscription

_NORTH_AMERICA = ("CAN", "USA")


@rule(declared.create_company)
async def create(call: Call[Nothing, CompanyCreation]) -> RuleResult:
    values = non_null_values(call.body)
    caller = await caller_with_bp(call)
    base = await _new(call, caller)
    fields.check_setters(call, values, caller, base, await bp_of(call.store, base), creating=True)
    company = typed(StoredCompany, {**document_of(base), **values})
    company.data_location = _location(company.country)
    fields.check_needs(CompanyCreation, values, company)
    fields.check_visibility(company, values)
    if company.bp_id:
        # The partner is not deleted before its customer is stored.
        await call.store.lock(f"company:{company.bp_id}")
    await fields.check_references(call.store, values, company)
    await fields.check_name(call.store, company)
    await call.store.companies.add(document_of(company))
    await _subscribe_to_default(call, company)
    await ensure_private_default(call, company)
    return {"data": await represented(call, company, "full")}


@rule(declared.update_company)
async def update(call: Call[ThemeQuery, CompanyUpdate]) -> RuleResult:
    # Nor is a new partner deleted before its customer is stored. The order is that of every request.
    for id in sorted({call.path["companyId"], call.body.bp_id or call.path["companyId"]}):
        await call.store.lock(f"company:{id}")
    company = await load_company(call.store, call.path["companyId"])
    await require_access(call, company)
    values = update_of(call.body)
    fields.check_setters(call, values, await caller_with_bp(call), company, await bp_of(call.store, company))
    changed = fields.merged(company, values)
    fields.check_needs(CompanyUpdate, values, changed)
    fields.check_visibility(changed, values)
    await fields.check_references(call.store, values, company)
    if changed.name != company.name:
        if is_reserved(document_of(company)):
            raise Refusal(Code.RESERVED_NAME, f"the company {company.name} cannot be renamed")
        await fields.check_name(call.store, changed)
        await _rename_users(call.store, changed)
    if changed.status != company.status:
        changed.status_updated_date = call.now
    if changed.bp_is_contract_accepted and not company.bp_is_contract_accepted:
        changed.bp_contract_acceptation_info = Acceptance(
            acceptation_date=call.now, bp_admin_id=call.user.id, bp_admin_login_email=call.user.login_email
        )
    await call.store.companies.put(document_of(changed))
    await ensure_private_default(call, changed)
    return {"data": await represented(call, changed, "full", theme_object=call.query.selected_theme_obj)}


async def _new(call: Call[Nothing, CompanyCreation], caller: Caller) -> StoredCompany:
    """A new company of the caller: linked to the caller's partner (BP) or organisation, with the caller's catalog."""
    own = typed(StoredCompany, await call.store.companies.get(caller.company_id))
    document = {
        "id": call.service.ids.record(),
        "status": "active",
        "creationDate": call.stamp,
        "statusUpdatedDate": call.stamp,
        **fields.defaults(),
    }
    company = typed(StoredCompany, document)
    catalog_id = None
    if Role.SUPERADMIN not in caller.roles:
        if caller.roles & {Role.BP_ADMIN, Role.BP_FINANCE}:
            if own is None or not own.is_bp:
                raise Refusal(Code.NOT_MANAGED, "your company is not a partner (BP)")
            # It becomes active when its first administrator joins.
            company.bp_id, company.status = caller.company_id, "initializing"
        elif caller.organisation_id:
            company.organisation_id = caller.organisation_id
        else:
            raise Refusal(Code.NOT_MANAGED, "you do not belong to an organisation")
        catalog_id = own.catalog_id if own else None
    if catalog_id is None:
        default = typed(StoredCatalog, await call.store.catalogs.one(Is("isDefault", True)))
        catalog_id = default.id if default else None
    if catalog_id is not None:
        company.catalog_id = catalog_id
    return company


async def _subscribe_to_default(call: Call[Nothing, CompanyCreation], company: StoredCompany) -> None:
    """Every company has a subscription to the default offer."""
    offer = typed(StoredOffer, await call.store.offers.one(Is("isDefault", True)))
    if offer is not None:
        subscription = new_subscription(call.service.ids.record(), offer, company, call.now)
        await call.store.subscriptions.add(document_of(subscription))


async def _rename_users(store: Store, company: StoredCompany) -> None:
    await change_users(store, Is("companyId", company.id), lambda user: {**user, "companyName": company.name})


def _location(country: str | None) -> DataLocation:
    """The data location of a new company; later changes of the country do not move its data."""
    if country in _NORTH_AMERICA:
        return DataLocation(name="north-america", location="North America", country="USA")
    if country == "CHN":
        return DataLocation(name="china", location="China", country="CHN")
    return DataLocation(name="europe", location="Europe", country="FRA")


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
