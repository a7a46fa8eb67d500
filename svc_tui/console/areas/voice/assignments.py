"""Assigning devices and DDI numbers to subscribers, and unassigning them, each with a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.choice import Choice, ChoiceLimits
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.editing.record_edit import call_on_records, preview
from svc_tui.interface import catalogue
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.telephone_numbers import found_in, written
from svc_tui.interface.texts import mac_address
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.voice.phone_setup import device_matches, ineligibility, replacement, voice_offers

#: Most results of one search; free devices are all read.
_SHOWN, _ALL = 50, 1000
_PROFILES = {
    "all": _("all"),
    "external_only": _("external only"),
    "internal_only": _("internal only"),
    "none": _("none"),
}


async def choose_device(context: Context) -> None:
    """Choose a free device, and assign it to the subscriber under the cursor."""
    subscriber, path = _record(context), _path(context)
    free = await _rows(context, "list_sip_devices", path, {"assigned": False, "limit": _ALL})
    if not free:
        context.stage.show_message(_("No free device. Create one first."), "warn")
        return
    device = await _choose_free(
        context, _("Device for {names}").format(names=subscriber.get("names")), free, _device, device_matches
    )
    if device is not None:
        await _assign_device(context, path, device, subscriber)


async def _choose_free(
    context: Context,
    title: str,
    free: Sequence[RecordData],
    drawn: Callable[[RecordData], Choice],
    matches: Callable[[RecordData, str], bool],
) -> RecordData | None:
    """Choose one of the free records, searched by `matches`; None when cancelled."""

    async def search(text: str) -> Sequence[Choice]:
        return [drawn(each) for each in free if matches(each, text)][:_SHOWN]

    chosen = await context.stage.ask(Picker(title, search=search))
    return next((each for each in free if each.get("id") == chosen), None)


async def _assign_device(context: Context, path: Mapping[str, str], device: RecordData, subscriber: RecordData) -> None:
    name, text = subscriber.get("names"), device.get("description") or _("the device")
    await _send(
        context,
        Change(
            label=_("Assign {text} to {name}").format(text=text, name=name),
            operation="assign_device_to_subscriber",
            path=path,
            body={"deviceId": device.get("id")},
            reach=_("Affects 1 subscriber and 1 device."),
        ),
        _("Assigned {text} to {name}.").format(text=text, name=name),
    )


async def replace_device(context: Context) -> None:
    """Choose the model and type the address of the device that takes the place of the one under the cursor."""
    device, path = _record(context), _path(context)
    models = {str(each["id"]): each for each in await _rows(context, "list_cloudpbx_device_models", path, {})}
    now = str((device.get("deviceType") or {}).get("id"))
    choices = [Choice(id, str(each.get("model")), str(each.get("vendor") or "")) for id, each in models.items()]
    title = _("Model of the device in the place of {text}").format(text=_device(device).label)
    chosen = await context.stage.ask(Picker(title, choices, current=now))
    if chosen is None:
        return
    address = ""
    if models[chosen].get("family") == "desk_phone":
        typed = await context.stage.ask(
            LineBox(_("MAC address of the new device"), "02:00:00:00:00:01", _address_problem)
        )
        if typed is None:
            return
        address = mac_address(typed)
    elif chosen == now:
        context.stage.show_message(_("Such a device has no MAC address: it is replaced without a change here."), "warn")
        return
    job = Job(context.workspace, "update_sip_device", [replacement(device, models[chosen], address)])
    action = performed(context)
    note = {str(device["id"]): " · ".join(filter(None, (str(models[chosen].get("model")), address)))}
    await context.stage.ask(BulkBox(context.workspace.journal, action, context.require_resource(), job, {}, note))
    context.view.refresh_now()
    show_result(context, action.label, job)


def _address_problem(text: str) -> str:
    try:
        mac_address(text)
    except ValueError as error:
        return f"{error}."
    return ""


async def choose_number(context: Context) -> None:
    """Choose a free DDI number, and assign it to the subscriber under the cursor."""
    subscriber, path = _record(context), _path(context)
    free = await _rows(context, "list_ddi_numbers", path, {"isAssigned": False, "limit": _ALL})
    if not free:
        context.stage.show_message(_("No free DDI number. Create one first."), "warn")
        return

    def drawn(ddi: RecordData) -> Choice:
        return Choice(str(ddi.get("id")), _number(ddi))

    def matches(ddi: RecordData, text: str) -> bool:
        return not text or found_in(text, str(ddi.get("numberE164")), ddi.get("country"))

    ddi = await _choose_free(
        context, _("DDI number for {names}").format(names=subscriber.get("names")), free, drawn, matches
    )
    if ddi is not None:
        await _assign_number(context, path, str(ddi.get("id")), _number(ddi), subscriber)


async def _assign_number(
    context: Context, path: Mapping[str, str], ddi_id: str, number: str, subscriber: RecordData
) -> None:
    name = subscriber.get("names")
    await _send(
        context,
        Change(
            label=_("Assign {number} to {name}").format(number=number, name=name),
            operation="assign_ddi_to_user",
            path={**path, "phoneNumberId": ddi_id, "userId": str(subscriber.get("userId"))},
            body={},
            reach=_("Affects 1 DDI number and 1 subscriber."),
        ),
        _("Assigned {number} to {name}.").format(number=number, name=name),
    )


async def choose_recording(context: Context) -> None:
    """Choose the calls to record for the subscriber under the cursor."""
    subscriber = _record(context)
    spec = field_by_wire(catalogue.body_of("set_subscriber_recording_profile"))["recordingProfile"]
    now = subscriber.get(spec.wire)
    choices = [Choice(value, _PROFILES[value], _("current") if value == now else "") for value in spec.choices]
    chosen = await context.stage.ask(
        Picker(_("Recorded calls of {names}").format(names=subscriber.get("names")), choices)
    )
    if chosen is None or chosen == now:
        return
    operation, path, body = "set_subscriber_recording_profile", _path(context), {spec.wire: chosen}
    label = _("Recorded calls of {names}").format(names=subscriber.get("names"))
    await _send(
        context,
        Change(
            label=label,
            operation=operation,
            path=path,
            body=body,
            fields=field_changes(operation, {spec.wire: now}, body),
            reach=_("Affects 1 subscriber."),
            undo=UndoEntry.of_update(label, KINDS["subscribers"], operation, path, body, dict(subscriber)),
        ),
        context.with_keys(_("Changed. {undo} undoes it.")),
    )


async def free_number(context: Context) -> RecordData:
    """The first values of a new subscriber: the first free internal number."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    try:
        body = await context.workspace.read("list_free_internal_numbers", path, {})
    except ReadError:
        # The number can be typed; the service refuses numbers that are in use.
        return {}
    found = body.get("data")
    return {"shortNumber": found[0]} if found else {}


