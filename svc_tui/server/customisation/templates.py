"""Customisation templates: list, creation, update and deletion (2.8, 4.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.access import Reach
from svc_tui.interface.customisation import operations as declared
from svc_tui.interface.customisation.features import BY_KEY, TEMPLATE_DEFAULTS, contradictions, with_defaults
from svc_tui.interface.customisation.records import Template, TemplateBody, TemplateQuery, TemplateUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, typed
from svc_tui.server.customisation import applying
from svc_tui.server.customisation.access import (
    StoredTemplate,
    available_to,
    changeable_template,
    template_of,
    with_all_keys,
)
from svc_tui.server.customisation.applying import replace_deleted_template
from svc_tui.server.reach import reached_company
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id, update_of, values_of
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany


@rule(declared.list_templates)
async def list_templates(call: Call[TemplateQuery]) -> RuleResult:
    where = await _filters(call)
    return await page_of(call, call.store.templates, Template, call.query, *where, show=_shown)


def _shown(template: Document) -> Document:
    return with_all_keys(typed(StoredTemplate, template))


async def _filters(call: Call[TemplateQuery]) -> list[Condition]:
    if Reach.ANY not in call.reached:
        # companyId is for superadmin and support. Other callers always get the templates of their own company.
        return [available_to(call.known_caller.company_id)]
    company_id = call.query.company_id
    if not company_id:
        return []
    if await call.store.companies.get(checked_id("companyId", company_id)) is None:
        raise not_found("Company", company_id)
    return [available_to(company_id)]


@rule(declared.get_template)
async def get_template(call: Call) -> RuleResult:
    return {"data": with_all_keys(await template_of(call))}


@rule(declared.create_template)
async def create(call: Call[Nothing, TemplateBody]) -> RuleResult:
    values = {wire: value for wire, value in values_of(call.body).items() if value is not None or wire in _NULLABLE}
    owner = call.body.owned_by_company
    company = await reached_company(call, checked_id("ownedByCompany", owner) if owner else call.user.company_id or "")
    await _check_companies(call.store, call.body.visible_by or ())
    document = {
        "id": call.service.ids.record(),
        "visibility": "private",
        "visibleBy": [],
        "type": "other",
        "createdBy": call.user.id,
        "creationDate": call.stamp,
        **with_defaults(values),
        **values,
        "ownedByCompany": company.id,
    }
    _check_consistent(document)
    template = typed(StoredTemplate, document)
    await _check_name(call.store, template)
    await call.store.templates.add(document)
    return {"status": f"Template {template.id} successfully created", "data": with_all_keys(template)}


@rule(declared.update_template)
async def update(call: Call[Nothing, TemplateUpdate]) -> RuleResult:
    await call.store.lock(f"template:{call.path['templateId']}")
    template = await changeable_template(call, Code.NOT_FOUND_UPDATE)
    values = update_of(call.body, "name")
    await _check_companies(call.store, call.body.visible_by or ())
    changed = {**with_all_keys(template), **{wire: _or_default(wire, value) for wire, value in values.items()}}
    _check_consistent(changed)
    if changed["name"] != template.name:
        await _check_name(call.store, typed(StoredTemplate, changed))
    await call.store.templates.put(changed)
    return {"status": f"Template {template.id} successfully updated", "data": changed}


@rule(declared.delete_template)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"template:{call.path['templateId']}")
    template = await changeable_template(call, Code.NOT_FOUND_DELETE)
    if template.type == applying.TYPE:
        raise Refusal(Code.ROLE_MISSING, "The default template of a company cannot be deleted.")
    await call.store.templates.remove(template.id)
    await replace_deleted_template(call.store, template.id)
    return {"status": f"Template {template.id} successfully deleted"}


#: Keys of a new template that may be null.
_NULLABLE = tuple(key for key, default in TEMPLATE_DEFAULTS.items() if default is None)


def _or_default(wire: str, value: Any) -> Any:
    """The value, or for null the default of a key; for `visibleBy` no company."""
    if value is not None:
        return value
    return TEMPLATE_DEFAULTS[wire] if wire in BY_KEY else []


async def _check_companies(store: Store, company_ids: Iterable[str]) -> None:
    """Refuse (400000) unknown companies."""
    ids = set(company_ids)
    if not ids:
        return
    found = all_typed(StoredCompany, (await store.companies.find(In("id", tuple(ids)))).documents)
    if unknown := sorted(ids - {company.id for company in found}):
        raise invalid(Problem("visibleBy", "names unknown companies", ", ".join(unknown)[:255]))


def _check_consistent(template: Document) -> None:
    """Refuse (403628) values that contradict each other, each with its sentence."""
    if problems := contradictions(template):
        details = [Problem(each.key, each.sentence, template.get(each.key)).wire() for each in problems]
        raise Refusal(Code.INCONSISTENT_TEMPLATE, details)


async def _check_name(store: Store, template: StoredTemplate) -> None:
    """Refuse (409000) the name of another template of the owning company, and of a public one.

    Templates are applied by their names: one of a company would take the place of the public one.
    """
    owner = template.owned_by_company
    public = await store.templates.find(Is("visibility", "public"), Is("name", template.name))
    if any(each.name == template.name for each in all_typed(StoredTemplate, public.documents)):
        sentence = f"{template.name} is the name of a public template, which is applied by it. Choose another name."
        raise Refusal(Code.ALREADY_EXISTS, sentence)
    # Of two simultaneous templates with one name, the second waits here and then finds the first.
    await store.lock(f"templates of:{owner}")
    found = await store.templates.find(Is("ownedByCompany", owner), Is("name", template.name))
    # The store compares without regard to case.
    if any(
        each.name == template.name and each.id != template.id for each in all_typed(StoredTemplate, found.documents)
    ):
        raise Refusal(Code.ALREADY_EXISTS, f"The company already has a template named {template.name}.")
