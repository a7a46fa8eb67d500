"""Subscribers of a CloudPBX, their SIP devices and registrations: columns, related lists, actions (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.voice import (
    assignments,
    bulk_create,
    ddi_order,
    expansion_modules,
    phone_setup,
    subscriber_options,
)
from svc_tui.console.areas.voice import cloudpbx_actions as cloudpbx
from svc_tui.console.areas.voice.resources import DDIS, DEVICES, OF_PBX, STATUSES, SUBSCRIBERS, dependents_of, number
from svc_tui.console.areas.voice.summaries import model_of
from svc_tui.console.core.actions import LIST, RECORDS, Action
from svc_tui.console.core.resource import Context, Deletion, Display, Editing, Placement, RelatedList, Resource
from svc_tui.console.widgets.formatting import day, written
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.voice import calls

if TYPE_CHECKING:
    from svc_tui.console.core.choice import ChoiceLimits

#: The registrations of one device.
DEVICE_ONLINE = "deviceregistrations"
#: Recorded calls.
RECORDED = {
    "all": ("all", "accent"),
    "external_only": ("external", "accent"),
    "internal_only": ("internal", "accent"),
    "none": ("none", "dim"),
}


#: Whether a record is online; empty while that is not known.
ONLINE = {"yes": ("online", "ok"), "no": ("offline", "dim"), "": ("", "")}


async def _registered(operation: str, workspace: Any, path: Mapping[str, str]) -> str:
    now = datetime.fromtimestamp(workspace.now(), UTC)
    return "yes" if await calls.registrations(workspace, operation, path, now) else "no"


def _online_column(operation: str) -> Column:
    return Column(field="online", title="ONLINE", width=7, state=ONLINE, looks_up=partial(_registered, operation))


async def _free_number(context: Context) -> Mapping[str, Any]:
    return await assignments.free_number(context)


async def _narrows(context: Context, wire: str) -> ChoiceLimits | None:
    return await assignments.extension_choices(context) if wire == "userId" else None


SUBSCRIBERS_RESOURCE = Resource(
    kind=KINDS[SUBSCRIBERS],
    title="Subscribers",
    singular="subscriber",
    aliases=("subscriber", "extensions"),
    known_as=("extension", "internal number", "phone number", "call forwarding", "voicemail"),
    label_field="names",
    display=Display(
        columns=(
            Column(field="shortNumber", title="NUMBER", width=8, sort_field="shortNumber"),
            Column(field="names", title="NAME", width=18, flex=3, sort_field="names"),
            Column(field="externalNumber", title="DDI NUMBER", width=17, format=number, sort_field="externalNumber"),
            _online_column("list_subscriber_registrations"),
            Column(
                field="recordingProfile",
                title="RECORDED",
                width=8,
                state=RECORDED,
                sort_field="recordingProfile",
                priority=1,
            ),
            Column(field="status", title="STATUS", width=12, state=STATUSES, sort_field="status", priority=2),
            Column(field="creationDate", title="CREATED", width=10, format=day, sort_field="creationDate", priority=3),
        ),
    ),
    sort="shortNumber",
    create="create_subscriber",
    delete="delete_subscriber",
    deletion=Deletion(consequences=dependents_of, set_since=subscriber_options.set_since),
    placement=Placement(
        path=OF_PBX,
    ),
    editing=Editing(
        begins=_free_number,
        narrows=_narrows,
        not_alike=frozenset({"userId", "shortNumber", "password", "login"}),
        alike=subscriber_options.alike,
    ),
    related=(
        RelatedList("D", DEVICES, "Devices"),
        RelatedList("O", "registrations", "Online", help=_("Devices of this subscriber that are online")),
        RelatedList("R", "recordings", "Recordings"),
    ),
)


def _model(value: Any, record: RecordData) -> str:
    return model_of(value)


def _holder(value: Any, record: RecordData) -> str:
    """The subscriber of a device."""
    return " ".join(str(part) for part in (record.get("shortNumber"), value) if part) or _("free")


DEVICES_RESOURCE = Resource(
    kind=KINDS[DEVICES],
    title="SIP devices",
    singular="device",
    aliases=("devices", "device", "phones"),
    known_as=("telephone", "desk phone", "handset", "MAC address"),
    label_field="description",
    display=Display(
        columns=(
            Column(field="description", title="DESCRIPTION", width=20, flex=3, sort_field="description"),
            Column(
                field="userDisplayName", title="SUBSCRIBER", width=18, flex=2, format=_holder, sort_field="shortNumber"
            ),
            _online_column("list_sip_device_registrations"),
            Column(field="macAddress", title="MAC ADDRESS", width=17, sort_field="macAddress"),
            Column(
                field="deviceType",
                title="MODEL",
                width=16,
                format=_model,
                sort_field="deviceType",
                priority=1,
                exported=("deviceType.vendor", "deviceType.model"),
            ),
        ),
    ),
    sort="description",
    create="create_sip_device",
    update="update_sip_device",
    delete="delete_sip_device",
    deletion=Deletion(consequences=dependents_of),
    placement=Placement(
        path=OF_PBX,
        parents={SUBSCRIBERS: "phoneNumberId"},
    ),
    related=(RelatedList("O", DEVICE_ONLINE, "Online", help=_("Whether this device is online, and from where")),),
)


def _moment(value: Any, record: RecordData) -> str:
    return written(value)


REGISTRATIONS = Resource(
    kind=KINDS["registrations"],
    title="Registrations",
    singular="registration",
    aliases=("online",),
    label_field="user_agent",
    display=Display(
        columns=(
            Column(field="user_agent", title="DEVICE", width=20, flex=2),
            Column(field="publicSourceRegistration", title="FROM", width=16, flex=1),
            Column(field="expirationDate", title="UNTIL", width=16, format=_moment),
            Column(field="fullSipURI", title="ADDRESS", width=20, flex=2, priority=1),
        ),
    ),
    placement=Placement(
        path={**OF_PBX, "phoneNumberId": SUBSCRIBERS},
    ),
)
DEVICE_REGISTRATIONS = replace(
    REGISTRATIONS,
    kind=KINDS[DEVICE_ONLINE],
    title=_("Device registrations"),
    aliases=(),
    placement=Placement(path={**OF_PBX, "deviceId": DEVICES}),
)


RESOURCES = (SUBSCRIBERS_RESOURCE, DEVICES_RESOURCE, REGISTRATIONS, DEVICE_REGISTRATIONS)

ACTIONS: tuple[Action, ...] = (
    cloudpbx.TRY_AS_SUBSCRIBER,
    cloudpbx.use_their_value(SUBSCRIBERS),
    Action(
        name="subscribers.options",
        keys=("e",),
        label="Options",
        help="Edit the options of the subscriber, or of all marked ones: recording, voicemail and more",
        run=subscriber_options.edit_options,
        form_fields=subscriber_options.form_fields,
        group="Change",
        views=RECORDS,
        resource=SUBSCRIBERS,
        needs="records",
        footer=20,
    ),
    *(
        Action(
            name=f"{kind}.import",
            keys=("I",),
            label="Import",
            help="Give users extension, DDI number and device as a CSV or XLSX file says, with a dry run",
            run=bulk_create.create_from_file,
            group="Change",
            views=LIST,
            resource=kind,
            operation=operation,
        )
        for kind, operation in (
            (SUBSCRIBERS, "create_subscriber"),
            (DDIS, "assign_ddi_to_user"),
            (DEVICES, "create_sip_device"),
        )
    ),
    Action(
        name="users.telephony",
        keys=("E",),
        label="Set up telephony",
        help="Give the marked users licence, extension, DDI number and device in one table",
        run=phone_setup.set_up,
        group="Change",
        views=LIST,
        resource="users",
        operation="create_subscriber",
        needs="records",
    ),
    Action(
        name="ddis.range",
        keys=("N",),
        label="New range",
        help="Create DDI numbers: a range, a first number and a size, or a list",
        run=bulk_create.create_numbers,
        group="Change",
        views=LIST,
        resource=DDIS,
        operation="create_ddi_number",
        footer=31,
    ),
    Action(
        name="subscribers.device",
        keys=("A",),
        label="Assign device",
        help="Assign a free device, searched by MAC address or name",
        run=assignments.choose_device,
        group="Change",
        views=RECORDS,
        resource=SUBSCRIBERS,
        operation="assign_device_to_subscriber",
        needs="single",
        footer=35,
    ),
    Action(
        name="subscribers.number",
        keys=("N",),
        label="Assign number",
        help="Assign a free DDI number, as the main or a further number",
        run=assignments.choose_number,
        group="Change",
        views=RECORDS,
        resource=SUBSCRIBERS,
        operation="assign_ddi_to_user",
        needs="single",
    ),
    Action(
        name="subscribers.order",
        keys=("M",),
        label="Reorder numbers",
        help="Choose the main DDI number and the order of the others, or unassign some",
        run=ddi_order.order_numbers,
        group="Change",
        views=RECORDS,
        resource=SUBSCRIBERS,
        operation="assign_ddi_to_user",
        needs="single",
    ),
    Action(
        name="subscribers.recording",
        keys=("P",),
        label="Recording",
        help="Choose the calls to record for the subscriber",
        run=assignments.choose_recording,
        group="Change",
        views=RECORDS,
        resource=SUBSCRIBERS,
        operation="set_subscriber_recording_profile",
        needs="single",
    ),
    Action(
        name="sipdevices.give",
        keys=("A",),
        label="Assign",
        help="Assign the device to a subscriber",
        run=assignments.assign_device,
        group="Change",
        views=RECORDS,
        resource=DEVICES,
        operation="assign_device_to_subscriber",
        needs="single",
        possible=lambda c: _("already assigned") if c.record and c.record.get("phoneNumberId") else "",
        footer=34,
    ),
    Action(
        name="sipdevices.replace",
        keys=("Z",),
        label="Replace",
        help="Put another device in the place of this one, with its name and subscriber",
        run=assignments.replace_device,
        group="Change",
        views=RECORDS,
        resource=DEVICES,
        operation="update_sip_device",
        needs="single",
    ),
    Action(
        name="sipdevices.module",
        keys=("M",),
        label="Add module",
        help="Add an expansion module with its keys to a desk phone",
        run=expansion_modules.add_module,
        group="Change",
        views=RECORDS,
        resource=DEVICES,
        operation="add_sip_device_expansion_module",
        needs="single",
    ),
    Action(
        name="sipdevices.release",
        keys=("R",),
        label="Unassign",
        help="Unassign the device from its subscriber",
        run=assignments.unassign_device,
        group="Change",
        views=RECORDS,
        resource=DEVICES,
        operation="unassign_device_from_subscriber",
        needs="single",
        possible=lambda c: "" if c.record and c.record.get("phoneNumberId") else "not assigned",
        footer=35,
    ),
)
