"""What a document would change in a company.

A plan is made of what the service has, never of what was sent before. So an `apply` that was killed is continued by the
same command: what exists under its natural name is not created again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from svc_tui.interface.access import Caller, Decision, Subject, decide
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.companies.access import UPDATE_PLAIN, subject_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.language import _
from svc_tui.workspace.core.service import Performer, Reader, ReadError, rows_of
from svc_tui.workspace.files.company_document import (
    BY_NAME,
    COMPONENTS,
    Component,
    Document,
    Entry,
    companies_named,
    records_of,
)
from svc_tui.workspace.files.company_extras import DDIS, EXTENSION, LICENCES, TELEPHONY, extras_of, wanted_of
from svc_tui.workspace.files.company_purchases import Journal, offer_named, price_of
from svc_tui.workspace.files.company_steps import Created, FieldChange, Plan, Step, place_of
from svc_tui.workspace.files.company_telephony import Phones, Telephony, TelephonyPlan, telephony_of
from svc_tui.workspace.files.company_values import REFERRED, licences_of, merged, named, profiles_of, same

_SUBSCRIPTIONS = "subscriptions"
#: The licences of users, which are in the entries of users.
_LICENCES = Component(
    LICENCES, "", _("Licences"), "", "", "assign_licence", "assign_licence", "unassign_licence", "subscriptionId"
)


class PlanService(Reader, Performer, Protocol):
    """The service, with the caller and its rights."""

    @property
    def caller(self) -> Caller: ...
    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision: ...
    def why_not_settable(self, spec: FieldSpec) -> str: ...


# --- making a plan -----------------------------------------------------------------------------------------------


class _Known:
    """What the service has, and the steps before will create: IDs by place, and licences left by subscription."""

    def __init__(self, service: PlanService, company_id: str) -> None:
        self.service, self.company_id = service, company_id
        self.ids: dict[str, str] = {}
        self.values: set[str] = set()
        #: Whether a deviation is accepted: component, name and field.
        self.accepts: Callable[..., bool] = lambda *_deviation: False
        self.offers: list[RecordData] = []
        self.free: dict[str, int | None] = {}
        self.new_company: RecordData = {}
        #: The company as rights see it; None for a new one.
        self.subject: Subject | None = None
        self.rows: dict[str, list[RecordData]] = {}
        #: The users of the document: entry, login and record.
        self.users: list[tuple[Entry, str, RecordData]] = []

    @property
    def is_new(self) -> bool:
        """Whether the company does not exist yet."""
        return isinstance(self.company_id, Created)

    @property
    def buyer(self) -> str:
        """The company whose catalog and prices apply: for a new company, that of the caller, who sells to it."""
        return self.service.caller.company_id if self.is_new else self.company_id

    def add(self, component: Component, name: str, id: str) -> None:
        self.ids[place_of(component.name, name).casefold()] = id
        self.values.add(id)

    def find(self, kind: str, word: str) -> str | None:
        """The ID of a record with this name or ID."""
        found = self.ids.get(place_of(kind, word).casefold())
        return word if found is None and word in self.values else found


async def planned(
    service: PlanService,
    document: Document,
    notice: Callable[[str], None],
    journals: Path | None,
    company: RecordData | None = None,
) -> Plan:
    """Compare a document with the service. `journals` is the folder of the journals; without, prices are not asked for.

    `company` is the company of the document, if it was read. ReadError when a part cannot be read.
    """
    wanted = document.company
    found = [company] if company else await companies_named(service, wanted.id, wanted.name)
    company_id: str = str(found[0]["id"]) if len(found) == 1 else place_of("company", wanted.name)
    steps: list[Step] = []
    removals: list[Step] = []
    known = _Known(service, company_id)
    known.subject = None if known.is_new else _subject(service.caller, found[0])
    if not known.is_new:
        known.accepts = lambda *deviation: any(each.is_of(found[0], *deviation) for each in document.accepted)
    known.new_company = {wire: value for wire, value in wanted.values.items() if value is not None}
    extras = {wire for entry in document.entries for wire in entry.values if wire in extras_of(entry.component.name)}
    referred = set(REFERRED)
    if extras & {LICENCES, EXTENSION}:
        referred.add(_SUBSCRIPTIONS)
    if extras & set(TELEPHONY):
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
            rows = [] if known.is_new else [row async for row in records_of(service, component, company_id)]
        known.rows[component.name] = rows
        matching = _Matching(component, rows)
        for row in rows:
            known.add(component, str(row.get(component.key) or ""), str(row["id"]))
            if component.name == _SUBSCRIPTIONS:
                most, used = row.get("maxNumberUsers"), row.get("numberAssignedUsers") or 0
                known.free[str(row["id"])] = most - used if isinstance(most, int) else None
        for entry in entries:
            steps += _steps(matching, entry, known)
        if component.name in document.whole:
            removals[:0] = [
                Step(
                    component,
                    str(row.get(component.key) or row["id"]),
                    "remove",
                    component.delete,
                    _path(component, company_id, str(row["id"])),
                    None,
                    refusal=_reason(known, component.delete),
                )
                for row in matching.left()
            ]
    if extras & set(TELEPHONY):
        notice(_("Telephony"))
        steps += await _telephony(known, document)
    steps = _not_accepted([*steps, *removals], known)

    def journal(id: str) -> Journal:
        return Journal(journals or Path(), service.caller.user_id, id)

    for step in steps if journals else ():
        if step.component.name == _SUBSCRIPTIONS and step.effect != "remove" and not step.refusal:
            notice(step.name)
            await _price(service, step, known, journal)
    _refuse_dependent(steps)
    return Plan(company_id, steps, journal)


async def _price(service: PlanService, step: Step, known: _Known, journal: Callable[[str], Journal]) -> None:
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


def _refusal_for_new(known: _Known, step: Step) -> str:
    """Why a company that is created as the document says could not order; empty where it could."""
    offer = next((each for each in known.offers if each.get("id") == (step.body or {}).get("offerId")), {})
    usual = BY_NAME["company"].specs["offerType"].default
    free = known.new_company.get("offerType", usual) == "freemium"
    return _("a freemium company cannot take paid offers") if free and offer.get("businessModel") != "none" else ""


def _not_accepted(steps: list[Step], known: _Known) -> list[Step]:
    """The steps but for the deviations that the document accepts, and for what would need these."""
    left: set[Created] = set()
    kept = []
    for step in steps:
        if known.accepts(step.component.name, step.name) or step.needs() & left:
            left.add(step.place)
        else:
            kept.append(step)
    return kept


def _path(component: Component, company_id: str, id: str) -> dict[str, str]:
    """The path of the operations on a record."""
    return {**({"companyId": company_id} if component.nested else {}), component.parameter: id}


class _Matching:
    """Finds the record of an entry: by its ID, or else by its natural name."""

    def __init__(self, component: Component, rows: list[RecordData]) -> None:
        self.component, self._rows = component, rows
        self._by_id = {str(row["id"]): row for row in rows}
        self._by_name: dict[str, list[RecordData]] = {}
        for row in rows:
            self._by_name.setdefault(str(row.get(component.key) or "").casefold(), []).append(row)
        self._taken: set[str] = set()

    def of(self, entry: Entry) -> list[RecordData]:
        if entry.id in self._by_id:
            found = [self._by_id[entry.id]]
        elif self.component.name == "cloudpbx":
            found = self._rows
        else:
            found = self._by_name.get(entry.name.casefold(), [])
        self._taken |= {str(row["id"]) for row in found}
        return found

    def left(self) -> list[RecordData]:
        return [row for row in self._rows if str(row["id"]) not in self._taken]


def _steps(matching: _Matching, entry: Entry, known: _Known) -> list[Step]:
    service, component, found = known.service, entry.component, matching.of(entry)
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
        if spec.facet.refers in REFERRED and value is not None:
            target = known.find(spec.facet.refers, str(value))
            if target is None:
                reasons.append(_("{field}: there is no {name}.").format(field=wire, name=f"“{value}”"))
                continue
            value = target
        after = merged(spec, current, value)
        if same(spec, current, after) or (row and known.accepts(component.name, name, wire)):
            continue
        changes.append(FieldChange(wire, current, after))
        if wire == component.key and component.named_by and not row:
            wire = component.named_by
            after, reason = offer_named(known.offers, entry.name)
            reasons += [reason] if reason else []
        body[wire] = after
    now = {**row, **body}
    for change in changes:
        spec = component.specs[change.field]
        if row and change.field not in component.takes(component.update):
            reasons.append(_("{field} can only be set at the creation.").format(field=change.field))
        elif why := service.why_not_settable(spec) or _out_of_reach(known, component, spec, row):
            reasons.append(f"{change.field}: {why}.")
        elif spec.facet.needs and change.after is not None and not spec.facet.needs.met(now):
            reasons.append(f"{change.field}: {spec.condition}.")
    if component.name == "users":
        known.users.append((entry, name, row))
    if row:
        known.add(component, name, str(row["id"]))
        path = _path(component, known.company_id, str(row["id"]))
        changed = bool(changes or reasons)
        steps = [Step(component, name, "update", component.update, path, body, changes)] if changed else []
    else:
        if not entry.name and component.name != "cloudpbx":
            reasons.append(_("No record has this ID; a new one needs {key}.").format(key=component.key))
        known.add(component, name, place_of(component.name, name))
        steps = _creation(component, name, known.company_id, body, changes)
        required = {spec.wire for spec in fields_of(body_of(component.create)) if spec.required}
        reasons += [
            _("{field} is required.").format(field=wire) for wire in sorted(required - set(steps[0].body or {}))
        ]
    for step in steps:
        step.refusal = " ".join(filter(None, (*reasons, _reason(known, step.operation_id))))
    if component.name == _SUBSCRIPTIONS:
        _count(known, name, row, body)
    return [*steps, *_licence_steps(known, entry, name, row)]


def _count(known: _Known, name: str, row: RecordData, body: Mapping[str, Any]) -> None:
    """Note how many licences a subscription has left after its step."""
    id = known.ids[place_of(_SUBSCRIPTIONS, name).casefold()]
    wanted, now = body.get("maxNumberUsers"), row.get("maxNumberUsers")
    if not row:
        known.free[id] = wanted if isinstance(wanted, int) else None
    elif isinstance(wanted, int) and isinstance(now, int) and (left := known.free.get(id)) is not None:
        known.free[id] = left + wanted - now


def _licence_steps(known: _Known, entry: Entry, login: str, user: RecordData) -> Iterator[Step]:
    """The licences that a user gets, and with `exactly` those that are taken first."""
    value = entry.values.get(LICENCES)
    if value is None:
        return
    wanted, exact = wanted_of(value)
    held = {offer.casefold() for offer in licences_of(user)}
    user_id = known.ids[place_of("users", login).casefold()]
    if exact:
        for profile in profiles_of(user):
            offer, id = str(profile.get("offerName") or ""), str(profile.get("subscriptionId"))
            if offer.casefold() in {each.casefold() for each in wanted}:
                continue
            step = Step(_LICENCES, f"{login}: {offer}", "remove", _LICENCES.delete, {}, None)
            step.path, step.refusal = {"userId": user_id, "subscriptionId": id}, _reason(known, _LICENCES.delete)
            yield step
    for offer in wanted:
        if offer.casefold() in held:
            continue
        held.add(offer.casefold())
        step = Step(_LICENCES, f"{login}: {offer}", "create", _LICENCES.create, {}, {})
        step.refusal = _reason(known, _LICENCES.create)
        target = known.find(_SUBSCRIPTIONS, offer)
        if target is None:
            step.refusal = _("The company has no subscription to “{offer}”.").format(offer=offer)
        else:
            step.path = {"userId": user_id, "subscriptionId": target}
            if (left := known.free.get(target)) is not None:
                known.free[target] = left - 1
                if left < 1:
                    step.refusal = _("No licence is left: increase maxNumberUsers of the subscription.")
        yield step


async def _telephony(known: _Known, document: Document) -> list[Step]:
    """The steps for extensions, DDI numbers and devices. ReadError."""
    pbx = BY_NAME["cloudpbx"]
    rows = known.rows[pbx.name]
    entry = next((each for each in document.entries if each.component is pbx), None)
    (company,) = known.rows["company"] or (known.new_company,)
    country = str(known.new_company.get("country") or company.get("country") or "") or None
    if rows:
        there = await telephony_of(known.service, rows[0], country, planning=True)
    else:
        there = Telephony(place_of(pbx.name, entry.name or pbx.name) if entry else "", country)
    users = [
        Phones(login, known.ids[place_of("users", login).casefold()], entry.values, _no_voice(known, entry, user))
        for entry, login, user in known.users
    ]
    plan = TelephonyPlan(there, lambda operation_id: _reason(known, operation_id))
    return list(plan.steps(users, entry.values.get(DDIS) if entry else None))


def _no_voice(known: _Known, entry: Entry, user: RecordData) -> str:
    """Why a user cannot have an extension: none of the licences is for voice. Empty where one is, or can be."""
    offers = {str(each.get("id")): each for each in known.offers}
    by_name = {str(each.get("name") or "").casefold(): each for each in known.offers}
    wanted, exact = wanted_of(entry.values.get(LICENCES))
    kept = {name.casefold() for name in wanted} if exact else None
    have = [
        each for each in user.get("profiles") or () if kept is None or _name_of(each) in kept or each.get("isDefault")
    ]
    names = [name.casefold() for name in wanted]
    have += [by_name.get(name) or {"offerId": name} for name in names]
    for each in have:
        offer = offers.get(str(each.get("offerId") or each.get("id")))
        if offer is None or _is_voice(each) or _is_voice(offer):
            return ""
    return _("The user has no licence for voice: name one in `licences`.")


def _name_of(licence: RecordData) -> str:
    return str(licence.get("offerName") or "").casefold()


def _is_voice(record: RecordData) -> bool:
    return bool(record.get("hasVoice") or record.get("isVoicePhone"))


def _subject(caller: Caller, company: RecordData) -> Subject:
    """A company as rights see it. What is not known of its records and resellers is taken as within reach."""
    own = subject_of(company)
    reseller = caller.company_id if own.bp_id and own.bp_id != caller.company_id else ""
    return replace(own, owner_id=caller.user_id, site_id=caller.site_id, is_demo=True, vad_id=reseller)


def _out_of_reach(known: _Known, component: Component, spec: FieldSpec, row: RecordData) -> str:
    """Why the caller may not set a field of this company though the role may set it elsewhere; else empty."""
    rule = spec.facet.within or (UPDATE_PLAIN if row else None)
    if component.name != "company" or rule is None or known.subject is None:
        return ""
    return decide(rule, known.service.caller, known.subject).reason


def _reason(known: _Known, operation_id: str) -> str:
    why = known.service.decide(operation_id, known.subject).reason
    return f"{why}." if why else ""


def _creation(
    component: Component, name: str, company_id: str, body: dict[str, Any], changes: list[FieldChange]
) -> list[Step]:
    """The creation, and an update for the fields that only the update takes."""
    taken = component.takes(component.create)
    values = {wire: value for wire, value in body.items() if wire in taken and value is not None}
    path: dict[str, str] = {}
    if component.nested:
        path = {"companyId": company_id}
    elif component.name != "company":
        values[component.owner] = company_id
    first = Step(component, name, "create", component.create, path, values)
    first.changes = [change for change in changes if change.field in values or component.named_by]
    rest = {wire: value for wire, value in body.items() if wire not in taken and value is not None}
    if not rest:
        return [first]
    later = Step(component, name, "update", component.update, _path(component, company_id, first.place), rest)
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