async def extension_choices(context: Context) -> ChoiceLimits:
    """The users of the company of the CloudPBX, and who of them has an extension or no licence for voice."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    try:
        pbx = (await context.workspace.read("get_cloudpbx", path, {})).get("data") or {}
    except ReadError:
        # The service then checks the chosen user.
        pbx = {}
    company = {"companyId": pbx["companyId"]} if pbx.get("companyId") else {}
    offers = await voice_offers(context.workspace, company.get("companyId", ""))
    return ChoiceLimits({"format": "full", **company}, lambda user: ineligibility(user, path["systemId"], offers))


def _device(device: RecordData) -> Choice:
    model = (device.get("deviceType") or {}).get("model") or ""
    detail = "  ".join(str(part) for part in (device.get("macAddress"), model) if part)
    return Choice(str(device.get("id")), str(device.get("description") or model or "?"), detail)


async def unassign_device(context: Context) -> None:
    """Unassign the device under the cursor from its subscriber."""
    device = _record(context)
    name = device.get("description") or device.get("id")
    path = {**_path(context), "phoneNumberId": str(device.get("phoneNumberId"))}
    who = device.get("userDisplayName") or device.get("shortNumber")
    await _send(
        context,
        Change(
            label=_("Unassign {name}").format(name=name),
            operation="unassign_device_from_subscriber",
            path=path,
            reach=_("Affects 1 device and 1 subscriber: {who}.").format(who=who),
            warning=_("The device goes offline and can be assigned again."),
        ),
        _("Unassigned {name}.").format(name=name),
    )


async def toggle_default(context: Context) -> None:
    """Make the DDI number under the cursor the company's default number, or remove the default."""
    await call_on_records(context)
    # Another number was the default before.
    context.view.refresh_now()


