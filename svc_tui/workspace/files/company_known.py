"""What a plan knows of a company: its records by their names, the rights of the caller, and what of it users hold.

The licences and the telephony of users, and welcome services, follow from all other entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from svc_tui.interface.access import Caller, Decision, Subject
from svc_tui.interface.companies.access import subject_of, why_not_settable_in
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.service import Performer, Reader, ReadError, rows_of
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.files.company_document import BY_NAME, Component, Document, Entry
from svc_tui.workspace.files.company_extras import DDIS, LICENCES, MAC, SERVICES, wanted_of
from svc_tui.workspace.files.company_services import ServicesPlan, Wanted, destination
from svc_tui.workspace.files.company_steps import Created, Step, place_of
from svc_tui.workspace.files.company_telephony import Phones, Telephony, TelephonyPlan, telephony_of
from svc_tui.workspace.files.company_values import DESTINATION, REFERRED, licences_of, profiles_of

SUBSCRIPTIONS = "subscriptions"
#: The most logins that are looked up elsewhere, and the most CloudPBXs that are read for numbers and MAC addresses.
_MOST_LOGINS, _MOST_SYSTEMS = 100, 20
#: What must be unique besides logins, by the operation that creates it: its field, that of the records, and their list.
_UNIQUE = {
    "create_ddi_number": ("number", "numberE164", "list_ddi_numbers"),
    "create_sip_device": (MAC, MAC, "list_sip_devices"),
}
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


class Known:
    """What the service has, and the steps before will create: IDs by place, and licences left by subscription."""

    def __init__(self, service: PlanService, company_id: str) -> None:
        self.service, self.company_id = service, company_id
        self.ids: dict[str, str] = {}
        #: The names of the records by their IDs.
        self.names: dict[str, str] = {}
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
        #: The ID of the CloudPBX, or the place of one that the plan creates; empty without.
        self.system_id = ""
        self.services: list[Wanted] = []

    @property
    def is_new(self) -> bool:
        """Whether the company does not exist yet."""
        return isinstance(self.company_id, Created)

    @property
    def buyer(self) -> str:
        """The company whose catalog and prices apply: for a new company, that of the caller, who sells to it."""
        return self.service.caller.company_id if self.is_new else self.company_id

    def add(self, component: Component, name: str, id: str) -> None:
        self.name(component.name, name, id)

    def name(self, kind: str, name: str, id: str) -> None:
        """Note a record that values can name."""
        self.ids[place_of(kind, name).casefold()] = id
        self.names[id] = name

    @property
    def country(self) -> str | None:
        """The country of the company, as it will be."""
        (company,) = self.rows.get("company") or (self.new_company,)
        return str(self.new_company.get("country") or company.get("country") or "") or None

    def target(self, spec: FieldSpec, value: Any) -> tuple[Any, str]:
        """A value with the ID of the record that it names, and a sentence when it does not exist."""
        if spec.facet.refers in REFERRED:
            found = self.find(spec.facet.refers, str(value))
            return found, "" if found else self._missing(spec, spec.facet.refers, str(value))
        if not isinstance(value, Mapping) or spec.record is None or DESTINATION not in field_by_wire(spec.record):
            return value, ""
        target = destination(value, self.country)
        if target.get("type") != "user":
            return target, ""
        login = str(target.get(DESTINATION) or "")
        found = self.find("users", login)
        return {**target, DESTINATION: found or login}, "" if found else self._missing(spec, "users", login)

    def find(self, kind: str, word: str) -> str | None:
        """The ID of a record with this name or ID."""
        found = self.ids.get(place_of(kind, word).casefold())
        return word if found is None and word in self.names else found

    def _missing(self, spec: FieldSpec, kind: str, word: str) -> str:
        known = [self.names[id] for place, id in self.ids.items() if place.startswith(place_of(kind, "").casefold())]
        sentence = _("{field}: there is no {name}.").format(field=spec.wire, name=f"“{word}”")
        return f"{sentence} {suggestion(word, known, '')}".rstrip()


def subject_in(caller: Caller, company: RecordData) -> Subject:
    """A company as rights see it. What is not known of its records and resellers is taken as within reach."""
    own = subject_of(company)
    reseller = caller.company_id if own.bp_id and own.bp_id != caller.company_id else ""
    return replace(own, owner_id=caller.user_id, site_id=caller.site_id, is_demo=True, vad_id=reseller)


def why_not(known: Known, component: Component, spec: FieldSpec, row: RecordData) -> str:
    """Why the caller may not set a field, also where the role may set it in other companies only, or after another
    setting; else empty.
    """
    if why := known.service.why_not_settable(spec):
        return why
    if component.name != "company" or known.subject is None:
        return ""
    return why_not_settable_in(spec, known.service.caller, row, subject=known.subject)


def reason(known: Known, operation_id: str) -> str:
    """Why the caller may not do this in the company; else empty."""
    why = known.service.decide(operation_id, known.subject).reason
    return f"{why}." if why else ""


def count_licences(known: Known, name: str, row: RecordData, body: Mapping[str, Any]) -> None:
    """Note how many licences a subscription has left after its step."""
    id = known.ids[place_of(SUBSCRIPTIONS, name).casefold()]
    wanted, now = body.get("maxNumberUsers"), row.get("maxNumberUsers")
    if not row:
        known.free[id] = wanted if isinstance(wanted, int) else None
    elif isinstance(wanted, int) and isinstance(now, int) and (left := known.free.get(id)) is not None:
        known.free[id] = left + wanted - now


def licence_steps(known: Known, entry: Entry, login: str, user: RecordData) -> Iterator[Step]:
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
            step.path, step.refusal = {"userId": user_id, "subscriptionId": id}, reason(known, _LICENCES.delete)
            yield step
    for offer in wanted:
        if offer.casefold() in held:
            continue
        held.add(offer.casefold())
        step = Step(_LICENCES, f"{login}: {offer}", "create", _LICENCES.create, {}, {})
        step.refusal = reason(known, _LICENCES.create)
        target = known.find(SUBSCRIPTIONS, offer)
        if target is None:
            step.refusal = _("The company has no subscription to “{offer}”.").format(offer=offer)
        else:
            step.path = {"userId": user_id, "subscriptionId": target}
            if (left := known.free.get(target)) is not None:
                known.free[target] = left - 1
                if left < 1:
                    step.refusal = _("No licence is left: increase maxNumberUsers of the subscription.")
        yield step


async def telephony_steps(known: Known, document: Document) -> list[Step]:
    """The steps for extensions, DDI numbers, devices and welcome services. ReadError."""
    pbx = BY_NAME["cloudpbx"]
    rows = known.rows[pbx.name]
    entry = next((each for each in document.entries if each.component is pbx), None)
    if rows:
        there = await telephony_of(known.service, rows[0], known.country, planning=True)
    else:
        there = Telephony(known.system_id, known.country)
    users = [
        Phones(login, known.ids[place_of("users", login).casefold()], entry.values, _no_voice(known, entry, user))
        for entry, login, user in known.users
    ]
    plan = TelephonyPlan(there, lambda operation_id: reason(known, operation_id))
    steps = list(plan.steps(users))
    logins = {str(row["id"]): str(row.get("loginEmail")) for row in known.rows.get("users", ())}
    logins |= {user.user_id: user.login for user in users}
    services = list(ServicesPlan(plan, steps, logins, known.rows.get(SERVICES, ())).steps(known.services))
    return [*steps, *plan.further(entry.values.get(DDIS) if entry else None), *services]


def _no_voice(known: Known, entry: Entry, user: RecordData) -> str:
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


# --- what must be unique in the service -------------------------------------------------------------------------


async def refuse_taken(known: Known, steps: Sequence[Step], notice: Callable[[str], None]) -> list[str]:
    """Refuse the creation of logins, numbers and MAC addresses that another company has, with a bounded number of
    requests. What could not be checked, in sentences.
    """
    new = [step for step in steps if step.effect == "create" and not step.refusal]
    logins = [step for step in new if step.component.name == "users"]
    further = [step for step in new if step.operation_id in _UNIQUE]
    if not (logins or further):
        return []
    left = []
    for at, step in enumerate(logins):
        notice(step.name)
        try:
            if at == _MOST_LOGINS:
                raise ReadError("")
            answer = await known.service.read("list_users", {}, {"loginEmail": step.name, "format": "full"})
        except ReadError:
            left.append(
                _("Not looked up in other companies: {logins}.").format(logins=counted(len(logins) - at, "login"))
            )
            break
        for row in answer.get("data") or ():
            if str(row.get("loginEmail")).casefold() == step.name.casefold():
                step.refusal = _taken(row.get("companyName"))
    if further:
        left += await _refuse_elsewhere(known, further, notice)
    if "superadmin" not in known.service.caller.roles:
        left.append(_("What companies have that you cannot read was not checked."))
    return left


async def _refuse_elsewhere(known: Known, steps: Sequence[Step], notice: Callable[[str], None]) -> list[str]:
    """Refuse numbers and MAC addresses that other CloudPBXs have. What could not be checked."""
    notice(_("Other CloudPBXs"))
    try:
        answer = await known.service.read("list_cloudpbxs", {}, {"limit": _MOST_SYSTEMS + 1, "format": "full"})
        systems = [row for row in answer.get("data") or () if row["id"] != known.system_id]
        for system in systems[:_MOST_SYSTEMS]:
            for operation_id, (wire, stored, listed) in _UNIQUE.items():
                wanted = {str((each.body or {}).get(wire)): each for each in steps if each.operation_id == operation_id}
                if wanted:
                    async for row in rows_of(known.service, listed, {"systemId": str(system["id"])}, {}):
                        if step := wanted.get(str(row.get(stored))):
                            step.refusal = _taken(system.get("name"))
    except ReadError as error:
        return [_("Numbers and MAC addresses were not looked up elsewhere: {reason}").format(reason=error.sentence)]
    if len(systems) > _MOST_SYSTEMS:
        return [_("Numbers and MAC addresses were looked up in {count} CloudPBXs only.").format(count=_MOST_SYSTEMS)]
    return []


def _taken(holder: Any) -> str:
    return _("It is taken: {holder} has it.").format(holder=holder or _("another company"))
