"""The telephony of the users in a document: extensions, DDI numbers and devices of the company's CloudPBX.

What is freed stands before what is assigned, so that a number or a device can change its user in one plan. Numbers are
compared in E.164, MAC addresses in the stored notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import is_emergency, read_number
from svc_tui.language import _
from svc_tui.workspace.core.service import Reader, rows_of
from svc_tui.workspace.files.company_document import Component
from svc_tui.workspace.files.company_extras import (
    DDIS,
    DESCRIPTION,
    DEVICES,
    EXTENSION,
    EXTENSIONS,
    MAC,
    MODEL,
    wanted_of,
)
from svc_tui.workspace.files.company_steps import Created, FieldChange, Model, Step, model_named, place_of

#: The most free numbers that the service lists.
_MOST_FREE = 1000
_EXTENSIONS = Component(
    EXTENSIONS, "subscribers", _("Extensions"), "", "", "", "create_subscriber", "delete_subscriber", "phoneNumberId"
)
_NUMBERS = Component(DDIS, "ddis", _("DDI numbers"), "", "", "", "create_ddi_number", "delete_ddi_number", "")
_DEVICES = Component(
    DEVICES, "sipdevices", _("Devices"), "", "", "update_sip_device", "create_sip_device", "delete_sip_device", ""
)


@dataclass(frozen=True)
class Telephony:
    """What a CloudPBX has. `country` is that of its numbers. Without a CloudPBX, `system_id` is empty."""

    system_id: str = ""
    country: str | None = None
    subscribers: Sequence[RecordData] = ()
    ddis: Sequence[RecordData] = ()
    devices: Sequence[RecordData] = ()
    models: Sequence[RecordData] | None = None
    #: The free internal numbers; None where they are not known.
    free: frozenset[str] | None = None
    #: The first of them in their order.
    offered: Sequence[str] = ()

    def extension(self, user_id: str) -> RecordData | None:
        """The extension of a user."""
        return self._by_user.get(user_id)

    def ddis_of(self, user_id: str) -> list[RecordData]:
        """The DDI numbers of a user, the main one first."""
        return self._ddis.get(user_id, [])

    def devices_of(self, user_id: str) -> list[RecordData]:
        """The devices of a user, in the order of their names and addresses."""
        return self._devices.get(user_id, [])

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_user", {str(each.get("userId")): each for each in self.subscribers})
        ordered = sorted(self.ddis, key=lambda each: each.get("secondaryDdiOrder") or 0)
        object.__setattr__(self, "_ddis", _grouped(ordered))
        named = sorted(self.devices, key=lambda each: (str(each.get(MAC) or ""), str(each.get(DESCRIPTION) or "")))
        object.__setattr__(self, "_devices", _grouped(named))

    _by_user: Mapping[str, RecordData] = field(init=False, repr=False, default_factory=dict)
    _ddis: Mapping[str, list[RecordData]] = field(init=False, repr=False, default_factory=dict)
    _devices: Mapping[str, list[RecordData]] = field(init=False, repr=False, default_factory=dict)

    def of_user(self, user_id: str) -> dict[str, Any]:
        """The telephony of a user as a document has it."""
        own = self.extension(user_id)
        if own is None:
            return {}
        devices = [_written(each) for each in self.devices_of(user_id)]
        numbers = [str(each.get("numberE164")) for each in self.ddis_of(user_id)]
        found = {EXTENSION: str(own.get("shortNumber")), DDIS: numbers, DEVICES: devices}
        return {name: value for name, value in found.items() if value}

    def of_system(self) -> dict[str, Any]:
        """The DDI numbers that neither users nor welcome services have, as a document has them."""
        free = [each for each in self.ddis if not each.get("userId") and not each.get("ivrId")]
        numbers = sorted(str(each.get("numberE164")) for each in free)
        return {DDIS: numbers} if numbers else {}


def _grouped(rows: Sequence[RecordData]) -> dict[str, list[RecordData]]:
    found: dict[str, list[RecordData]] = {}
    for row in rows:
        if row.get("userId"):
            found.setdefault(str(row["userId"]), []).append(row)
    return found


def _written(device: RecordData) -> dict[str, str]:
    values = {MAC: device.get(MAC), MODEL: _model_of(device), DESCRIPTION: device.get(DESCRIPTION)}
    return {name: str(value) for name, value in values.items() if value}


def _model_of(device: RecordData) -> str:
    return str((device.get("deviceType") or {}).get("model") or "")


async def telephony_of(service: Reader, system: RecordData, country: str | None, *, planning: bool) -> Telephony:
    """What a CloudPBX has; for planning, also what it offers. ReadError."""
    path = {"systemId": str(system["id"])}

    async def rows(operation_id: str) -> list[RecordData]:
        return [row async for row in rows_of(service, operation_id, path, {"format": "full"})]

    models: Sequence[RecordData] | None = None
    free: frozenset[str] | None = None
    offered: list[str] = []
    if planning:
        models = (await service.read("list_cloudpbx_device_models", path, {})).get("data") or ()
        numbers = (await service.read("list_free_internal_numbers", path, {})).get("data") or ()
        offered = [str(each) for each in numbers]
        free = frozenset(offered) if len(numbers) < _MOST_FREE else None
    return Telephony(
        path["systemId"],
        str(system.get("country") or country or "") or None,
        await rows("list_subscribers"),
        await rows("list_ddi_numbers"),
        await rows("list_sip_devices"),
        models,
        free,
        offered,
    )


@dataclass(frozen=True, slots=True)
class Phones:
    """What a user of the document wants of telephony. `no_voice`: why the user cannot have an extension."""

    login: str
    user_id: str
    values: Mapping[str, Any]
    no_voice: str = ""


class TelephonyPlan:
    """The steps that the telephony of a document needs. `reason` is why an operation is refused, empty for not."""

    def __init__(self, there: Telephony, reason: Callable[[str], str]) -> None:
        self.there, self._reason = there, reason
        self._numbers = {str(each.get("numberE164")): each for each in there.ddis}
        self._addresses = {str(each[MAC]): each for each in there.devices if each.get(MAC)}
        #: Login and place of a device in its entry -> the record that it is.
        self._found: dict[tuple[str, int], RecordData] = {}
        #: Number or ID of a device -> the step that frees it, and -> the login that gets it.
        self._freed: dict[str, Created] = {}
        self._given: dict[str, str] = {}
        self.created: dict[str, Created] = {}

    def steps(self, users: Sequence[Phones]) -> Iterator[Step]:
        """The steps for these users."""
        self.find_devices(users)
        for user in users:
            yield from self._freeing(user)
        for user in users:
            yield from self.given(user)

    def given(self, user: Phones) -> Iterator[Step]:
        """The steps that give a user what its entry has. `find_devices` of all users stands before it."""
        yield from self._extension(user)
        yield from self._ddis(user)
        yield from self._devices(user)

    def stock(self, item: Mapping[str, str]) -> Iterator[Step]:
        """The steps for a device that is to be there, assigned or not."""
        if row := self._addresses.get(item.get(MAC, "")):
            yield from self._changed_device(_device_name(item), item, row)
        else:
            yield self._new_device(_device_name(item), item)

    def _step(self, component: Component, name: str, operation_id: str, path: dict[str, str], **more: Any) -> Step:
        effect = "remove" if operation_id.startswith(("delete", "unassign")) else "create"
        step = Step(component, name, more.pop("effect", effect), operation_id, path, more.pop("body", None), **more)
        why = "" if self.there.system_id else _("The company has no CloudPBX.")
        step.refusal = " ".join(filter(None, (step.refusal, why or self._reason(operation_id))))
        step.path = {"systemId": self.there.system_id, **path}
        return step

    def number(self, text: str) -> tuple[str, str]:
        """A number in E.164, or the text and why it is none."""
        found = read_number(text, self.there.country)
        return (found.number, "") if found.outcome == "right" else (text, f"{text} {found.advice}.")

    # --- what is freed ---

    def _freeing(self, user: Phones) -> Iterator[Step]:
        values, own = user.values, self.there.extension(user.user_id)
        held, devices = self.there.ddis_of(user.user_id), self.there.devices_of(user.user_id)
        if own and EXTENSION in values and values[EXTENSION] is None:
            name = f"{user.login}: {own.get('shortNumber')}"
            step = self._step(_EXTENSIONS, name, "delete_subscriber", {"phoneNumberId": str(own["id"])})
            freed = (str(own.get("shortNumber")), *map(_e164, held), *(str(each["id"]) for each in devices))
            self._freed |= dict.fromkeys(freed, step.place)
            yield step
            return
        numbers, exact = wanted_of(values.get(DDIS))
        if exact:
            wanted = [self.number(text)[0] for text in numbers]
            # Those that stay are the first ones in the same order; the others get their place by a new assignment.
            stay = 0
            while stay < min(len(wanted), len(held)) and wanted[stay] == _e164(held[stay]):
                stay += 1
            for row in held[stay:]:
                path = {"phoneNumberId": str(row["id"]), "userId": user.user_id}
                name = f"{user.login}: {_e164(row)}"
                step = self._step(_NUMBERS, name, "unassign_ddi_from_user", path)
                self._freed[_e164(row)] = step.place
                yield step
        items, exact = wanted_of(values.get(DEVICES))
        if exact and own:
            found = (self._found.get((user.login, at)) for at in range(len(items)))
            kept = {str(row["id"]) for row in found if row}
            for row in devices:
                if str(row["id"]) not in kept:
                    path = {"phoneNumberId": str(own["id"]), "deviceId": str(row["id"])}
                    name = f"{user.login}: {_device_name(_written(row))}"
                    step = self._step(_DEVICES, name, "unassign_device_from_subscriber", path)
                    self._freed[str(row["id"])] = step.place
                    yield step

    # --- what is given ---

    def _extension(self, user: Phones) -> Iterator[Step]:
        wanted, own = user.values.get(EXTENSION), self.there.extension(user.user_id)
        if wanted is None or (own and own.get("shortNumber") == wanted):
            return
        body = {"userId": user.user_id, "shortNumber": wanted}
        step = self._step(_EXTENSIONS, user.login, "create_subscriber", {}, body=body)
        step.changes = [FieldChange("shortNumber", own.get("shortNumber") if own else None, wanted)]
        reason = user.no_voice
        if own:
            step.effect = "update"
            reason = _(
                "An extension cannot be changed: the user has {number}. Remove it first, with `extension: null`."
            )
            reason = reason.format(number=own.get("shortNumber"))
        elif is_emergency(wanted, self.there.country):
            reason = _("{number} is an emergency number.").format(number=wanted)
        elif self.there.free is not None and wanted not in self.there.free:
            reason = _("The internal number {number} is not free, or not in the numbering plan.").format(number=wanted)
        else:
            holders = (each for each in self.there.subscribers if each.get("shortNumber") == wanted)
            step.after, reason = self.taken(wanted, user.login, next(holders, None))
            reason = reason or user.no_voice
        step.refusal = " ".join(filter(None, (reason, step.refusal)))
        yield step

    def _holder(self, user: Phones) -> tuple[str, frozenset[Created], str]:
        """The ID of the extension of a user, what must be done first, and why the user has none."""
        own = self.there.extension(user.user_id)
        if own and not (EXTENSION in user.values and user.values[EXTENSION] is None):
            return str(own["id"]), frozenset(), ""
        if user.values.get(EXTENSION):
            created = place_of(_EXTENSIONS.name, user.login)
            return created, frozenset((created,)), ""
        return "", frozenset(), _("The user has no extension: name one in `extension`.")

    def number_there(self, number: str) -> RecordData | None:
        """The DDI number of the CloudPBX."""
        return self._numbers.get(number)

    def taken(self, key: str, login: str, row: RecordData | None) -> tuple[frozenset[Created], str]:
        """The step that frees what another user has, or why this user, or welcome service, cannot get it."""
        first = self._given.setdefault(key, login)
        if first != login:
            return frozenset(), _("{login} gets it too.").format(login=first)
        if freed := self._freed.get(key):
            return frozenset((freed,)), ""
        if row and (row.get("userId") or row.get("ivrId") or row.get("phoneNumberId")):
            holder = str(row.get("names") or row.get("userDisplayName") or row.get("shortNumber") or row.get("ivrId"))
            return frozenset(), _("It belongs to {holder}.").format(holder=holder or row.get("userId"))
        return frozenset(), ""

    def _ddis(self, user: Phones) -> Iterator[Step]:
        numbers, _exact = wanted_of(user.values.get(DDIS))
        held = {_e164(row) for row in self.there.ddis_of(user.user_id)} - set(self._freed)
        for text in numbers:
            number, fault = self.number(text)
            if number in held:
                self._given.setdefault(number, user.login)
                continue
            held.add(number)
            _extension, after, missing = self._holder(user)
            row = self._numbers.get(number)
            freed, taken = self.taken(number, user.login, row)
            id: str = str(row["id"]) if row else self.created.get(number, "")
            if not id:
                yield (step := self.new_number(number, fault))
                id = step.place
            path = {"phoneNumberId": id, "userId": user.user_id}
            name = f"{user.login}: {number}"
            yield self._step(
                *(_NUMBERS, name, "assign_ddi_to_user", path),
                after=after | freed,
                refusal=" ".join(filter(None, (fault, missing, taken))),
            )

    def new_number(self, number: str, fault: str) -> Step:
        step = self._step(_NUMBERS, number, "create_ddi_number", {}, body={"number": number}, refusal=fault)
        step.changes = [FieldChange("number", None, number)]
        self.created[number] = step.place
        return step

    def find_devices(self, users: Sequence[Phones]) -> None:
        """Find the record of each device: by its address, or else by its name, first among those of the user.

        Names are not unique: a device of another user that has the same one is another device.
        """
        taken: set[str] = set()
        for only_own in (True, False):
            for user in users:
                for at, item in enumerate(wanted_of(user.values.get(DEVICES))[0]):
                    if (user.login, at) in self._found:
                        continue
                    if MAC in item:
                        rows = [self._addresses[item[MAC]]] if item[MAC] in self._addresses else []
                    elif only_own:
                        rows = self.there.devices_of(user.user_id)
                    else:
                        rows = [each for each in self.there.devices if not each.get("phoneNumberId")]
                    for row in rows:
                        if row["id"] not in taken and (MAC in item or _is_named(row, item)):
                            self._found[user.login, at] = row
                            taken.add(str(row["id"]))
                            break

    def _devices(self, user: Phones) -> Iterator[Step]:
        items, _exact = wanted_of(user.values.get(DEVICES))
        for at, item in enumerate(items):
            name = _device_name(item)
            extension, after, missing = self._holder(user)
            row = self._found.get((user.login, at))
            if row is None:
                new = name if MAC in item else _("{name} of {login}").format(name=name, login=user.login)
                yield (step := self._new_device(new, item))
                id: str = step.place
            else:
                yield from self._changed_device(name, item, row)
                id = str(row["id"])
                if row.get("userId") == user.user_id and id not in self._freed:
                    continue
            freed, taken = self.taken(id, user.login, row)
            yield self._step(
                *(_DEVICES, f"{user.login}: {name}", "assign_device_to_subscriber", {"phoneNumberId": extension}),
                body={"deviceId": id},
                after=after | freed,
                refusal=" ".join(filter(None, (missing, taken))),
            )

    def _new_device(self, name: str, item: Mapping[str, str]) -> Step:
        body: dict[str, Any] = {wire: item[wire] for wire in (DESCRIPTION, MAC) if wire in item}
        reason = ""
        if MODEL not in item:
            reason = _("{field} is required.").format(field=MODEL)
        elif self.there.models is None:
            body["deviceTypeId"] = Model(item[MODEL])
        else:
            body["deviceTypeId"], reason = model_named(self.there.models, item[MODEL])
        step = self._step(_DEVICES, name, "create_sip_device", {}, body=body, refusal=reason)
        step.changes = [FieldChange(wire, None, value) for wire, value in item.items()]
        return step

    def _changed_device(self, name: str, item: Mapping[str, str], row: RecordData) -> Iterator[Step]:
        changes, reason = [], ""
        if MODEL in item and self.there.models is not None:
            id, reason = model_named(self.there.models, item[MODEL])
            if id and id != (row.get("deviceType") or {}).get("id"):
                changes.append(FieldChange(MODEL, _model_of(row), item[MODEL]))
                reason = _("The model of a device cannot be changed.")
        if DESCRIPTION in item and item[DESCRIPTION] != (row.get(DESCRIPTION) or ""):
            changes.append(FieldChange(DESCRIPTION, row.get(DESCRIPTION), item[DESCRIPTION]))
        if changes or reason:
            path, body = {"deviceId": str(row["id"])}, {DESCRIPTION: item.get(DESCRIPTION)}
            yield self._step(
                *(_DEVICES, name, "update_sip_device", path),
                body=body,
                effect="update",
                changes=changes,
                refusal=reason,
            )

    # --- further numbers of the CloudPBX ---

    def further(self, value: Any) -> Iterator[Step]:
        """The steps for further DDI numbers of the CloudPBX, which neither users nor welcome services have."""
        texts, exact = wanted_of(value)
        named = set(self._given)
        for text in texts:
            number, fault = self.number(text)
            named.add(number)
            if number not in self._numbers and number not in self.created:
                yield self.new_number(number, fault)
        if not exact:
            return
        for number, row in self._numbers.items():
            # Numbers of users and of welcome services are those of their entries.
            if number in named or row.get("userId") or row.get("ivrId"):
                continue
            step = self._step(_NUMBERS, number, "delete_ddi_number", {"phoneNumberId": str(row["id"])})
            if row.get("isCloudPbxDefault") and len(self._numbers) > 1:
                step.refusal = _("It is the default number.")
            yield step


def _e164(ddi: RecordData) -> str:
    return str(ddi.get("numberE164") or ddi.get("number"))


def _is_named(row: RecordData, item: Mapping[str, str]) -> bool:
    """Whether a device has the name of an item, and its model where it has one."""
    name = str(row.get(DESCRIPTION) or "").casefold()
    return name == item.get(DESCRIPTION, "").casefold() and item.get(MODEL, _model_of(row)) == _model_of(row)


def _device_name(item: Mapping[str, str]) -> str:
    return item.get(MAC) or item.get(DESCRIPTION) or ""
