"""What users hold of a CloudPBX: extension, DDI numbers and devices, and the welcome services that ring there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from svc_tui.cache.cached import RecordDict
from svc_tui.client.errors import ServiceError
from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import written
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.leaving import (
    Holding,
    LeaveService,
    Leaving,
    name_of,
    now_of,
    sequence,
    subject_of,
    user_now,
)
from svc_tui.workspace.core.service import ReadError, rows_of
from svc_tui.workspace.voice.phone_setup import extension_of, ineligibility

_BOTH, _ALL = ("keep", "free"), ("keep", "free", "hand-over")
#: The fields of a welcome service that say where calls go.
_OVERFLOWS = ("openHoursOverflow", "closedHoursOverflow")


class TelephoneHoldings:
    """Holdings of the area voice."""

    kinds: Mapping[str, str] = {
        "welcome": _("Welcome service"),
        "extension": _("Extension"),
        "number": _("DDI number"),
        "device": _("Device"),
    }

    async def read(
        self, service: LeaveService, user: RecordData, successor: RecordData | None, unread: dict[str, str]
    ) -> list[Holding]:
        """The telephone of the user in each CloudPBX of the company. ReadError."""
        decision = service.decide("list_cloudpbxs", subject_of(user, service.caller))
        if not decision:
            unread[_("Telephone")] = decision.reason
            return []
        found: list[Holding] = []
        try:
            async for system in rows_of(service, "list_cloudpbxs", {}, {"companyId": user.get("companyId")}):
                found += await self._of_system(service, system, user, successor)
        except ReadError as error:
            if error.offline:
                raise
            unread[_("Telephone")] = error.sentence
        return found

    async def _of_system(
        self, service: LeaveService, system: RecordData, user: RecordData, successor: RecordData | None
    ) -> list[Holding]:
        path = {"systemId": str(system["id"])}
        heir = extension_of(successor, path["systemId"]) if successor else None
        found = []
        async for each in rows_of(service, "list_welcome_services", path, {}):
            if any(_calls(each, wire, user["id"]) for wire in _OVERFLOWS):
                choices: tuple[str, ...] = ("keep", "hand-over") if heir else ("keep",)
                note = "" if heir else _("needs a successor with an extension there")
                found.append(_holding("welcome", each["id"], each.get("name"), choices, choices[-1], path, note))
        own = extension_of(user, path["systemId"])
        if own is None:
            return found
        at = {**path, "phoneNumberId": str(own["phoneNumberId"])}
        body = await service.read("get_subscriber", at, {})
        subscriber = body.get("data") or {}
        devices = [each async for each in rows_of(service, "list_subscriber_devices", at, {})]
        choices, choice, note = _for_extension(heir, successor, path["systemId"])
        if any(each.choice == "keep" for each in found):
            choice = "keep"
        found.append(_holding("extension", at["phoneNumberId"], own.get("shortNumber"), choices, choice, at, note))
        # Numbers and devices need an extension of the successor: one that exists, or the one that is handed over.
        possible = _ALL if heir or "hand-over" in choices else _BOTH
        moved = "hand-over" if heir or choice == "hand-over" else choice
        for id, number in _numbers(subscriber):
            shown = written(number, own.get("country"))
            found.append(_holding("number", id, shown, possible, moved, {**at, "ddiId": id}))
        for each in devices:
            name = each.get("description") or each.get("macAddress") or each["id"]
            found.append(_holding("device", each["id"], name, possible, moved, {**at, "deviceId": str(each["id"])}))
        return found

    def step(self, service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
        """The requests of a choice."""
        steps = {
            "welcome": _welcome_step,
            "extension": _extension_step,
            "number": _number_step,
            "device": _device_step,
        }
        return steps[holding.kind](service, leaving, holding)

    def objections(self, leaving: Leaving) -> Mapping[str, str]:
        """What an extension takes with it, and what prevents that it goes."""
        found = {}
        mine = [each for each in leaving.holdings if each.kind in self.kinds]
        for extension in (each for each in mine if each.kind == "extension" and each.choice != "keep"):
            for each in mine:
                if each.kind == "extension" or each.path.get("systemId") != extension.path["systemId"]:
                    continue
                if each.choice == "keep":
                    found[each.key] = (
                        _("rings the extension, which cannot go before: hand it over first")
                        if each.kind == "welcome"
                        else _("cannot be kept without the extension {name}").format(name=extension.name)
                    )
        for each in mine:
            needs_new = each.choice == "hand-over" and each.kind in ("number", "device") and not each.note
            there = [other for other in mine if other.kind == "extension" and _same(other, each)]
            if needs_new and any("hand-over" in other.choices and other.choice != "hand-over" for other in there):
                found[each.key] = _("needs an extension of the successor: hand over the extension too")
        return found


def _same(one: Holding, other: Holding) -> bool:
    return one.path.get("systemId") == other.path.get("systemId")


def _holding(
    kind: str,
    id: object,
    name: object,
    choices: tuple[str, ...],
    choice: str,
    path: Mapping[str, str],
    note: str = "",
) -> Holding:
    return Holding(
        kind=kind, id=str(id), name=str(name or id), choices=choices, choice=choice, path=dict(path), note=note
    )


def _for_extension(
    heir: RecordData | None, successor: RecordData | None, system_id: str
) -> tuple[tuple[str, ...], str, str]:
    """The choices of an extension, the proposed one, and the note."""
    lost = _("its options end, and cannot be undone")
    if successor is None:
        return _BOTH, "free", lost
    if heir is not None:
        return _BOTH, "free", _("the successor has {number}; {lost}").format(number=heir.get("shortNumber"), lost=lost)
    if reason := ineligibility(successor, system_id):
        return _ALL, "free", _("the successor {reason}: hand over the licence too").format(reason=reason)
    return _ALL, "hand-over", lost


def _numbers(subscriber: RecordData) -> Iterator[tuple[str, str]]:
    """The IDs of the DDI numbers of a subscriber, with the numbers: the main one first."""
    if subscriber.get("externalNumberId"):
        yield str(subscriber["externalNumberId"]), str(subscriber.get("externalNumber") or "")
    for each in subscriber.get("secondaryDDIs") or ():
        yield str(each.get("phoneNumberId")), str(each.get("numberE164") or "")


def _calls(service: RecordData, wire: str, user_id: object) -> bool:
    target = service.get(wire)
    return isinstance(target, Mapping) and target.get("type") == "user" and target.get("destinationId") == user_id


# --- steps -------------------------------------------------------------------------------------------------------


def _welcome_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    path = {"systemId": holding.path["systemId"], "ivrId": holding.id}

    def request(body: dict[str, Any], before: RecordData) -> JobStep:
        label = _("Calls of {name}").format(name=holding.name)
        old = {wire: _target(before[wire], str(before[wire]["destinationId"])) for wire in body if wire in before}
        undo = UndoEntry(label, "welcomeservices", holding.id, "update_welcome_service", path, old, {}) if old else None
        subject = subject_of(leaving.user, service.caller)
        return JobStep(
            holding.id, path=path, body=body, subject=subject, operation_id="update_welcome_service", undo=undo
        )

    async def check() -> JobStep | None:
        listed = await _services(service, path["systemId"])
        record = next((each for each in listed if str(each["id"]) == holding.id), {})
        body = {
            wire: _target(record[wire], leaving.successor["id"])
            for wire in _OVERFLOWS
            if _calls(record, wire, leaving.user["id"])
        }
        return request(body, record) if body else None

    to_heir = {"type": "user", "destinationId": leaving.successor["id"]}
    return sequence([request({"openHoursOverflow": to_heir}, {})], check)


def _target(target: RecordData, user_id: str) -> RecordDict:
    voicemail = {"toVoicemail": target["toVoicemail"]} if target.get("toVoicemail") is not None else {}
    return {"type": "user", "destinationId": user_id, **voicemail}


async def _services(service: LeaveService, system_id: str) -> list[RecordData]:
    try:
        return [each async for each in rows_of(service, "list_welcome_services", {"systemId": system_id}, {})]
    except ReadError as error:
        raise (
            error.__cause__ if isinstance(error.__cause__, ServiceError) else ServiceError(error.sentence)
        ) from error


def _extension_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    subject, path = subject_of(leaving.user, service.caller), dict(holding.path)
    system = {"systemId": path["systemId"]}
    delete = JobStep(holding.id, path=path, subject=subject, operation_id="delete_subscriber")
    create: list[JobStep] = []
    if holding.choice == "hand-over":
        body = {"userId": leaving.successor["id"], "shortNumber": holding.name}
        create = [JobStep(holding.id, path=system, body=body, subject=subject, operation_id="create_subscriber")]

    async def check() -> JobStep | None:
        user = await user_now(service, leaving.user["id"])
        own = extension_of(user, system["systemId"])
        requests = [delete] if own and str(own["phoneNumberId"]) == holding.id else []
        if create:
            heir = await user_now(service, leaving.successor["id"])
            if extension_of(heir, system["systemId"]) is None:
                if reason := ineligibility(heir, system["systemId"]):
                    # Before the extension is deleted: the successor could not get it.
                    raise ServiceError(_("{name} {reason}.").format(name=name_of(heir), reason=reason))
                requests += create
        return sequence(requests) if requests else None

    return sequence([delete, *create], check)


async def _heir(service: LeaveService, leaving: Leaving, system_id: str) -> str:
    """The ID of the successor's extension. ServiceError without one."""
    own = extension_of(await user_now(service, leaving.successor["id"]), system_id)
    if own is None:
        raise ServiceError(_("{name} has no extension there.").format(name=name_of(leaving.successor)))
    return str(own["phoneNumberId"])


