"""Which templates there are for whom: their own ones, those they may use, and the public ones."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Reach, Subject
from svc_tui.interface.customisation.features import BY_KEY, TEMPLATE_DEFAULTS
from svc_tui.interface.errors import Code
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import AnyOf, Condition, Has, Is
from svc_tui.server.store.tables import Document

PUBLIC, PRIVATE = "public", "private"


def available_to(company_id: str) -> Condition:
    """The templates that a company may use: public ones, its own, and those that others let it see."""
    return AnyOf((Is("visibility", PUBLIC), Is("ownedByCompany", company_id), Has("visibleBy", (company_id,))))


def is_available(template: Document, company_id: str) -> bool:
    """Whether a company may use the template."""
    return (
        template.get("visibility") == PUBLIC
        or template.get("ownedByCompany") == company_id
        or company_id in (template.get("visibleBy") or ())
    )


async def template_of(call: Call[Any, Any], code: Code = Code.NOT_FOUND) -> Document:
    """The template of the path. Refusal 404000 (or `code`) when it is unknown, 403301 when it is not for the caller."""
    assert call.caller is not None
    template = await call.store.templates.get(call.path["templateId"])
    if template is None:
        raise not_found("Template", call.path["templateId"], code)
    if Reach.ANY not in call.reached and not is_available(template, call.caller.company_id):
        raise Refusal(Code.NOT_MANAGED)
    return template


async def template_to_change(call: Call[Any, Any], code: Code) -> Document:
    """The template of the path, which the caller's company owns. Refusal 403 for public ones, whoever calls."""
    template = await template_of(call, code)
    if template.get("visibility") == PUBLIC:
        raise Refusal(Code.ROLE_MISSING, "public templates cannot be changed")
    call.require(Subject(company_id=str(template.get("ownedByCompany") or "")))
    return template


def shown(template: Document) -> Document:
    """A stored template with every feature key; of keys that came later it has the default."""
    return {**TEMPLATE_DEFAULTS, **template}


def features_in(values: Document) -> Document:
    """The feature keys among these values."""
    return {key: value for key, value in values.items() if key in BY_KEY}
