"""Who has what in voice: devices and DDI numbers given to subscribers and taken back, each after a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svc_tui.console.core.actions import find_action
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.choice import Choice, Narrowed
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.record_edit import call_on_records, preview
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.voice.macs import mac_part
from svc_tui.interface.voice.numbers import found_in, written
from svc_tui.interface.voice.subscribers import RecordingChoice
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.voice.bulk_create import ineligibility

Row = Mapping[str, Any]
#: What one search shows at most; of free devices all are read.
_SHOWN, _ALL = 50, 1000
_PROFILES = {"all": "all", "external_only": "with numbers outside", "internal_only": "with colleagues", "none": "none"}


async def give_device(context: Context) -> None:
    """Choose a device that nobody has, and give it to the subscriber under the cursor."""
    subscriber, path = _record(context), _path(context)
    free = await _rows(context, "list_sip_devices", path, {"assigned": False, "limit": _ALL})
    if not free:
        context.stage.say("There is no free device: create one first.", "warn")
        return
    device = await _choose_free(context, f"Device for {subscriber.get('names')}", free, _device, _is_meant)
    if device is not None:
        await _give_device(context, path, device, subscriber)


async def _choose_free(
    context: Context,
    title: str,
    free: Sequence[Row],
    drawn: Callable[[Row], Choice],
    is_meant: Callable[[Row, str], bool],
) -> Row | None:
    """One of those that nobody has, found by what `is_meant` of it; None when none was chosen."""

    async def search(text: str) -> Sequence[Choice]:
        return [drawn(each) for each in free if is_meant(each, text)][:_SHOWN]

    chosen = await context.stage.ask(Picker(title, search=search))
    return next((each for each in free if each.get("id") == chosen), None)


async def _give_device(context: Context, path: Mapping[str, str], device: Row, subscriber: Row) -> None:
    name, said = subscriber.get("names"), device.get("description") or "the device"
    await _send(
        context,
        Change(
            label=f"Give {said} to {name}",
            operation="assign_device_to_subscriber",
            path=path,
            body={"deviceId": device.get("id")},
            reach="Reaches 1 subscriber and 1 device.",
        ),
        f"{name} has {said}.",
    )


async def give_number(context: Context) -> None:
    """Choose a DDI number that nobody has, and give it to the subscriber under the cursor."""
    subscriber, path = _record(context), _path(context)
    free = await _rows(context, "list_ddi_numbers", path, {"isAssigned": False, "limit": _ALL})
    if not free:
        context.stage.say("There is no free DDI number: create one first.", "warn")
        return

    def drawn(ddi: Row) -> Choice:
        return Choice(str(ddi.get("id")), _number(ddi))

    def is_meant(ddi: Row, text: str) -> bool:
        return not text or found_in(text, str(ddi.get("numberE164")), ddi.get("country"))

    ddi = await _choose_free(context, f"DDI number for {subscriber.get('names')}", free, drawn, is_meant)
    if ddi is not None:
        await _give(context, path, str(ddi.get("id")), _number(ddi), subscriber)


async def _give(context: Context, path: Mapping[str, str], ddi_id: str, said: str, subscriber: Row) -> None:
    name = subscriber.get("names")
    await _send(
        context,
        Change(
            label=f"Give {said} to {name}",
            operation="assign_ddi_to_user",
            path={**path, "phoneNumberId": ddi_id, "userId": str(subscriber.get("userId"))},
            body={},
            reach="Reaches 1 DDI number and 1 subscriber.",
        ),
        f"{name} has {said}.",
    )


async def choose_recording(context: Context) -> None:
    """Choose which calls of the subscriber under the cursor are recorded."""
    subscriber = _record(context)
    spec = field_by_wire(RecordingChoice)["recordingProfile"]
    now = subscriber.get(spec.wire)
    choices = [Choice(value, _PROFILES[value], "as it is" if value == now else "") for value in spec.choices]
    chosen = await context.stage.ask(Picker(f"Recorded calls of {subscriber.get('names')}", choices))
    if chosen is None or chosen == now:
        return
    operation, path, body = "set_subscriber_recording_profile", _path(context), {spec.wire: chosen}
    label = f"Recorded calls of {subscriber.get('names')}"
    await _send(
        context,
        Change(
            label=label,
            operation=operation,
            path=path,
            body=body,
            fields=field_changes(operation, {spec.wire: now}, body),
            reach="Reaches 1 subscriber.",
            undo=UndoEntry.of_update(label, KINDS["subscribers"], operation, path, body, dict(subscriber)),
        ),
        "Changed. ctrl+z undoes it.",
    )


async def free_number(context: Context) -> Row:
    """What the form of a new subscriber begins with: the first internal number that nobody has."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    try:
        body = await context.workspace.read("list_free_internal_numbers", path, {})
    except ReadError:
        # It can be typed, and the service says which ones there are.
        return {}
    found = body.get("data")
    return {"shortNumber": found[0]} if found else {}


