"""Customisation templates: listed, made, changed and deleted (2.8, 4.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.access import Reach
from svc_tui.interface.customisation import operations as declared
from svc_tui.interface.customisation.consistency import broken, whole
from svc_tui.interface.customisation.features import BY_KEY, TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import Template, TemplateBody, TemplateQuery, TemplateUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record, field_by_wire
from svc_tui.server.customisation.applying import apply_full_again
from svc_tui.server.customisation.seen import PRIVATE, available_to, shown, template_of, template_to_change
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


@rule(declared.list_templates)
async def list_templates(call: Call[TemplateQuery]) -> RuleResult:
    return await page_of(call.store.templates, Template, call.query, *await _wanted(call), show=shown)


async def _wanted(call: Call[TemplateQuery]) -> list[Condition]:
    assert call.caller is not None
    if Reach.ANY not in call.reached:
        # companyId is for superadmin and support: others always see what their own company may use.
        return [available_to(call.caller.company_id)]
    asked = call.query.company_id
    if not asked:
        return []
    if await call.store.companies.get(asked) is None:
        raise not_found("Company", asked)
    return [available_to(asked)]


@rule(declared.get_template)
async def get_template(call: Call) -> RuleResult:
    return {"data": shown(await template_of(call))}


@rule(declared.create_template)
async def create(call: Call[Nothing, TemplateBody]) -> RuleResult:
    given = {wire: value for wire, value in _given(call.body).items() if value is not None or wire == "imPopupDuration"}
    owner = await _owner(call, str(given.get("ownedByCompany") or call.user.company_id))
    await _check_visible_by(call.store, given.get("visibleBy") or ())
    template = {
        "id": call.service.ids.record(),
        "visibility": PRIVATE,
        "visibleBy": [],
        "type": "other",
        "createdBy": call.user.id,
        "creationDate": call.stamp,
        **whole(given),
        **given,
        "ownedByCompany": owner,
    }
    _check_consistent(template)
    await _check_name(call.store, template)
    await call.store.templates.add(template)
    return {"status": f"Template {template['id']} successfully created", "data": shown(template)}


@rule(declared.update_template)
async def update(call: Call[Nothing, TemplateUpdate]) -> RuleResult:
    await call.store.lock(f"template:{call.path['templateId']}")
    template = await template_to_change(call, Code.NOT_FOUND_UPDATE)
    given = _given(call.body)
    if not given:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    await _check_visible_by(call.store, given.get("visibleBy") or ())
    changed = {**shown(template), **{wire: _or_default(wire, value) for wire, value in given.items()}}
    _check_consistent(changed)
    if changed["name"] != template["name"]:
        await _check_name(call.store, changed)
    await call.store.templates.put(changed)
    return {"status": f"Template {template['id']} successfully updated", "data": changed}


@rule(declared.delete_template)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"template:{call.path['templateId']}")
    template = await template_to_change(call, Code.NOT_FOUND_DELETE)
    await call.store.templates.remove(template["id"])
    await apply_full_again(call.store, template["id"])
    return {"status": f"Template {template['id']} successfully deleted"}


def _given(body: Record) -> Document:
    known = field_by_wire(type(body))
    return {wire: value for wire, value in body.wire().items() if wire in known}


def _or_default(wire: str, value: Any) -> Any:
    """What null stands for: a key's default, nobody, and for a name nothing that there could be."""
    if value is not None:
        return value
    if wire == "name":
        raise invalid(Problem("name", "must not be empty"))
    return TEMPLATE_DEFAULTS[wire] if wire in BY_KEY else []


async def _owner(call: Call[Any, Any], company_id: str) -> str:
    company = await call.store.companies.get(company_id)
    if company is None:
        raise not_found("Company", company_id)
    call.require(company_subject(company))
    return company_id


async def _check_visible_by(store: Store, company_ids: Iterable[str]) -> None:
    """Refuse (400000) companies that there are not."""
    asked = set(company_ids)
    found = {each["id"] for each in (await store.companies.find(In("id", tuple(asked)))).documents} if asked else set()
    if unknown := sorted(asked - found):
        raise invalid(Problem("visibleBy", "names companies that there are not", ", ".join(unknown)[:255]))


def _check_consistent(template: Document) -> None:
    """Refuse (403628) values that contradict each other, each with its sentence."""
    if problems := broken(template):
        said = [Problem(each.key, each.sentence, template.get(each.key)).wire() for each in problems]
        raise Refusal(Code.INCONSISTENT_TEMPLATE, said)


async def _check_name(store: Store, template: Document) -> None:
    """Refuse (409000) a name that another template of the owning company has."""
    owner = template["ownedByCompany"]
    # Two of the same name at once: the second one waits here, and then finds the first.
    await store.lock(f"templates of:{owner}")
    alike = await store.templates.find(Is("ownedByCompany", owner), Is("name", template["name"]))
    # The store's comparison ignores case.
    if any(each["name"] == template["name"] and each["id"] != template["id"] for each in alike.documents):
        raise Refusal(Code.ALREADY_EXISTS, f"the company has a template named {template['name']}")
