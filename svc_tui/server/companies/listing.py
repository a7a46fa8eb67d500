"""Reading of companies, their administrators, and the countries (4.4, 2.7)."""

from __future__ import annotations

from svc_tui.interface.access import ADMIN_TYPES, Caller, Role
from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies import operations as declared
from svc_tui.interface.companies.access import DEFAULT_NAME
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.records import AdministratorQuery, Company, CompanyFormatQuery, CompanyQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import all_typed, typed
from svc_tui.server.companies.access import caller_with_bp, companies_within, load_company, require_access
from svc_tui.server.companies.representation import all_represented, represented
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import Call, RuleResult, documents_page, page_of, rule
from svc_tui.server.store.conditions import (
    AllOf,
    AnyOf,
    Condition,
    Contains,
    ContainsAny,
    In,
    Is,
    Not,
    ReferencedBy,
    Related,
    StartsWith,
)
from svc_tui.server.stored import StoredCompany


@rule(declared.list_companies)
async def list_companies(call: Call[CompanyQuery]) -> RuleResult:
    query = call.query
    where = [companies_within(call.reached, await caller_with_bp(call)), *_filters(query)]
    # The page has all fields: the fields for the caller are selected below.
    page = await documents_page(
        call, call.store.companies, Company, query.model_copy(update={"format": "full"}), *where
    )
    companies = all_typed(StoredCompany, page["data"])
    data = await all_represented(call, companies, query.format, theme_object=query.selected_theme_obj)
    return {**page, "data": data}


@rule(declared.get_company)
async def get_company(call: Call[CompanyFormatQuery]) -> RuleResult:
    company = await load_company(call.store, call.path["companyId"])
    await require_access(call, company)
    return {"data": await represented(call, company, call.query.format, theme_object=call.query.selected_theme_obj)}


@rule(declared.get_default_company)
async def get_default_company(call: Call[CompanyFormatQuery]) -> RuleResult:
    company = typed(StoredCompany, await call.store.companies.one(Is("name", DEFAULT_NAME)))
    if company is None:
        raise not_found("Company", DEFAULT_NAME)
    return {"data": await represented(call, company, call.query.format, theme_object=call.query.selected_theme_obj)}


@rule(declared.get_company_as_user)
async def get_company_as_user(call: Call[CompanyFormatQuery]) -> RuleResult:
    company, caller = await load_company(call.store, call.path["companyId"]), call.known_caller
    if not _is_visible(caller, company):
        raise Refusal(Code.NOT_MANAGED, "this company is not visible to users of other companies")
    # For another company, users get at most the medium format.
    own = caller.company_id == company.id
    format = call.query.format if own or call.query.format == "small" else "medium"
    return {"data": await represented(call, company, format, theme_object=call.query.selected_theme_obj)}


@rule(declared.list_company_administrators)
async def list_company_administrators(call: Call[AdministratorQuery]) -> RuleResult:
    company = await load_company(call.store, call.path["companyId"])
    await require_access(call, company)
    administrators = AnyOf(
        (In("adminType", sorted(ADMIN_TYPES)), ContainsAny("roles", (Role.BP_ADMIN.value, Role.BP_FINANCE.value)))
    )
    of_company = (Is("companyId", company.id), Not(Is("isTerminated", True)))
    return await page_of(call, call.store.users, User, call.query, *of_company, administrators)


@rule(declared.list_countries)
async def list_countries(call: Call) -> RuleResult:
    return {"data": [{"isoAlpha3Code": code, "fullname": name} for code, name in COUNTRIES.items()]}


def _is_visible(caller: Caller, company: StoredCompany) -> bool:
    """Whether users of the caller's company see this one: by default, a company is visible only to its own users."""
    if company.id == caller.company_id or caller.company_id in (company.visible_by or ()):
        return True
    if company.visibility == "organization":
        return bool(caller.organisation_id) and company.organisation_id == caller.organisation_id
    return company.visibility == "public"


def _filters(query: CompanyQuery) -> list[Condition]:
    where: list[Condition] = []
    if query.name:
        where.append(Contains("name", query.name))
    plain: tuple[tuple[str, str | None], ...] = (
        ("status", query.status),
        ("visibility", query.visibility),
        ("bpType", query.bp_type),
        ("organisationId", _identifier("organisationId", query.organisation_id)),
        ("bpId", _identifier("bpId", query.bp_id)),
        ("catalogId", _identifier("catalogId", query.catalog_id)),
        (
            "selectedAppCustomisationTemplate",
            _identifier("selectedAppCustomisationTemplate", query.selected_app_customisation_template),
        ),
    )
    where += [Is(wire, value) for wire, value in plain if value]
    where += [
        StartsWith(wire, prefix)
        for wire, prefix in (
            ("externalReference", query.external_reference),
            ("externalReference2", query.external_reference2),
        )
        if prefix
    ]
    if query.is_bp is not None:
        where.append(Is("isBP", True) if query.is_bp else Not(Is("isBP", True)))
    if query.has_bp is not None:
        where.append(Not(Is("bpId", None)) if query.has_bp else Is("bpId", None))
    return where + [_subscribed(condition) for condition in _offers(query)]


def _offers(query: CompanyQuery) -> list[Condition]:
    """The filters by subscription."""
    where: list[Condition] = []
    if query.offer_id:
        where.append(Is("offerId", _identifier("offerId", query.offer_id)))
    if query.offer_can_be_sold is not None:
        where.append(Related("offerId", "offers", Is("canBeSold", query.offer_can_be_sold)))
    if query.offer_group_name:
        where.append(Related("offerId", "offers", Is("groupName", query.offer_group_name)))
    return where


def _subscribed(condition: Condition) -> Condition:
    return ReferencedBy("subscriptions", "companyId", AllOf((condition, Not(Is("status", "terminated")))))


def _identifier(param: str, value: str | None) -> str | None:
    """An optional identifier. Refusal 400000 for a text that is not an identifier."""
    return checked_id(param, value) if value else value
