"""Telephony for several users at once: proposed licences, extensions, DDI numbers and devices, their conflicts, and the
requests for each user (4.6, 4.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import is_emergency, read_number, search_parts, written
from svc_tui.interface.texts import mac_part
from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.language import _, order
from svc_tui.workspace.changes.bulk import JobStep, created_by
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import CREATED, LARGEST_REQUEST, Reader, ReadError
from svc_tui.workspace.kinds.registry import KINDS

#: Offer ID -> whether its licences are for voice.
VoiceOffers = Mapping[str, bool]
UNKNOWN_OFFERS: VoiceOffers = MappingProxyType({})


async def voice_offers(service: Reader, company_id: str) -> VoiceOffers:
    """The offers in a company's catalog; empty where they cannot be read."""
    if not company_id:
        return UNKNOWN_OFFERS
    query = {"format": "full", "limit": LARGEST_REQUEST, "offset": 0}
    try:
        body = await service.read("list_company_offers", {"companyId": company_id}, query)
    except ReadError:
        return UNKNOWN_OFFERS
    rows = body.get("data") if isinstance(body, dict) else None
    return {str(offer.get("id")): _is_voice(offer) for offer in rows or () if isinstance(offer, Mapping)}


def ineligibility(user: RecordData, system_id: str, offers: VoiceOffers = UNKNOWN_OFFERS) -> str:
    """Why a user cannot get an extension of a CloudPBX; empty if the user can, or if that is unknown."""
    if any(entry.get("systemId") == system_id for entry in user.get("phoneNumbers") or ()):
        return _("already has an extension")
    licences = user.get("profiles") or ()
    if not licences:
        return _("has no licence")
    # A licence of an offer outside the catalog may be for voice.
    if any(_is_voice(licence) or offers.get(str(licence.get("offerId")), True) for licence in licences):
        return ""
    return _("has no licence for voice")


def _is_voice(record: RecordData) -> bool:
    return bool(record.get("hasVoice") or record.get("isVoicePhone"))


#: Most records that a problem names.
_SHOWN = 2
#: A row of the table: the values of a `PhoneSetup`.
Row = Mapping[str, object]
_Test = Callable[[RecordData], bool]


@dataclass(frozen=True)
class FreeRecords:
    """What a CloudPBX and its company have for more users: free numbers and devices, and subscriptions for voice.

    `seats` are the licences left of a subscription, None where they are not counted; `objection` is why a user cannot
    get its licence.
    """

    system_id: str
    country: str | None
    extensions: Sequence[str]
    ddis: Sequence[RecordData]
    devices: Sequence[RecordData]
    subscriptions: Sequence[RecordData]
    offers: VoiceOffers
    seats: Callable[[RecordData], int | None]
    objection: Callable[[RecordData, RecordData], str]
    #: What was found for a field and a text.
    known: dict[tuple[str, str], list[RecordData]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        voice = [each for each in self.subscriptions if self._is_voice(each)]
        object.__setattr__(self, "subscriptions", voice)

    def _is_voice(self, subscription: RecordData) -> bool:
        own = bool(subscription.get("hasVoice") or subscription.get("isVoicePhone"))
        return own or self.offers.get(str(subscription.get("offerId")), False)

    def records(self, wire: str) -> Sequence[RecordData]:
        """What a cell of a field chooses from; nothing for a field that is typed."""
        return {"licence": self.subscriptions, "ddi": self.ddis, "device": self.devices}.get(wire, ())

    def cell(self, wire: str, record: RecordData) -> str:
        """How a record is written in a cell."""
        if wire == "licence":
            return name_of(record)
        if wire == "ddi":
            return written(str(record.get("numberE164")), self.country)
        return str(record.get("macAddress") or record.get("description") or record.get("id"))

    def named(self, wire: str, text: object) -> Sequence[RecordData]:
        """The records whose name, number or address a text is; without one, those that have it as a part.

        Subscriptions of one name are one choice.
        """
        wanted = str(text or "").strip()
        if wanted and (wire, wanted) not in self.known:
            whole, part = _readings(wire, wanted, self.country)
            records = self.records(wire)
            found = [each for each in records if whole(each)] or [each for each in records if part(each)]
            if wire == "licence":
                names = [name_of(each) for each in found]
                found = [each for at, each in enumerate(found) if names.index(names[at]) == at]
            self.known[wire, wanted] = found
        return self.known.get((wire, wanted), ())

    def the(self, wire: str, text: object) -> RecordData | None:
        """The only record that a text names; None where it names none, or several."""
        found = self.named(wire, text)
        return found[0] if len(found) == 1 else None

    def several(self, wire: str, text: object) -> str:
        """The first of several records that a text names; empty where it names one, or none."""
        found = [self.cell(wire, each) for each in self.named(wire, text)]
        return ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "") if len(found) > 1 else ""


