"""Templates applied: a company or a user gets their values (2.8, 4.4)."""

from __future__ import annotations

from svc_tui.interface.customisation import operations as declared
from svc_tui.interface.customisation.features import SAME, TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import TemplateApplication
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.server.customisation.seen import PUBLIC, available_to, features_in, shown
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.reach import company_subject, user_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: The company's field that keeps the last template applied.
_SELECTED = "selectedAppCustomisationTemplate"
#: Templates that make sense for one of the two only.
_FOR_USERS, _FOR_COMPANIES = "default_user", ("default_company", "private_default_company")

_Applied = Call[Nothing, TemplateApplication]


@rule(declared.apply_template)
async def apply(call: _Applied) -> RuleResult:
    body = call.body
    if body.company_id and body.user_id:
        raise invalid(Problem("userId", "cannot be given together with companyId", body.user_id))
    if not body.company_id and not body.user_id:
        raise invalid(Problem("companyId", "is required, or userId"))
    for param, id in (("companyId", body.company_id), ("userId", body.user_id)):
        if id and not RECORD_ID.fullmatch(id):
            raise invalid(Problem(param, "is no identifier", id))
    return await (_to_company(call, body.company_id) if body.company_id else _to_user(call, str(body.user_id)))


async def _to_company(call: _Applied, company_id: str) -> RuleResult:
    await call.store.lock(f"company:{company_id}")
    company = await call.store.companies.get(company_id)
    if company is None:
        raise not_found("Company", company_id)
    call.require(company_subject(company))
    template = await _named(call, company_id)
    if template["type"] == _FOR_USERS:
        raise invalid(Problem("name", "this template is for users only", call.body.name))
    changed = await call.store.companies.put(_with_values(company, template))
    status = f"Template {template['name']} successfully applied to company {company_id}"
    return {"status": status, "data": {"id": company_id, _SELECTED: changed[_SELECTED]}}


async def _to_user(call: _Applied, user_id: str) -> RuleResult:
    await call.store.lock(f"user:{user_id}")
    user = await call.store.users.get(user_id)
    if user is None:
        raise not_found("User", user_id)
    call.require(await user_subject(call.store, user))
    template = await _named(call, str(user["companyId"]))
    if template["type"] in _FOR_COMPANIES:
        raise invalid(Problem("name", "this template is for companies only", call.body.name))
    await call.store.users.put({**user, **_values(template)})
    status = f"Template {template['name']} successfully applied to user {user_id}"
    return {"status": status, "data": {"id": user_id}}


async def _named(call: _Applied, company_id: str) -> Document:
    """The template of this name that is available to the company; its own one before those of others."""
    found = await call.store.templates.find(Is("name", call.body.name), available_to(company_id))
    exact = [each for each in found.documents if each["name"] == call.body.name]
    if not exact:
        sentence = f"Template with name {call.body.name} not found among those available to company {company_id}"
        raise Refusal(Code.NOT_FOUND, sentence)
    return min(exact, key=lambda each: (each.get("ownedByCompany") != company_id, each["visibility"] == PUBLIC))


def _values(template: Document) -> Document:
    """What the template gives; of null, what was there before goes on."""
    if template["type"] == _FOR_USERS:
        return {key: SAME for key, value in TEMPLATE_DEFAULTS.items() if value is not None}
    return {key: value for key, value in features_in(shown(template)).items() if value is not None}


def _with_values(company: Document, template: Document) -> Document:
    return {**company, **_values(template), _SELECTED: template["id"]}


async def apply_full_again(store: Store, template_id: str) -> None:
    """Give the companies of a deleted template the public template for companies in its place."""
    full = await store.templates.one(Is("type", "default_company"))
    for each in (await store.companies.find(Is(_SELECTED, template_id))).documents:
        await store.lock(f"company:{each['id']}")
        company = await store.companies.get(each["id"])
        if company is None or company.get(_SELECTED) != template_id:
            continue
        if full is not None:
            await store.companies.put(_with_values(company, full))
        else:
            await store.companies.put({**company, **TEMPLATE_DEFAULTS, _SELECTED: None})
