"""Templates applied: a company or a user gets their values (2.8, 4.4); and the private default template of each
standalone company.
"""

from __future__ import annotations

from svc_tui.interface.companies.access import is_standalone
from svc_tui.interface.customisation import operations as declared
from svc_tui.interface.customisation.features import BY_KEY, SAME, TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import TemplateApplication, TemplateType
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.customisation.access import StoredTemplate, available_to, with_all_keys
from svc_tui.server.reach import reached_company, user_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany

#: Types of templates that are for users only, and for companies only.
_FOR_USERS, _FOR_COMPANIES = "default_user", ("default_company", "private_default_company")

_ApplyCall = Call[Nothing, TemplateApplication]


@rule(declared.apply_template)
async def apply(call: _ApplyCall) -> RuleResult:
    company_id, user_id = call.body.company_id, call.body.user_id
    if company_id and user_id:
        raise invalid(Problem("userId", "cannot be given together with companyId", user_id))
    if company_id:
        return await _to_company(call, checked_id("companyId", company_id))
    if user_id:
        return await _to_user(call, checked_id("userId", user_id))
    raise invalid(Problem("companyId", "is required, or userId"))


async def _to_company(call: _ApplyCall, company_id: str) -> RuleResult:
    await reached_company(call, company_id)
    template = await _requested(call, company_id)
    if template.type == _FOR_USERS:
        raise invalid(Problem("name", "is a template for users only", call.body.name))
    # After the template, as in its deletion.
    await call.store.lock(f"company:{company_id}")
    await _give(call.store, await reached_company(call, company_id), template)
    status = f"Template {template.name} successfully applied to company {company_id}"
    return {"status": status, "data": {"id": company_id, "selectedAppCustomisationTemplate": template.id}}


async def _to_user(call: _ApplyCall, user_id: str) -> RuleResult:
    await call.store.lock(f"user:{user_id}")
    user = await call.store.users.get(user_id)
    if user is None:
        raise not_found("User", user_id)
    call.require(await user_subject(call.store, user))
    template = await _requested(call, str(user["companyId"]))
    if template.type in _FOR_COMPANIES:
        raise invalid(Problem("name", "is a template for companies only", call.body.name))
    await call.store.users.put({**user, **_values(template)})
    status = f"Template {template.name} successfully applied to user {user_id}"
    return {"status": status, "data": {"id": user_id}}


async def _requested(call: _ApplyCall, company_id: str) -> StoredTemplate:
    """The template of this name that is available to the company, locked. Its own one goes before those of others.

    Refusal 409000 where a public one has the same name: the older of them may have been there before the other.
    """
    found = await call.store.templates.find(Is("name", call.body.name), available_to(company_id))
    exact = [each for each in all_typed(StoredTemplate, found.documents) if each.name == call.body.name]
    if exact:
        best = min(exact, key=lambda each: (each.owned_by_company != company_id, each.visibility == "public"))
        if best.visibility != "public" and any(each.visibility == "public" for each in exact):
            sentence = f"A public and a private template are named {call.body.name}. Rename the private one first."
            raise Refusal(Code.ALREADY_EXISTS, sentence)
        await call.store.lock(f"template:{best.id}")
        template = typed(StoredTemplate, await call.store.templates.get(best.id))
        if template is not None and template.name == call.body.name:
            return template
    sentence = f"Template with name {call.body.name} not found among those available to company {company_id}"
    raise Refusal(Code.NOT_FOUND, sentence)


def _values(template: StoredTemplate) -> Document:
    """The values that the template gives. A key without a value is left unchanged."""
    if template.type == _FOR_USERS:
        return {key: SAME for key, value in TEMPLATE_DEFAULTS.items() if value is not None}
    return {key: value for key, value in with_all_keys(template).items() if key in BY_KEY and value is not None}


async def _give(store: Store, company: StoredCompany, template: StoredTemplate) -> None:
    changed = typed(StoredCompany, {**document_of(company), **_values(template)})
    changed.selected_app_customisation_template = template.id
    await store.companies.put(document_of(changed))


async def replace_deleted_template(store: Store, template_id: str) -> None:
    """Give the companies of a deleted template the public template for companies instead."""
    full = typed(StoredTemplate, await store.templates.one(Is("type", "default_company")))
    of_template = Is("selectedAppCustomisationTemplate", template_id)
    for each in all_typed(StoredCompany, (await store.companies.find(of_template)).documents):
        await store.lock(f"company:{each.id}")
        company = typed(StoredCompany, await store.companies.get(each.id))
        if company is None or company.selected_app_customisation_template != template_id:
            continue
        if full is not None:
            await _give(store, company, full)
        else:
            document = {**document_of(company), **TEMPLATE_DEFAULTS, "selectedAppCustomisationTemplate": None}
            await store.companies.put(document)


TYPE: TemplateType = "private_default_company"
NAME = "Default"


async def ensure_private_default(call: AnyCall, company: StoredCompany) -> None:
    """Add the template of a standalone company that has none. A company that gets a partner keeps its template."""
    if not is_standalone(document_of(company)):
        return
    await call.store.lock(f"templates of:{company.id}")
    if await call.store.templates.one(Is("type", TYPE), Is("ownedByCompany", company.id)) is not None:
        return
    template = {
        "id": call.service.ids.record(),
        "name": NAME,
        "visibility": "private",
        "visibleBy": [],
        "type": TYPE,
        "createdBy": call.user.id,
        "creationDate": call.stamp,
        "ownedByCompany": company.id,
    }
    await call.store.templates.add({**TEMPLATE_DEFAULTS, **template})