def _readings(wire: str, wanted: str, country: str | None) -> tuple[_Test, _Test]:
    """Whether a text names a record in full, and whether it is a part of its name."""
    typed = order(wanted)
    if wire == "licence":
        return lambda each: order(name_of(each)) == typed, lambda each: typed in order(name_of(each))
    if wire == "ddi":
        number, parts = read_number(wanted, country).number, search_parts(wanted, country)
        return (
            lambda each: each.get("numberE164") == number,
            lambda each: any(part in str(each.get("numberE164")) for part in parts),
        )
    digits = mac_part(wanted)

    def is_device(device: RecordData) -> bool:
        names = (order(str(device.get(each) or "")) for each in ("description", "id"))
        return typed in names or bool(digits and digits == mac_part(str(device.get("macAddress") or "")))

    return is_device, lambda device: device_matches(device, wanted)


def device_matches(device: RecordData, text: str) -> bool:
    """Whether a device has a text in its name, model or ID, or in its MAC address in any notation."""
    names = (device.get("description"), (device.get("deviceType") or {}).get("model"), device.get("id"))
    about = " ".join(str(each) for each in names if each)
    digits = mac_part(text)
    in_address = bool(digits) and digits in mac_part(str(device.get("macAddress") or ""))
    return in_address or order(text) in order(about)


def name_of(subscription: RecordData) -> str:
    """The name of a subscription."""
    return str(subscription.get("offerName") or "")


def extension_of(user: RecordData, system_id: str) -> RecordData | None:
    """The extension that a user has in a CloudPBX; None without one."""
    numbers = user.get("phoneNumbers") or ()
    return next((each for each in numbers if each.get("systemId") == system_id and each.get("phoneNumberId")), None)


def proposals(users: Sequence[RecordData], there: FreeRecords) -> list[dict[str, object]]:
    """A row for each user with what comes next of everything; empty cells where nothing is left or needed.

    A user who has an extension keeps it, and its DDI number and devices.
    """
    seats = {name_of(each): there.seats(each) for each in there.subscriptions}
    extensions, ddis = iter(there.extensions), iter(there.ddis)
    addresses = (each["macAddress"] for each in there.devices if each.get("macAddress"))
    rows: list[dict[str, object]] = []
    for user in users:
        own = extension_of(user, there.system_id)
        licence = "" if own else _licence_for(user, there, seats)
        able = bool(own or licence) or not ineligibility(user, there.system_id, there.offers)
        number = own.get("shortNumber") if own else next(extensions, None) if able else None
        rows.append(
            {
                "user": str(user.get("displayName") or user.get("loginEmail") or user.get("id")),
                "licence": licence or None,
                "extension": number,
                "ddi": _next(ddis, there) if number and not (own or {}).get("number") else None,
                "device": next(addresses, None) if number and not own else None,
            }
        )
    return rows


def _next(ddis: Iterator[RecordData], there: FreeRecords) -> str | None:
    ddi = next(ddis, None)
    return there.cell("ddi", ddi) if ddi else None


