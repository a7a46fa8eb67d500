"""SIP devices, their expansion modules and registrations: records and operations (2.15, 4.7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Literal

from svc_tui.interface.envelopes import Done, ListQuery, Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import CLOUDPBX, READ_VOICE, REFUSALS, WRITE_VOICE
from svc_tui.interface.voice.expansion_modules import MODULE_KEYS
from svc_tui.interface.voice.texts import Mac
from svc_tui.language import _

ModuleType = Literal["EM_20", "EM_200"]

_DESCRIPTION: dict[str, Any] = {"max_length": 255, "help": _("Name of the device")}
_MAC: dict[str, Any] = {"max_length": 64, "help": _("MAC address in any usual notation")}


class DeviceType(Record):
    """Vendor and model of a device."""

    id: str | None = field(None, help="Identifier of the model")
    vendor: str | None = None
    model: str | None = None


class DeviceModel(DeviceType):
    """A device model."""

    family: Literal["desk_phone", "dect", "generic"] | None = field(
        None, help="Product family; desk phones have a MAC address"
    )
    expansion_modules: list[ModuleType] | None = field(None, help="Supported expansion modules")


class ModuleKey(Record):
    """One key of an expansion module."""

    position: int = field(..., ge=1, le=max(MODULE_KEYS.values()), help="Position of the key, from 1")
    label: str | None = field(None, max_length=64, help="Label of the key", personal=True)
    number: str | None = field(None, max_length=64, help="Number that the key dials", personal=True)


class ExpansionModule(Record):
    """An expansion module; also the body that adds one."""

    type: ModuleType = field(..., help="Type of the module")
    keys: list[ModuleKey] | None = field(None, max_length=max(MODULE_KEYS.values()), unique="position", help="Its keys")


class Device(Record):
    """A SIP device."""

    ALWAYS: ClassVar = ("id", "systemId", "deviceType")
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier")
    description: str | None = field(None, **_DESCRIPTION, personal=True)
    mac_address: str | None = field(None, **_MAC, personal=True)
    device_type: DeviceType | None = field(None, help="Vendor and model")
    company_id: str | None = field(None, refers="companies", help="Company of the device")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the device")
    phone_number_id: str | None = field(None, refers="subscribers", help="Subscriber of the device")
    user_id: str | None = field(None, refers="users", named_by=("userDisplayName",), help="User of the device")
    short_number: str | None = field(None, help="Internal number of the subscriber", personal=True)
    user_display_name: str | None = field(None, help="Name of the user", personal=True)
    current_device: bool | None = field(None, help="Whether its subscriber currently uses this device")
    expansion_modules: list[ExpansionModule] | None = field(None, help="Its expansion modules")


class DeviceBody(Record):
    """A new device."""

    device_type_id: str = field(..., refers="devicemodels", help="Device model")
    description: str | None = field(None, **_DESCRIPTION)
    mac_address: Mac | None = field(None, **_MAC)


class DeviceUpdate(Record):
    """The update: the fields that change."""

    description: str | None = field(None, **_DESCRIPTION)
    mac_address: Mac | None = field(None, **_MAC)


class DeviceQuery(ListQuery):
    """Filters of the list of devices."""

    DEFAULT_SORT: ClassVar = "description"

    assigned: bool | None = field(None, filters=("phoneNumberId",), help="Assigned devices, or unassigned ones")
    phone_number_id: str | None = field(
        None, refers="subscribers", help="Devices of these subscribers, separated by spaces", several=str, between=" "
    )
    sort_field: str | None = field("description", help="Field to sort by")


class Registration(Record):
    """A registration of an online device."""

    ALWAYS: ClassVar = ("id",)
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier")
    full_sip_uri: str | None = field(None, wire="fullSipURI", help="SIP address of calls to the device", personal=True)
    expiration_date: datetime | None = field(None, ends=True, help="End of the registration unless it is renewed")
    user_agent: str | None = field(None, wire="user_agent", help="Software of the device")
    device_id: str | None = field(None, refers="sipdevices", help="Device")
    phone_number_id: str | None = field(None, refers="subscribers", help="Subscriber of the device")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the registration")
    public_source_registration: str | None = field(None, help="IP address of the device", personal=True)


_ALL = CLOUDPBX + "/devices"
_ONE = _ALL + "/{deviceId}"
_MAC_REFUSALS = (Code.MAC_USED, Code.DEVICE_ELSEWHERE)

list_sip_devices = Operation(
    "list_sip_devices",
    "4.7",
    "GET",
    _ALL,
    "List the SIP devices of a CloudPBX",
    Page[Device],
    READ_VOICE,
    query=DeviceQuery,
    refuses=REFUSALS,
)

create_sip_device = Operation(
    "create_sip_device",
    "4.7",
    "POST",
    _ALL,
    "Create a SIP device",
    Single[Device],
    WRITE_VOICE,
    body=DeviceBody,
    refuses=(*REFUSALS, *_MAC_REFUSALS),
    creates="sipdevices",
)

get_sip_device = Operation(
    "get_sip_device",
    "4.7",
    "GET",
    _ONE,
    "Get a SIP device",
    Single[Device],
    READ_VOICE,
    refuses=REFUSALS,
)

update_sip_device = Operation(
    "update_sip_device",
    "4.7",
    "PUT",
    _ONE,
    "Update a SIP device",
    Single[Device],
    WRITE_VOICE,
    body=DeviceUpdate,
    refuses=(*REFUSALS, *_MAC_REFUSALS, Code.NOTHING_TO_UPDATE),
    updates="sipdevices",
)

delete_sip_device = Operation(
    "delete_sip_device",
    "4.7",
    "DELETE",
    _ONE,
    "Delete an unassigned SIP device",
    Done,
    WRITE_VOICE,
    refuses=(*REFUSALS, Code.DEVICE_ASSIGNED),
    deletes="sipdevices",
)

list_sip_device_registrations = Operation(
    "list_sip_device_registrations",
    "4.7",
    "GET",
    _ONE + "/registrations",
    "List the registrations of a device",
    Plain[Registration],
    READ_VOICE,
    refuses=REFUSALS,
)

add_sip_device_expansion_module = Operation(
    "add_sip_device_expansion_module",
    "4.7",
    "POST",
    _ONE + "/expansion-modules",
    "Add an expansion module to a desk phone",
    Single[Device],
    WRITE_VOICE,
    body=ExpansionModule,
    refuses=REFUSALS,
    updates="sipdevices",
)

__all__ = [
    "Device",
    "DeviceBody",
    "DeviceModel",
    "DeviceQuery",
    "DeviceType",
    "DeviceUpdate",
    "ExpansionModule",
    "ModuleKey",
    "ModuleType",
    "Registration",
    "add_sip_device_expansion_module",
    "create_sip_device",
    "delete_sip_device",
    "get_sip_device",
    "list_sip_device_registrations",
    "list_sip_devices",
    "update_sip_device",
]
