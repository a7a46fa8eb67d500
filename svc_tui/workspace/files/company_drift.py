"""Drift: what differs between a document and a company, its own or another one, or between two companies.

A document is compared with another company by the names of records; its IDs and the names of company and CloudPBX do
not count.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from svc_tui.interface.customisation.features import FEATURES, SAME
from svc_tui.interface.data import RecordData
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files.company_document import BY_NAME, PARTS, Document, Entry
from svc_tui.workspace.files.company_extras import DDIS, DEVICES, EXTENSIONS, FURTHER_PARTS, LICENCES
from svc_tui.workspace.files.company_known import PlanService
from svc_tui.workspace.files.company_plan import planned
from svc_tui.workspace.files.company_steps import FieldChange, Step

#: What can be chosen, and the components of each: those of plans, and all of telephony.
CHOICES = {**{part: (part,) for part in PARTS}, "telephony": (EXTENSIONS, DDIS, DEVICES)}


@dataclass(frozen=True, slots=True)
class Drift:
    """The differences of a company, as the steps that would end them."""

    company: RecordData
    steps: list[Step]
    #: The fields that differ and count as equal, because the company has their values from a template, and its name.
    inherited: tuple[str, ...] = ()
    template: str = ""

    def wire(self) -> dict[str, Any]:
        """The differences for programs."""
        names = ("action", "component", "name", "changes", "refusal")
        found = [{name: value for name, value in step.wire().items() if name in names} for step in self.steps]
        return {
            "company": self.company["id"],
            "name": self.company.get("name"),
            "differences": found,
            "fromTemplate": list(self.inherited),
        }


async def drift(
    service: PlanService,
    document: Document,
    company: RecordData,
    only: Collection[str] = (),
) -> Drift:
    """Compare a document with a company that was read, in some components or in all. ReadError."""
    chosen = {part for choice in only for part in CHOICES[choice]} or set(PARTS)
    aimed = aimed_at(document, company)
    read = {"company", *chosen, *(("users", "cloudpbx") if chosen & set(FURTHER_PARTS) else ())}
    if LICENCES in chosen:
        read.add("subscriptions")
    entries = tuple(entry for entry in aimed.entries if entry.component.name in read)
    narrowed = replace(aimed, entries=entries, whole=aimed.whole & read)
    plan = await planned(service, narrowed, lambda _component: None, None, company)
    steps = _without_inherited([step for step in plan.steps if step.component.name in chosen], company)
    for step in steps:
        if step.changes or step.effect != "update":
            # Whether it could be changed does not matter; a value that cannot be compared does.
            step.refusal = ""
    template = await _template(service, company)
    inherited: list[str] = []
    for step in steps:
        if step.component.name == "company" and step.effect == "update":
            inherited += [each.field for each in step.changes if template and each.before == template.get(each.field)]
            step.changes = [each for each in step.changes if each.field not in inherited]
    left = [step for step in steps if step.changes or step.refusal or step.effect != "update"]
    return Drift(company, left, tuple(inherited), str(template.get("name") or ""))


async def _template(service: PlanService, company: RecordData) -> dict[str, Any]:
    """The feature keys of the template that was chosen for a company last, and its name; empty without one."""
    id = company.get("selectedAppCustomisationTemplate")
    if not id:
        return {}
    try:
        row = (await service.read("get_template", {"templateId": str(id)}, {"format": "full"})).get("data") or {}
    except ReadError:
        return {}
    if row.get("type") != "other":
        # That of a new company is no choice: every deviation of a feature would count as equal.
        return {}
    return {"name": row.get("name"), **{each.key: row.get(each.key, each.default) for each in FEATURES}}


def aimed_at(document: Document, company: RecordData) -> Document:
    """The document for a company: itself for its own one, otherwise without what is only of its own one."""
    own, name = document.company, str(company.get("name") or "")
    if own.id == company["id"] or (not own.id and own.name.casefold() == name.casefold()):
        return document
    return replace(document, entries=tuple(_aimed(entry, str(company["id"]), name) for entry in document.entries))


def _aimed(entry: Entry, company_id: str, company: str) -> Entry:
    key = entry.component.key
    values = {wire: value for wire, value in entry.values.items() if wire != key or not entry.component.single}
    if entry.component is BY_NAME["company"]:
        return replace(entry, id=company_id, name=company, values=values)
    return replace(entry, id="", values=values)


def _without_inherited(steps: list[Step], company: RecordData) -> list[Step]:
    """The steps without the fields of users that have one value, by themselves or from the company."""
    after = {
        change.field: change.after for step in steps if step.component.name == "company" for change in step.changes
    }
    values = {**company, **after}

    def differs(change: FieldChange) -> bool:
        before, wanted = (values.get(change.field) if each == SAME else each for each in (change.before, change.after))
        return bool(before != wanted)

    kept = []
    for step in steps:
        if step.component.name == "users" and step.effect == "update" and step.changes:
            step.changes = [change for change in step.changes if differs(change)]
            if not step.changes:
                continue
        kept.append(step)
    return kept