def _licence_for(user: RecordData, there: FreeRecords, seats: dict[str, int | None]) -> str:
    """The subscription with a licence left that gives the user voice; empty where the user has it, or none is left."""
    if not ineligibility(user, there.system_id, there.offers):
        return ""
    for each in there.subscriptions:
        name = name_of(each)
        left = seats[name]
        if left != 0 and not there.objection(user, each):
            seats[name] = None if left is None else left - 1
            return name
    return ""


def problems(rows: Sequence[Row], users: Sequence[RecordData], there: FreeRecords) -> list[dict[str, str]]:
    """For each row, field -> problem: what is unknown or not free, twice in the table, or missing for another part."""
    counted = {wire: Counter(_key(row, wire, there) for row in rows) for wire in ("extension", "ddi", "device")}
    left = {name_of(each): there.seats(each) for each in there.subscriptions}
    found = []
    for row, user in zip(rows, users, strict=True):
        wrong = dict(_of_row(row, user, there, left))
        for wire, counts in counted.items():
            if (key := _key(row, wire, there)) and counts[key] > 1:
                wrong.setdefault(wire, _("is in the table twice"))
        found.append(wrong)
    return found


def _key(row: Row, wire: str, there: FreeRecords) -> str:
    """What a cell stands for, to find it twice; empty for an empty cell."""
    if not (value := row.get(wire)):
        return ""
    return str((there.the(wire, value) or {}).get("id") or value)


def _of_row(row: Row, user: RecordData, there: FreeRecords, left: dict[str, int | None]) -> Iterator[tuple[str, str]]:
    own = extension_of(user, there.system_id)
    if licence := row.get("licence"):
        if several := there.several("licence", licence):
            yield "licence", _("names several: {several}").format(several=several)
        elif (subscription := there.the("licence", licence)) is None:
            yield "licence", _("is no subscription for voice of the company")
        elif reason := there.objection(user, subscription):
            yield "licence", reason
        else:
            name = name_of(subscription)
            if left[name] == 0:
                yield "licence", _("has no licence left")
            seats = left[name]
            left[name] = None if seats is None else max(0, seats - 1)
    extension = str(row.get("extension") or "")
    if own:
        if extension != str(own.get("shortNumber")):
            yield "extension", _("stays {number}: the user has it already").format(number=own.get("shortNumber"))
    elif extension:
        if not licence and (reason := ineligibility(user, there.system_id, there.offers)):
            yield "extension", _("is not possible: the user {reason}").format(reason=reason)
        if is_emergency(extension, there.country):
            yield "extension", _("is an emergency number")
        # A long list of free numbers is not complete.
        elif extension not in there.extensions and len(there.extensions) < MOST_FREE:
            yield "extension", _("is not free")
    for wire in ("ddi", "device"):
        if value := row.get(wire):
            if several := there.several(wire, value):
                yield wire, _("names several: {several}").format(several=several)
            elif there.the(wire, value) is None:
                yield wire, _("is not free, or unknown")
            elif not extension:
                yield wire, _("needs an extension")