def _extension_stays(leaving: Leaving, holding: Holding) -> bool:
    """Whether the user's extension stays, so that what it loses can come back."""
    return all(each.choice == "keep" for each in leaving.holdings if each.kind == "extension" and _same(each, holding))


def _number_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    subject = subject_of(leaving.user, service.caller)
    stays = _extension_stays(leaving, holding)
    ddi = {"systemId": holding.path["systemId"], "phoneNumberId": holding.id}

    def request(operation_id: str, opposite: str, user: Mapping[str, str], undone: bool) -> JobStep:
        path = {**ddi, "userId": user["id"]}
        label = f"{_('DDI number')} {holding.name}: {name_of(user)}"
        undo = UndoEntry(label, "ddis", holding.id, opposite, path, None, {}) if undone else None
        body: RecordDict | None = {} if operation_id == "assign_ddi_to_user" else None
        return JobStep(holding.id, path=path, body=body, subject=subject, operation_id=operation_id, undo=undo)

    take = request("unassign_ddi_from_user", "assign_ddi_to_user", leaving.user, stays)
    moves = holding.choice == "hand-over"
    give = [request("assign_ddi_to_user", "unassign_ddi_from_user", leaving.successor, stays)] if moves else []

    async def check() -> JobStep | None:
        record = await now_of(service, "get_ddi_number", ddi)
        holder = _holder(record, "userId", ("userId", "ivrId", "groupId", "voiceAutoAttendantId"))
        requests = _left(holder, leaving, [take], give)
        if requests and give:
            await _heir(service, leaving, ddi["systemId"])
        return sequence(requests) if requests else None

    return sequence([take, *give], check)


