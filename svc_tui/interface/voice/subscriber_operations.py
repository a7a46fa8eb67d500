"""The operations on subscribers, their devices and their options (4.7)."""

from __future__ import annotations

from typing import ClassVar

from svc_tui.interface.envelopes import Done, ListQuery, Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import (
    READ_OWN_EXTENSION,
    READ_VOICE,
    RECORDING,
    REFUSALS,
    SUBSCRIBER,
    SUBSCRIBERS,
    WRITE_VOICE,
)
from svc_tui.interface.voice.devices import Device, Registration
from svc_tui.interface.voice.subscribers import (
    Overflow,
    OverflowBody,
    OwnBargeBody,
    OwnBargeOptions,
    OwnBarring,
    OwnCallForward,
    OwnCliOptions,
    PhoneNumberQuery,
    PstnDeviceOptions,
    RecordingChoice,
    SipHeaders,
    Subscriber,
    SubscriberBody,
    SubscriberQuery,
)
from svc_tui.interface.voice.texts import Mac


class SubscriberDeviceQuery(ListQuery):
    """The order of a list of devices."""

    DEFAULT_SORT: ClassVar = "shortNumber"

    sort_field: str | None = field("shortNumber", help="Field to sort by")


class DeviceAssignment(Record):
    """The assignment of an existing device, by its id, or by MAC address and model."""

    device_id: str | None = field(None, refers="sipdevices", help="Device")
    mac_address: Mac | None = field(None, max_length=64, help="MAC address in any usual notation")
    device_type_id: str | None = field(None, refers="devicemodels", help="Device model, with the MAC address")


_DEVICES = SUBSCRIBER + "/devices"
_DEVICE = _DEVICES + "/{deviceId}"
_BARGE = SUBSCRIBER + "/barge-options"
_PSTN = SUBSCRIBER + "/pstn-device-options"
_HEADERS = SUBSCRIBER + "/sip-headers"
_OVERFLOW = SUBSCRIBER + "/overflow"
_CHANGES = (*REFUSALS, Code.NOTHING_TO_UPDATE)

list_subscribers = Operation(
    "list_subscribers",
    "4.7",
    "GET",
    SUBSCRIBERS,
    "List the subscribers of a CloudPBX",
    Page[Subscriber],
    READ_VOICE,
    query=SubscriberQuery,
    refuses=REFUSALS,
)

list_system_phone_numbers = Operation(
    "list_system_phone_numbers",
    "4.7",
    "GET",
    "/api/svc/admin/v1.0/systems/{systemId}/phone-numbers",
    "Search the extensions of a system by number, name or device",
    Page[Subscriber],
    READ_VOICE,
    query=PhoneNumberQuery,
    refuses=REFUSALS,
)

create_subscriber = Operation(
    "create_subscriber",
    "4.7",
    "POST",
    SUBSCRIBERS,
    "Create a subscriber: an extension for a user",
    Single[Subscriber],
    WRITE_VOICE,
    body=SubscriberBody,
    refuses=(*REFUSALS, Code.NO_VOICE_LICENCE, Code.INTERNAL_NUMBER_USED, Code.ALREADY_EXISTS),
    creates="subscribers",
)

get_subscriber = Operation(
    "get_subscriber",
    "4.7",
    "GET",
    SUBSCRIBER,
    "Get a subscriber",
    Single[Subscriber],
    READ_VOICE,
    refuses=REFUSALS,
)

delete_subscriber = Operation(
    "delete_subscriber",
    "4.7",
    "DELETE",
    SUBSCRIBER,
    "Delete a subscriber; its devices and DDI numbers become unassigned",
    Done,
    WRITE_VOICE,
    refuses=(*REFUSALS, Code.USER_IN_WELCOME),
    deletes="subscribers",
)

assign_device_to_subscriber = Operation(
    "assign_device_to_subscriber",
    "4.7",
    "POST",
    _DEVICES,
    "Assign a device to a subscriber",
    Single[Device],
    WRITE_VOICE,
    body=DeviceAssignment,
    refuses=(*REFUSALS, Code.DEVICE_TAKEN),
    updates="subscribers",
)

list_subscriber_devices = Operation(
    "list_subscriber_devices",
    "4.7",
    "GET",
    _DEVICES,
    "List the devices of a subscriber",
    Page[Device],
    READ_VOICE,
    query=SubscriberDeviceQuery,
    refuses=REFUSALS,
)

get_subscriber_device = Operation(
    "get_subscriber_device",
    "4.7",
    "GET",
    _DEVICE,
    "Get a device of a subscriber",
    Single[Device],
    READ_VOICE,
    refuses=REFUSALS,
)

unassign_device_from_subscriber = Operation(
    "unassign_device_from_subscriber",
    "4.7",
    "DELETE",
    _DEVICE,
    "Unassign a device from a subscriber",
    Done,
    WRITE_VOICE,
    refuses=REFUSALS,
    updates="subscribers",
)

list_subscriber_registrations = Operation(
    "list_subscriber_registrations",
    "4.7",
    "GET",
    SUBSCRIBER + "/registrations",
    "List the registrations of a subscriber's devices",
    Plain[Registration],
    READ_VOICE,
    refuses=REFUSALS,
)

