"""Access to templates: a company's own ones, those it may use, and the public ones."""

from __future__ import annotations

from typing import Literal

from svc_tui.interface.access import Reach, Subject
from svc_tui.interface.customisation.features import TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import Template, TemplateType
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import AnyOf, Condition, ContainsAny, Is
from svc_tui.server.store.tables import Document


class StoredTemplate(Template):
    id: str = field(...)
    name: str = field(...)
    visibility: Literal["public", "private"] = field(...)
    type: TemplateType = field(...)


def available_to(company_id: str) -> Condition:
    """The templates that a company may use: public ones, its own, and those that others share with it."""
    return AnyOf(
        (Is("visibility", "public"), Is("ownedByCompany", company_id), ContainsAny("visibleBy", (company_id,)))
    )


def is_available(template: StoredTemplate, company_id: str) -> bool:
    """Whether a company may use the template."""
    return (
        template.visibility == "public"
        or template.owned_by_company == company_id
        or company_id in (template.visible_by or ())
    )


async def template_of(call: AnyCall, code: Code = Code.NOT_FOUND) -> StoredTemplate:
    """The template of the path. Refusal 404000 (or `code`) for an unknown one, 403301 for one of other companies."""
    template = typed(StoredTemplate, await call.store.templates.get(call.path["templateId"]))
    if template is None:
        raise not_found("Template", call.path["templateId"], code)
    if Reach.ANY not in call.reached and not is_available(template, call.known_caller.company_id):
        raise Refusal(Code.NOT_MANAGED)
    return template


async def changeable_template(call: AnyCall, code: Code) -> StoredTemplate:
    """The template of the path, which the caller's company owns. Refusal 403 for public ones, for every caller."""
    template = await template_of(call, code)
    if template.visibility == "public":
        raise Refusal(Code.ROLE_MISSING, "Public templates cannot be changed.")
    call.require(Subject(company_id=template.owned_by_company or ""))
    return template


def with_all_keys(template: StoredTemplate) -> Document:
    """A template with every feature key. Keys that are newer than the template have their defaults."""
    return {**TEMPLATE_DEFAULTS, **document_of(template)}
