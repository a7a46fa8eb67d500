"""Creation and update of companies (2.7, 4.4)."""

from __future__ import annotations

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.companies import operations as declared
from svc_tui.interface.companies.access import is_reserved
from svc_tui.interface.companies.records import CompanyCreation, CompanyUpdate, ThemeQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.server.companies import fields
from svc_tui.server.companies.seen import bp_of, caller_of, existing, require, shown
from svc_tui.server.locking import users_locked
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.making import made_of

_NORTH_AMERICA = ("CAN", "USA")


@rule(declared.create_company)
async def create(call: Call[Nothing, CompanyCreation]) -> RuleResult:
    # Without a record there is nothing to clear: null is the same as absent.
    values = {wire: value for wire, value in fields.given(call.body).items() if value is not None}
    caller = await caller_of(call)
    base = await _new(call, caller)
    fields.check_setters(call, values, caller, base, await bp_of(call.store, base), creating=True)
    company = {**base, **values}
    company["dataLocation"] = _location(str(company["country"]))
    fields.check_needs(CompanyCreation, values, company)
    fields.check_visibility(company, values)
    await fields.check_references(call.store, values, company)
    await fields.check_name(call.store, company)
    await call.store.companies.add(company)
    await _subscribe(call, company)
    return {"data": await shown(call, company, "full", theme_object=False)}


@rule(declared.update_company)
async def update(call: Call[ThemeQuery, CompanyUpdate]) -> RuleResult:
    await call.store.lock(f"company:{call.path['companyId']}")
    company = await existing(call.store, call.path["companyId"], Code.NOT_FOUND_UPDATE)
    await require(call, company)
    values = fields.given(call.body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    fields.check_setters(call, values, await caller_of(call), company, await bp_of(call.store, company))
    changed = fields.merged(company, values)
    fields.check_needs(CompanyUpdate, values, changed)
    fields.check_visibility(changed, values)
    await fields.check_references(call.store, values, company)
    if changed["name"] != company["name"]:
        if is_reserved(company):
            raise Refusal(Code.RESERVED_NAME, f"the company {company['name']} cannot be renamed")
        await fields.check_name(call.store, changed)
        await _rename_users(call.store, changed)
    if changed["status"] != company.get("status"):
        changed["statusUpdatedDate"] = call.stamp
    if changed.get("bpIsContractAccepted") and not company.get("bpIsContractAccepted"):
        changed["bpContractAcceptationInfo"] = {
            "acceptationDate": call.stamp,
            "bpAdminId": call.user.id,
            "bpAdminLoginEmail": call.user.login_email,
        }
    await call.store.companies.put(changed)
    return {"data": await shown(call, changed, "full", theme_object=call.query.selected_theme_obj)}


async def _new(call: Call[Nothing, CompanyCreation], caller: Caller) -> Document:
    """A new company as its creator makes it: linked to his BP, or in his organisation, with the catalog of his own."""
    own = await call.store.companies.get(caller.company_id) or {}
    company = {
        "id": call.service.ids.record(),
        "status": "active",
        "creationDate": call.stamp,
        "statusUpdatedDate": call.stamp,
        **fields.defaults(),
    }
    catalog = None
    if Role.SUPERADMIN not in caller.roles:
        if caller.roles & {Role.BP_ADMIN, Role.BP_FINANCE}:
            if not own.get("isBP"):
                raise Refusal(Code.NOT_MANAGED, "your company is no BP")
            # It becomes active when its first administrator joins.
            company.update(bpId=caller.company_id, status="initializing")
        elif caller.organisation_id:
            company["organisationId"] = caller.organisation_id
        else:
            raise Refusal(Code.NOT_MANAGED, "you belong to no organisation")
        catalog = own.get("catalogId")
    if catalog is None:
        default = await call.store.catalogs.one(Is("isDefault", True))
        catalog = default["id"] if default else None
    if catalog is not None:
        company["catalogId"] = catalog
    return company


async def _subscribe(call: Call[Nothing, CompanyCreation], company: Document) -> None:
    """Every company has a subscription to the default offer."""
    offer = await call.store.offers.one(Is("isDefault", True))
    if offer is None:
        return
    made = made_of(call.service.ids.record(), {**offer, "isDefault": True}, company, call.stamp)
    await call.store.subscriptions.add(made)


async def _rename_users(store: Store, company: Document) -> None:
    async for user in users_locked(store, Is("companyId", company["id"])):
        await store.users.put({**user, "companyName": company["name"]})


def _location(country: str) -> Document:
    """Where the data of a new company lies; later changes of its country move nothing."""
    if country in _NORTH_AMERICA:
        return {"name": "north-america", "location": "North America", "country": "USA"}
    if country == "CHN":
        return {"name": "china", "location": "China", "country": "CHN"}
    return {"name": "europe", "location": "Europe", "country": "FRA"}