async def who_may_have_extension(context: Context) -> Narrowed:
    """The users of the company whose CloudPBX it is; those who have an extension or no licence do not do."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    try:
        pbx = (await context.workspace.read("get_cloudpbx", path, {})).get("data") or {}
    except ReadError:
        # Whoever is chosen then, the service judges.
        pbx = {}
    company = {"companyId": pbx["companyId"]} if pbx.get("companyId") else {}
    return Narrowed({"format": "full", **company}, lambda user: ineligibility(user, path["systemId"]))


def _device(device: Row) -> Choice:
    model = (device.get("deviceType") or {}).get("model") or ""
    detail = "  ".join(str(part) for part in (device.get("macAddress"), model) if part)
    return Choice(str(device.get("id")), str(device.get("description") or model or "?"), detail)


def _is_meant(device: Row, text: str) -> bool:
    """Whether a device is looked for: by its name, its model, its id, or its MAC address in any notation."""
    told = f"{device.get('description')} {(device.get('deviceType') or {}).get('model')} {device.get('id')}"
    digits = mac_part(text)
    in_address = bool(digits) and digits in str(device.get("macAddress") or "").replace(":", "")
    return in_address or text.casefold() in told.casefold()


async def release_device(context: Context) -> None:
    """Take the device under the cursor from its subscriber."""
    device = _record(context)
    name = device.get("description") or device.get("id")
    path = {**_path(context), "phoneNumberId": str(device.get("phoneNumberId"))}
    who = device.get("userDisplayName") or device.get("shortNumber")
    await _send(
        context,
        Change(
            label=f"Release {name}",
            operation="unassign_device_from_subscriber",
            path=path,
            reach=f"Reaches 1 device and 1 subscriber: {who}.",
            warning="It goes offline, and can be given to somebody else.",
        ),
        f"{name} is free.",
    )


async def toggle_default(context: Context) -> None:
    """Make the DDI number under the cursor the company's number, or stop that."""
    await call_on_records(context, find_action(context, "ddis.default"))
    context.view.refresh_now()


async def give_ddi(context: Context) -> None:
    """Choose a subscriber, and give him the DDI number under the cursor."""
    ddi, path = _record(context), _path(context)
    said = _number(ddi)
    subscriber = await _choose_subscriber(context, f"Subscriber for {said}", path)
    if subscriber is not None:
        await _give(context, path, path["phoneNumberId"], said, subscriber)


async def assign_device(context: Context) -> None:
    """Choose a subscriber, and give him the device under the cursor."""
    device, path = _record(context), _path(context)
    said = str(device.get("description") or device.get("macAddress") or device.get("id"))
    subscriber = await _choose_subscriber(context, f"Subscriber for {said}", path)
    if subscriber is not None:
        await _give_device(context, {**path, "phoneNumberId": str(subscriber.get("id"))}, device, subscriber)


async def _choose_subscriber(context: Context, title: str, path: Mapping[str, str]) -> Row | None:
    """A subscriber found by the beginning of his name or number; None when none was chosen."""
    known: dict[str, Row] = {}

    async def search(text: str) -> Sequence[Choice]:
        asked = {"shortNumber" if text.isdecimal() else "name": text, "limit": _SHOWN} if text else {"limit": _SHOWN}
        found = await _rows(context, "list_system_phone_numbers", path, asked)
        known.update((str(each.get("userId")), each) for each in found)
        return [_subscriber(each) for each in found]

    chosen = await context.stage.ask(Picker(title, search=search))
    return known[chosen] if chosen is not None else None


def _subscriber(subscriber: Row) -> Choice:
    detail = "  ".join(str(subscriber[wire]) for wire in ("shortNumber", "externalNumber") if subscriber.get(wire))
    return Choice(str(subscriber.get("userId")), str(subscriber.get("names") or "?"), detail)


async def release_ddi(context: Context) -> None:
    """Take the DDI number under the cursor from its subscriber."""
    ddi = _record(context)
    await _send(
        context,
        Change(
            label=f"Release {_number(ddi)}",
            operation="unassign_ddi_from_user",
            path={**_path(context), "userId": str(ddi.get("userId"))},
            reach=f"Reaches 1 DDI number and 1 subscriber: {ddi.get('names')}.",
            warning="The next of his numbers, if he has one, becomes his main one.",
        ),
        f"{_number(ddi)} is free.",
    )


def _number(ddi: Row) -> str:
    return written(str(ddi.get("numberE164") or ""), ddi.get("country"))


def _record(context: Context) -> Row:
    return context.require_record()


def _path(context: Context) -> dict[str, str]:
    resource = context.require_resource()
    return resource.path_at(context.view.place, context.workspace.caller, resource.record_id(_record(context)))


async def _rows(context: Context, operation_id: str, path: Mapping[str, str], query: Row) -> list[Row]:
    body = await context.workspace.read(operation_id, path, query)
    return list(body.get("data") or ()) if isinstance(body, dict) else []


async def _send(context: Context, change: Change, done: str) -> None:
    """Preview and send; what is shown is asked for again, for it has changed in more than one place."""
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.view.refresh_now()
        context.stage.say(done, "ok")
