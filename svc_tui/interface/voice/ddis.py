"""DDI numbers, which external callers dial: their record and their operations (2.15, 4.7)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.envelopes import Done, ListQuery, Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import CLOUDPBX, READ_VOICE, REFUSALS, WRITE_VOICE


class SecondaryDdi(Record):
    """A further number of a subscriber or welcome service, in addition to the main one."""

    phone_number_id: str | None = field(None, label="DDI number", refers="ddis", help="Identifier of the DDI number")
    number_e164: str | None = field(None, wire="numberE164", help="Number in E.164", personal=True)


class DdiNumber(Record):
    """A DDI number."""

    ALWAYS: ClassVar = ("id", "number", "systemId")
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier")
    number: str | None = field(None, help="Number as it was entered", personal=True)
    number_e164: str | None = field(
        None, wire="numberE164", help="Number in E.164, with its country code", personal=True
    )
    country: str | None = field(None, codes=COUNTRIES, help="Country of the number")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the number")
    external_trunk_id: str | None = field(None, refers="externaltrunks", help="Trunk of incoming calls")
    type: str | None = field(None, help="Type of number")
    device_type: str | None = field(None, help="Type of device that rings")
    device_name: str | None = field(None, help="Name of the device that rings", personal=True)
    is_from_system: bool | None = field(None, help="Whether it belongs to a system")
    is_monitored: bool | None = field(None, help="Whether the state of its line is monitored")
    is_cloud_pbx_ddi: bool | None = field(None, wire="isCloudPbxDDI", help="Whether it is a DDI number of a CloudPBX")
    is_cloud_pbx_default: bool | None = field(None, help="Whether it is the company's default number")
    user_id: str | None = field(None, refers="users", help="User of the number")
    first_name: str | None = field(None, help="First name of the user", personal=True)
    last_name: str | None = field(None, help="Last name of the user", personal=True)
    names: str | None = field(None, help="Name of the holder", personal=True)
    ivr_id: str | None = field(None, refers="welcomeservices", help="Welcome service of the number")
    is_assigned_as_secondary_cloud_pbx_ddi: bool | None = field(
        None, wire="isAssignedAsSecondaryCloudPbxDDI", help="Whether it is a further number of its holder"
    )
    secondary_ddi_order: int | None = field(None, help="Position among the further numbers, from 1")
    creation_date: datetime | None = field(None, help="Creation date")
    jid_im: str | None = field(None, wire="jid_im", help="Messaging address", personal=True)
    jid_tel: str | None = field(None, wire="jid_tel", help="Messaging address of the telephone", personal=True)
    jid_password: str | None = field(
        None, wire="jid_password", secret=True, readers=WRITE_VOICE, only_in=("get_ddi_number",)
    )


class DdiBody(Record):
    """A new DDI number."""

    number: str = field(..., min_length=1, max_length=64, help="Number in any usual notation of the CloudPBX's country")


class DdiQuery(ListQuery):
    """Filters of the list of DDI numbers."""

    DEFAULT_SORT: ClassVar = "number"

    is_assigned: bool | None = field(None, filters=("userId", "ivrId"), help="Assigned numbers, or unassigned ones")
    is_assigned_to_user: bool | None = field(None, filters=("userId",), help="Numbers of users")
    is_assigned_to_group: bool | None = field(None, help="Numbers of groups")
    is_assigned_to_ivr: bool | None = field(
        None, filters=("ivrId",), wire="isAssignedToIVR", help="Numbers of welcome services"
    )
    is_assigned_to_auto_attendant: bool | None = field(None, help="Numbers of automatic attendants")
    sort_field: str | None = field("number", help="Field to sort by")


_NUMBERS = CLOUDPBX + "/phone-numbers"
_ALL = _NUMBERS + "/ddi"
_ONE = _ALL + "/{phoneNumberId}"
_USER = _ONE + "/users/{userId}"

list_ddi_numbers = Operation(
    "list_ddi_numbers",
    "4.7",
    "GET",
    _ALL,
    "List the DDI numbers of a CloudPBX",
    Page[DdiNumber],
    READ_VOICE,
    query=DdiQuery,
    refuses=REFUSALS,
)

create_ddi_number = Operation(
    "create_ddi_number",
    "4.7",
    "POST",
    _ALL,
    "Create a DDI number",
    Single[DdiNumber],
    WRITE_VOICE,
    body=DdiBody,
    refuses=(*REFUSALS, Code.INVALID_NUMBER, Code.DDI_ELSEWHERE, Code.DDI_EXISTS),
    creates="ddis",
)

get_ddi_number = Operation(
    "get_ddi_number",
    "4.7",
    "GET",
    _ONE,
    "Get a DDI number",
    Single[DdiNumber],
    READ_VOICE,
    refuses=REFUSALS,
)

delete_ddi_number = Operation(
    "delete_ddi_number",
    "4.7",
    "DELETE",
    _ONE,
    "Delete a DDI number; the default one only when it is the last",
    Done,
    WRITE_VOICE,
    refuses=(*REFUSALS, Code.DEFAULT_DDI),
    deletes="ddis",
)

toggle_default_ddi = Operation(
    "toggle_default_ddi",
    "4.7",
    "POST",
    CLOUDPBX + "/sites/{siteId}/phone-numbers/ddi/{phoneNumberId}/default",
    "Make a DDI number the default, or unset it",
    Single[DdiNumber],
    WRITE_VOICE,
    refuses=REFUSALS,
    updates="ddis",
)

set_default_ddi = Operation(
    "set_default_ddi",
    "4.7",
    "POST",
    _ONE + "/default",
    "Make a DDI number the default, or unset it",
    Single[DdiNumber],
    WRITE_VOICE,
    refuses=REFUSALS,
    updates="ddis",
)

assign_ddi_to_user = Operation(
    "assign_ddi_to_user",
    "4.7",
    "POST",
    _USER,
    "Assign a DDI number to a user: the first is the main one, further ones follow in order",
    Single[DdiNumber],
    WRITE_VOICE,
    refuses=(*REFUSALS, Code.ALREADY_EXISTS),
    updates="ddis",
)

unassign_ddi_from_user = Operation(
    "unassign_ddi_from_user",
    "4.7",
    "DELETE",
    _USER,
    "Unassign a DDI number from a user; the next one becomes the main one",
    Done,
    WRITE_VOICE,
    refuses=REFUSALS,
    updates="ddis",
)

list_free_internal_numbers = Operation(
    "list_free_internal_numbers",
    "4.7",
    "GET",
    _NUMBERS + "/free",
    "List unassigned internal numbers, at most a thousand",
    Plain[str],
    READ_VOICE,
    refuses=REFUSALS,
)

__all__ = [
    "DdiBody",
    "DdiNumber",
    "DdiQuery",
    "SecondaryDdi",
    "assign_ddi_to_user",
    "create_ddi_number",
    "delete_ddi_number",
    "get_ddi_number",
    "list_ddi_numbers",
    "list_free_internal_numbers",
    "set_default_ddi",
    "toggle_default_ddi",
    "unassign_ddi_from_user",
]