get_subscriber_cli_options = Operation(
    "get_subscriber_cli_options",
    "4.7",
    "GET",
    SUBSCRIBER + "/cli-options",
    "Get the number that callees of a subscriber see",
    Single[OwnCliOptions],
    READ_VOICE,
    refuses=REFUSALS,
)

get_subscriber_pstn_device_options = Operation(
    "get_subscriber_pstn_device_options",
    "4.7",
    "GET",
    _PSTN,
    "Get the external number that rings too",
    Single[PstnDeviceOptions],
    READ_VOICE,
    refuses=REFUSALS,
)

update_subscriber_pstn_device_options = Operation(
    "update_subscriber_pstn_device_options",
    "4.7",
    "PUT",
    _PSTN,
    "Update the external number that rings too",
    Single[PstnDeviceOptions],
    WRITE_VOICE,
    body=PstnDeviceOptions,
    refuses=(*REFUSALS, Code.INVALID_NUMBER),
    updates="subscribers",
)

get_subscriber_sip_headers = Operation(
    "get_subscriber_sip_headers",
    "4.7",
    "GET",
    _HEADERS,
    "Get the SIP headers of a subscriber's calls",
    Single[SipHeaders],
    READ_VOICE,
    refuses=REFUSALS,
)

update_subscriber_sip_headers = Operation(
    "update_subscriber_sip_headers",
    "4.7",
    "PUT",
    _HEADERS,
    "Update the SIP headers of a subscriber's calls",
    Single[SipHeaders],
    WRITE_VOICE,
    body=SipHeaders,
    refuses=_CHANGES,
    updates="subscribers",
)

get_subscriber_barge_options = Operation(
    "get_subscriber_barge_options",
    "4.7",
    "GET",
    _BARGE,
    "Get whether attendants may join a subscriber's calls",
    Single[OwnBargeOptions],
    READ_VOICE,
    refuses=REFUSALS,
)

update_subscriber_barge_options = Operation(
    "update_subscriber_barge_options",
    "4.7",
    "PUT",
    _BARGE,
    "Update whether attendants may join a subscriber's calls",
    Single[OwnBargeOptions],
    WRITE_VOICE,
    body=OwnBargeBody,
    refuses=REFUSALS,
    updates="subscribers",
)

update_subscriber_barring = Operation(
    "update_subscriber_barring",
    "4.7",
    "PUT",
    SUBSCRIBER + "/barring-options",
    "Update the calls that a subscriber may make",
    Single[OwnBarring],
    WRITE_VOICE,
    body=OwnBarring,
    refuses=_CHANGES,
    updates="subscribers",
)

update_subscriber_call_forward = Operation(
    "update_subscriber_call_forward",
    "4.7",
    "PUT",
    SUBSCRIBER + "/call-forward-options",
    "Update whether a subscriber may forward calls to external numbers",
    Single[OwnCallForward],
    WRITE_VOICE,
    body=OwnCallForward,
    refuses=REFUSALS,
    updates="subscribers",
)

get_subscriber_overflow = Operation(
    "get_subscriber_overflow",
    "4.7",
    "GET",
    _OVERFLOW,
    "Get the overflow of a subscriber's calls to voicemail",
    Single[Overflow],
    READ_VOICE,
    refuses=REFUSALS,
)

update_subscriber_overflow = Operation(
    "update_subscriber_overflow",
    "4.7",
    "PUT",
    _OVERFLOW,
    "Update the overflow of a subscriber's calls to voicemail",
    Single[Overflow],
    WRITE_VOICE,
    body=OverflowBody,
    refuses=REFUSALS,
    updates="subscribers",
)

get_subscriber_overflow_status = Operation(
    "get_subscriber_overflow_status",
    "4.7",
    "GET",
    _OVERFLOW + "/status",
    "Get whether calls currently go to voicemail",
    Single[Overflow],
    READ_OWN_EXTENSION,
    refuses=REFUSALS,
)

set_subscriber_recording_profile = Operation(
    "set_subscriber_recording_profile",
    "4.7",
    "PUT",
    SUBSCRIBER + "/recordings",
    "Update which calls of a subscriber are recorded",
    Single[RecordingChoice],
    RECORDING,
    body=RecordingChoice,
    refuses=REFUSALS,
    updates="subscribers",
)

__all__ = [
    "DeviceAssignment",
    "SubscriberDeviceQuery",
    "assign_device_to_subscriber",
    "create_subscriber",
    "delete_subscriber",
    "get_subscriber",
    "get_subscriber_barge_options",
    "get_subscriber_cli_options",
    "get_subscriber_device",
    "get_subscriber_overflow",
    "get_subscriber_overflow_status",
    "get_subscriber_pstn_device_options",
    "get_subscriber_sip_headers",
    "list_subscriber_devices",
    "list_subscriber_registrations",
    "list_subscribers",
    "list_system_phone_numbers",
    "set_subscriber_recording_profile",
    "unassign_device_from_subscriber",
    "update_subscriber_barge_options",
    "update_subscriber_barring",
    "update_subscriber_call_forward",
    "update_subscriber_overflow",
    "update_subscriber_pstn_device_options",
    "update_subscriber_sip_headers",
]