def steps_of(row: Row, user: RecordData, there: FreeRecords) -> JobStep | None:
    """The requests for a user, one after the other; None where the row has none. The row has no problem.

    Each has what undoes it, but for the number and the device of a new extension: its deletion frees both.
    """
    user_id, system = str(user["id"]), {"systemId": there.system_id}
    own = extension_of(user, there.system_id)
    name = str(row.get("user"))
    found: list[JobStep] = []

    def undo(kind: str, opposite: str, path: dict[str, str], what: str, value: object) -> UndoEntry:
        label = _("{what} {value} of {name}").format(what=what, value=value, name=name)
        return UndoEntry(label, kind, user_id, opposite, path, None, {})

    if licence := row.get("licence"):
        path = {"userId": user_id, "subscriptionId": str((there.the("licence", licence) or {}).get("id"))}
        back = undo("licences", "unassign_licence", path, _("Licence"), licence)
        found.append(JobStep(user_id, name, path, {}, operation_id="assign_licence", undo=back))
    if (extension := row.get("extension")) and not own:
        body = {"userId": user_id, "shortNumber": str(extension)}
        created = {**system, "phoneNumberId": CREATED}
        back = undo("subscribers", "delete_subscriber", created, _("Extension"), extension)
        given = {"externalNumber": (there.the("ddi", row.get("ddi")) or {}).get("numberE164")}
        given["device"] = (there.the("device", row.get("device")) or {}).get("id")
        back = replace(back, after=given)
        found.append(JobStep(user_id, name, system, body, operation_id="create_subscriber", undo=back))
    if ddi := row.get("ddi"):
        path = {**system, "phoneNumberId": str((there.the("ddi", ddi) or {}).get("id")), "userId": user_id}
        back = undo("ddis", "unassign_ddi_from_user", path, _("DDI number"), ddi)
        found.append(JobStep(user_id, name, path, {}, operation_id="assign_ddi_to_user", undo=back if own else None))
    if device := row.get("device"):
        path = {**system, "phoneNumberId": str(own.get("phoneNumberId")) if own else CREATED}
        body = {"deviceId": str((there.the("device", device) or {}).get("id"))}
        back = undo("sipdevices", "unassign_device_from_subscriber", {**path, **body}, _("Device"), device)
        found.append(
            JobStep(user_id, name, path, body, operation_id="assign_device_to_subscriber", undo=back if own else None)
        )
    if not found:
        return None
    first, *others = found
    return replace(first, following=tuple(others))


def replacement(device: RecordData, model: RecordData, address: str) -> JobStep:
    """The requests that put another device in the place of one: the same record for the same model, else a new one.

    The new device has the name, the subscriber and the expansion modules that it can have; the old one stays in the
    CloudPBX without a subscriber. Each request has what undoes it.
    """
    id, name = str(device["id"]), str(device.get("description") or device.get("macAddress") or device["id"])
    system, kind = {"systemId": str(device["systemId"])}, "sipdevices"
    label = _("Replace {name}").format(name=name)
    if model["id"] == (device.get("deviceType") or {}).get("id"):
        body = {"macAddress": address}
        undo = UndoEntry.of_update(
            label, KINDS[kind], "update_sip_device", {**system, "deviceId": id}, body, dict(device)
        )
        return JobStep(id, name, {**system, "deviceId": id}, body, operation_id="update_sip_device", undo=undo)
    values = {"deviceTypeId": model["id"], "description": device.get("description"), "macAddress": address}
    body = {wire: value for wire, value in values.items() if value}
    new = {**system, "deviceId": created_by("new")}
    back = UndoEntry(label, kind, id, "delete_sip_device", {**system, "deviceId": CREATED}, None, {})
    steps = [JobStep(id, name, system, body, operation_id="create_sip_device", undo=back, name="new")]
    if held := device.get("phoneNumberId"):
        line = {**system, "phoneNumberId": str(held)}
        given, taken = "assign_device_to_subscriber", "unassign_device_from_subscriber"
        # The ID in the path is that of the record which is read before the undo.
        again = UndoEntry(label, kind, id, given, {**line, "deviceId": id}, {"deviceId": id}, {})
        steps.append(JobStep(id, name, {**line, "deviceId": id}, None, operation_id=taken, undo=again))
        away = UndoEntry(label, kind, id, taken, {**line, **new}, None, {})
        steps.append(JobStep(id, name, line, {"deviceId": created_by("new")}, operation_id=given, undo=away))
    for module in device.get("expansionModules") or ():
        if module.get("type") in (model.get("expansionModules") or ()):
            steps.append(JobStep(id, name, new, dict(module), operation_id="add_sip_device_expansion_module"))
    first, *others = steps
    return replace(first, following=tuple(others))