async def assign_ddi(context: Context) -> None:
    """Choose a subscriber, and assign the DDI number under the cursor."""
    ddi, path = _record(context), _path(context)
    text = _number(ddi)
    subscriber = await _choose_subscriber(context, _("Subscriber for {text}").format(text=text), path)
    if subscriber is not None:
        await _assign_number(context, path, path["phoneNumberId"], text, subscriber)


async def assign_device(context: Context) -> None:
    """Choose a subscriber, and assign the device under the cursor."""
    device, path = _record(context), _path(context)
    text = str(device.get("description") or device.get("macAddress") or device.get("id"))
    subscriber = await _choose_subscriber(context, _("Subscriber for {text}").format(text=text), path)
    if subscriber is not None:
        await _assign_device(context, {**path, "phoneNumberId": str(subscriber.get("id"))}, device, subscriber)


async def _choose_subscriber(context: Context, title: str, path: Mapping[str, str]) -> RecordData | None:
    """Choose a subscriber, searched by the beginning of name or number; None when cancelled."""
    known: dict[str, RecordData] = {}

    async def search(text: str) -> Sequence[Choice]:
        asked = {"shortNumber" if text.isdecimal() else "name": text, "limit": _SHOWN} if text else {"limit": _SHOWN}
        found = await _rows(context, "list_system_phone_numbers", path, asked)
        known.update((str(each.get("userId")), each) for each in found)
        return [_subscriber(each) for each in found]

    chosen = await context.stage.ask(Picker(title, search=search))
    return known[chosen] if chosen is not None else None


def _subscriber(subscriber: RecordData) -> Choice:
    detail = "  ".join(str(subscriber[wire]) for wire in ("shortNumber", "externalNumber") if subscriber.get(wire))
    return Choice(str(subscriber.get("userId")), str(subscriber.get("names") or "?"), detail)


async def unassign_ddi(context: Context) -> None:
    """Unassign the DDI number under the cursor from its subscriber."""
    ddi = _record(context)
    await _send(
        context,
        Change(
            label=_("Unassign {number}").format(number=_number(ddi)),
            operation="unassign_ddi_from_user",
            path={**_path(context), "userId": str(ddi.get("userId"))},
            reach=_("Affects 1 DDI number and 1 subscriber: {names}.").format(names=ddi.get("names")),
            warning=_("The subscriber's next number, if any, becomes the main number."),
        ),
        _("Unassigned {number}.").format(number=_number(ddi)),
    )


def _number(ddi: RecordData) -> str:
    return written(str(ddi.get("numberE164") or ""), ddi.get("country"))


def _record(context: Context) -> RecordData:
    return context.require_record()


def _path(context: Context) -> dict[str, str]:
    resource = context.require_resource()
    return resource.path_at(context.view.place, context.workspace.caller, resource.record_id(_record(context)))


async def _rows(context: Context, operation_id: str, path: Mapping[str, str], query: RecordData) -> list[RecordData]:
    body = await context.workspace.read(operation_id, path, query)
    return list(body.get("data") or ()) if isinstance(body, dict) else []


async def _send(context: Context, change: Change, done: str) -> None:
    """Preview and send; then refresh the view, because more than one record has changed."""
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.view.refresh_now()
        context.stage.show_message(done, "ok")
