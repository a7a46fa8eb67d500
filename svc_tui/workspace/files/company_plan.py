"""What a document would change in a company.

A plan is made of what the service has, never of what was sent before. So an `apply` that was killed is continued by the
same command: what exists under its natural name is not created again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from svc_tui.interface.catalogue import body_of
from svc_tui.interface.customisation import features
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import fields_of
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError, rows_of
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.files.company_document import (
    BY_NAME,
    COMPONENTS,
    Component,
    Document,
    Entry,
    companies_named,
    named_among,
    records_of,
)
from svc_tui.workspace.files.company_extras import EXTENSION, LICENCES, SERVICES, TELEPHONY, extras_of
from svc_tui.workspace.files.company_known import (
    SUBSCRIPTIONS,
    Known,
    PlanService,
    count_licences,
    licence_steps,
    reason,
    refuse_taken,
    subject_in,
    telephony_steps,
    why_not,
)
from svc_tui.workspace.files.company_purchases import Journal, offer_named, price_of
from svc_tui.workspace.files.company_services import Wanted
from svc_tui.workspace.files.company_steps import Created, FieldChange, Plan, Step, place_of
from svc_tui.workspace.files.company_values import folded, merged, named, same
from svc_tui.workspace.kinds.registry import KINDS

TRUNK = "externalTrunkId"


# --- making a plan -----------------------------------------------------------------------------------------------


async def planned(
    service: PlanService,
    document: Document,
    notice: Callable[[str], None],
    journals: Path | None,
    company: RecordData | None = None,
) -> Plan:
    """Compare a document with the service. `journals` is the folder of the journals; without, neither prices nor what
    other companies have are asked for.

    `company` is the company of the document, if it was read. ReadError when a part cannot be read.
    """
    wanted = document.company
    companies = [company] if company else await companies_named(service, "", "")
    found = companies if company else named_among(companies, wanted.id, wanted.name)
    company_id: str = str(found[0]["id"]) if len(found) == 1 else place_of("company", wanted.name or wanted.id)
    steps: list[Step] = []
    removals: list[Step] = []
    known = Known(service, company_id)
    known.subject = None if known.is_new else subject_in(service.caller, found[0])
    if not known.is_new:
        known.accepts = lambda *deviation: any(each.is_of(found[0], *deviation) for each in document.accepted)
    known.new_company = {wire: value for wire, value in wanted.values.items() if value is not None}
    extras = {wire for entry in document.entries for wire in entry.values if wire in extras_of(entry.component.name)}
    has_services = any(entry.component.name == SERVICES for entry in document.entries)
    needs_system = bool(extras & set(TELEPHONY)) or any(entry.component.of_system for entry in document.entries)
    referred = _referred(document) | ({"officehours", "users"} if has_services else set())
    if extras & {LICENCES, EXTENSION}:
        referred.add(SUBSCRIPTIONS)
    if needs_system or any(component.of_system for component in map(BY_NAME.get, document.whole) if component):
        referred.add("cloudpbxs")
    for component in COMPONENTS:
        entries = [entry for entry in document.entries if entry.component is component]
        if not entries and component.kind not in referred and component.name not in document.whole:
            continue
        notice(component.title)
        if component.named_by and (entries or EXTENSION in extras):
            path = {"companyId": known.buyer}
            try:
                known.offers = [row async for row in rows_of(service, "list_company_offers", path, {"format": "full"})]
            except ReadError:
                # Without the catalog it is not known which licences are for voice.
                if entries:
                    raise
        if component.name == "company":
            rows = found
        else:
            owner = known.system_id if component.of_system else company_id
            rows = []
            if owner and not isinstance(owner, Created):
                rows = [row async for row in records_of(service, component, owner)]
        known.rows[component.name] = rows
        matching = _Matching(component, rows)
        for row in rows:
            known.add(component, str(row.get(component.key) or ""), str(row["id"]))
            if component.name == SUBSCRIPTIONS:
                most, used = row.get("maxNumberUsers"), row.get("numberAssignedUsers") or 0
                known.free[str(row["id"])] = most - used if isinstance(most, int) else None
        if component.name == "cloudpbx":
            known.system_id = _system_id(rows, entries)
            await _find_trunks(known, rows, entries)
        for entry in entries:
            steps += _steps(matching, entry, known)
        if component.name in document.whole:
            removals[:0] = [
                Step(
                    component,
                    str(row.get(component.key) or row["id"]),
                    "remove",
                    component.delete,
                    _path(component, known, str(row["id"]), deleting=True),
                    None,
                    refusal=reason(known, component.delete),
                )
                for row in matching.left()
            ]
    if extras & set(TELEPHONY) or has_services:
        notice(_("Telephony"))
        steps += await telephony_steps(known, document)
    steps = _not_accepted([*steps, *removals], known)

    def journal(id: str) -> Journal:
        return Journal(journals or Path(), service.caller.user_id, id)

    for step in steps if journals else ():
        if step.component.name == SUBSCRIPTIONS and step.effect != "remove" and not step.refusal:
            notice(step.name)
            await _price(service, step, known, journal)
    unchecked = await refuse_taken(known, steps, notice) if journals else []
    _refuse_dependent(steps)
    if not found:
        unchecked = [*_similar(companies, wanted.name), *unchecked]
    return Plan(company_id, steps, journal, unchecked)


def _similar(companies: list[RecordData], name: str) -> list[str]:
    """A question where a new company would have nearly the name of another one."""
    question = suggestion(name, (str(each.get("name") or "") for each in companies), "", cutoff=0.8)
    return [_("There is no company “{name}” yet. {question}").format(name=name, question=question)] if question else []


def _referred(document: Document) -> set[str]:
    """The kinds of records that values of a document name; others are not read, which not every role may."""
    return {
        spec.facet.refers
        for entry in document.entries
        for wire, value in entry.values.items()
        if value is not None and (spec := entry.component.specs.get(wire)) and spec.facet.refers
    }


async def _price(service: PlanService, step: Step, known: Known, journal: Callable[[str], Journal]) -> None:
    """Ask for the price of a purchase, and whether it can be ordered now."""
    target = {} if step.effect == "create" else {"subscriptionId": step.path["subscriptionId"]}
    known_fields = {spec.wire for spec in fields_of(body_of("create_quotation"))}
    quoted = {wire: value for wire, value in (step.body or {}).items() if wire in known_fields}
    step.price, refusal = await price_of(service, known.buyer, {**target, **quoted})
    if known.is_new:
        # What the caller's own company could order does not matter.
        refusal = _refusal_for_new(known, step)
    if refusal:
        step.refusal = f"{refusal.rstrip('.')}."
    elif not known.is_new and journal(known.company_id).waiting(step.operation_id, step.path, step.body):
        step.refusal = _("Sent before without a response, and may be on its way. Plan again in half a minute.")


def _refusal_for_new(known: Known, step: Step) -> str:
    """Why a company that is created as the document says could not order; empty where it could."""
    offer = next((each for each in known.offers if each.get("id") == (step.body or {}).get("offerId")), {})
    usual = BY_NAME["company"].specs["offerType"].default
    free = known.new_company.get("offerType", usual) == "freemium"
    return _("a freemium company cannot take paid offers") if free and offer.get("businessModel") != "none" else ""


def _not_accepted(steps: list[Step], known: Known) -> list[Step]:
    """The steps but for the deviations that the document accepts, and for what would need these."""
    left: set[Created] = set()
    kept = []
    for step in steps:
        if known.accepts(step.component.name, step.name) or step.needs() & left:
            left.add(step.place)
        else:
            kept.append(step)
    return kept


def _system_id(rows: list[RecordData], entries: list[Entry]) -> str:
    """The ID of the CloudPBX, or the place of the one that is created; empty without."""
    if rows:
        return str(rows[0]["id"])
    return place_of("cloudpbx", entries[0].name or "cloudpbx") if entries else ""


async def _find_trunks(known: Known, rows: list[RecordData], entries: list[Entry]) -> None:
    """Find the external trunks that a CloudPBX can be linked to, if the document names one. ReadError."""
    if not any(entry.values.get(TRUNK) for entry in entries):
        return
    trunks = [row["externalTrunkAdditionalInfo"] for row in rows if row.get("externalTrunkAdditionalInfo")]
    if known.service.decide("list_external_trunks").allowed:
        trunks += (await known.service.read("list_external_trunks", {}, {})).get("data") or ()
    for trunk in trunks:
        known.name("externaltrunks", str(trunk.get("name") or ""), str(trunk.get("id")))


def _path(component: Component, known: Known, id: str, *, deleting: bool = False) -> dict[str, str]:
    """The path of the operations on a record."""
    above = _above(component, known)
    return {**above, (component.deleted_by if deleting else "") or component.parameter: id}


def _above(component: Component, known: Known) -> dict[str, str]:
    """What the path of an operation has before the record."""
    if component.of_system:
        return {"systemId": known.system_id}
    return {"companyId": known.company_id} if component.nested else {}


class _Matching:
    """Finds the record of an entry: by its ID, or else by its natural name."""

    def __init__(self, component: Component, rows: list[RecordData]) -> None:
        self.component, self._rows = component, rows
        self._by_id = {str(row["id"]): row for row in rows}
        self._by_name: dict[str, list[RecordData]] = {}
        for row in rows:
            self._by_name.setdefault(folded(str(row.get(component.key) or "")), []).append(row)
        self._taken: set[str] = set()

    def of(self, entry: Entry) -> list[RecordData]:
        if entry.id in self._by_id:
            found = [self._by_id[entry.id]]
        elif self.component.name == "cloudpbx":
            found = self._rows
        else:
            found = self._by_name.get(folded(entry.name), [])
        self._taken |= {str(row["id"]) for row in found}
        return found

    def left(self) -> list[RecordData]:
        return [row for row in self._rows if str(row["id"]) not in self._taken]


def _steps(matching: _Matching, entry: Entry, known: Known) -> list[Step]:
    component, found = entry.component, matching.of(entry)
    name = entry.name or (str(found[0].get(component.key) or "") if found else "") or entry.id or component.name
    if len(found) > 1:
        step = Step(component, name, "update", component.update, {}, {})
        step.refusal = _("Several have this name: name one of them by its id.")
        return [step]
    row = found[0] if found else {}
    changes: list[FieldChange] = []
    body: dict[str, Any] = {}
    reasons: list[str] = []
    for wire, value in entry.values.items():
        if wire in extras_of(component.name):
            continue
        spec = component.specs[wire]
        current = named(spec, row.get(wire), {})
        if value is not None:
            value, missing = known.target(spec, value)
            if missing:
                reasons.append(missing)
                continue
        after = merged(spec, current, value)
        if wire == component.key and row and " ".join(str(current).split()) == " ".join(str(after).split()):
            continue
        if same(spec, current, after) or (row and known.accepts(component.name, name, wire)):
            continue
        changes.append(FieldChange(wire, *(named(spec, each, known.names) for each in (current, after))))
        if wire == component.key and component.named_by and not row:
            wire = component.named_by
            after, unknown = offer_named(known.offers, entry.name)
            reasons += [unknown] if unknown else []
        body[wire] = after
    now = {**row, **body}
    if component.of_system and not known.system_id:
        reasons.append(_("The company has no CloudPBX."))
    if component.name == "cloudpbx":
        body = KINDS["cloudpbxs"].rules.completed(body, row)
        if TRUNK in body and (row.get("externalTrunkAdditionalInfo") or {}).get("locked"):
            reasons.append(_("{field}: the link to the trunk is locked.").format(field=TRUNK))
    reasons += _contradictions(component, row, now) if body else []
    for change in changes:
        spec = component.specs[change.field]
        if row and change.field not in component.takes(component.update):
            reasons.append(_("{field} can only be set at the creation.").format(field=change.field))
        elif why := why_not(known, component, spec, row):
            reasons.append(f"{change.field}: {why}.")
        elif spec.facet.needs and change.after is not None and not spec.facet.needs.met(now):
            reasons.append(f"{change.field}: {spec.condition}.")
    if component.name == "users":
        known.users.append((entry, name, row))
    if row:
        known.add(component, name, str(row["id"]))
        path = _path(component, known, str(row["id"]))
        changed = bool(changes or reasons)
        steps = [Step(component, name, "update", component.update, path, body, changes)] if changed else []
    else:
        if not entry.name and component.name != "cloudpbx":
            reasons.append(_("No record has this ID; a new one needs {key}.").format(key=component.key))
        known.add(component, name, place_of(component.name, name))
        steps = _creation(component, name, known, body, changes)
        required = {spec.wire for spec in fields_of(body_of(component.create)) if spec.required}
        reasons += [
            _("{field} is required.").format(field=wire) for wire in sorted(required - set(steps[0].body or {}))
        ]
    for step in steps:
        step.refusal = " ".join(filter(None, (*reasons, reason(known, step.operation_id))))
    if component.name == SUBSCRIPTIONS:
        count_licences(known, name, row, body)
    if component.name == SERVICES:
        # They follow the users, whom they call, and the numbers.
        update = Step(component, name, "update", component.update, _path(component, known, str(row.get("id"))), {})
        known.services.append(Wanted(entry.values, row, steps, update))
        return []
    return [*steps, *licence_steps(known, entry, name, row)]


def _contradictions(component: Component, row: RecordData, now: RecordData) -> list[str]:
    """Why settings do not go together."""
    if component.name == "cloudpbx":
        return [*KINDS["cloudpbxs"].rules.contradictions(row, now)]
    if component.name == "templates":
        return [f"{each.sentence}." for each in features.contradictions(now)]
    return []


def _creation(
    component: Component, name: str, known: Known, body: dict[str, Any], changes: list[FieldChange]
) -> list[Step]:
    """The creation, and an update for the fields that only the update takes."""
    taken = component.takes(component.create)
    values = {wire: value for wire, value in body.items() if wire in taken and value is not None}
    path = _above(component, known)
    if not path and component.name != "company":
        values[component.owner] = known.company_id
    first = Step(component, name, "create", component.create, path, values)
    first.changes = [change for change in changes if change.field in values or component.named_by]
    rest = {wire: value for wire, value in body.items() if wire not in taken and value is not None}
    if not rest:
        return [first]
    if component.name == "cloudpbx":
        rest = KINDS["cloudpbxs"].rules.completed(rest, values)
    later = Step(component, name, "update", component.update, _path(component, known, first.place), rest)
    later.changes = [change for change in changes if change.field in rest]
    return [first, later]


def _refuse_dependent(steps: list[Step]) -> None:
    """A step that needs a record whose creation is refused is refused too."""
    refused = {step.place for step in steps if step.refusal and step.effect != "update"}
    for step in steps:
        if not step.refusal and (missing := sorted(step.needs() & refused)):
            step.refusal = _("Needs {place}, which is refused.").format(place=missing[0])
            if step.effect != "update":
                refused.add(step.place)