def _device_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    subject, path = subject_of(leaving.user, service.caller), dict(holding.path)
    stays, device = _extension_stays(leaving, holding), {"deviceId": holding.id}
    system = {"systemId": path["systemId"]}

    def undo(opposite: str, at: dict[str, str], user: RecordData) -> UndoEntry | None:
        label = f"{_('Device')} {holding.name}: {name_of(user)}"
        body = device if opposite == "assign_device_to_subscriber" else None
        return UndoEntry(label, "sipdevices", holding.id, opposite, at, body, {}) if stays else None

    take = JobStep(
        holding.id,
        path=path,
        subject=subject,
        operation_id="unassign_device_from_subscriber",
        undo=undo("assign_device_to_subscriber", {**system, "phoneNumberId": path["phoneNumberId"]}, leaving.user),
    )

    async def check() -> JobStep | None:
        record = await now_of(service, "get_sip_device", {**system, **device})
        give = []
        if holding.choice == "hand-over":
            at = {**system, "phoneNumberId": await _heir(service, leaving, system["systemId"])}
            give = [
                JobStep(
                    holding.id,
                    path=at,
                    body=device,
                    subject=subject,
                    operation_id="assign_device_to_subscriber",
                    undo=undo("unassign_device_from_subscriber", {**at, **device}, leaving.successor),
                )
            ]
        requests = _left(_holder(record, "userId", ("userId", "phoneNumberId")), leaving, [take], give)
        return sequence(requests) if requests else None

    return sequence([take], check)


def _holder(record: RecordData | None, wire: str, holders: tuple[str, ...]) -> str | None:
    """The user who has a record now: empty for a free one, `?` for another holder, None for one that is gone."""
    if record is None:
        return None
    return str(record.get(wire) or ("?" if any(record.get(each) for each in holders) else ""))


def _left(holder: str | None, leaving: Leaving, take: list[JobStep], give: list[JobStep]) -> list[JobStep]:
    """The requests that are left for a number or a device with this holder. ServiceError for another holder."""
    if holder is None or (give and holder == leaving.successor["id"]):
        return []
    if holder == leaving.user["id"]:
        return [*take, *give]
    if holder and give:
        raise ServiceError(_("It has another holder by now."))
    return list(give)
