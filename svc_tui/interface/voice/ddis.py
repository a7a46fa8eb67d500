"""DDI numbers, which are called from outside: their record and the operations on them (2.15, 4.7)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from svc_tui.interface.envelopes import Done, ListQuery, Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record, field
from svc_tui.interface.voice.access import CLOUDPBX, READ_VOICE, REFUSALS, WRITE_VOICE


class SecondaryDdi(Record):
    """A number that somebody has beside his main one."""

    phone_number_id: str | None = field(None, refers="ddis", help="The DDI number")
    number_e164: str | None = field(None, wire="numberE164", help="The number itself")


class DdiNumber(Record):
    """A DDI number as it is read."""

    NEVER: ClassVar = ("jid_password",)

    id: str | None = field(None, help="Identifier")
    number: str | None = field(None, help="The number as it was entered")
    number_e164: str | None = field(None, wire="numberE164", help="The number with its country in front")
    country: str | None = field(None, help="Country of the number")
    system_id: str | None = field(None, refers="cloudpbxs", help="The CloudPBX it belongs to")
    external_trunk_id: str | None = field(None, refers="externaltrunks", help="The trunk that it comes in by")
    type: str | None = field(None, help="Kind of number")
    device_type: str | None = field(None, help="Kind of device behind it")
    device_name: str | None = field(None, help="Name of what it rings")
    is_from_system: bool | None = field(None, help="Whether it belongs to a system")
    is_monitored: bool | None = field(None, help="Whether the state of its line is followed")
    is_cloud_pbx_ddi: bool | None = field(None, wire="isCloudPbxDDI", help="Whether it is a DDI of a CloudPBX")
    is_cloud_pbx_default: bool | None = field(None, help="Whether it is the company's number")
    user_id: str | None = field(None, refers="users", help="The user who has it")
    first_name: str | None = field(None, help="First name of that user")
    last_name: str | None = field(None, help="Last name of that user")
    names: str | None = field(None, help="Who or what has it")
    ivr_id: str | None = field(None, refers="welcomeservices", help="The welcome service that has it")
    is_assigned_as_secondary_cloud_pbx_ddi: bool | None = field(
        None, wire="isAssignedAsSecondaryCloudPbxDDI", help="Whether it is a further number of who has it"
    )
    secondary_ddi_order: int | None = field(None, help="Which of the further numbers it is, from 1")
    creation_date: datetime | None = field(None, help="When it was created")
    jid_im: str | None = field(None, wire="jid_im", help="Messaging address")
    jid_tel: str | None = field(None, wire="jid_tel", help="Messaging address of the telephone")
    jid_password: str | None = field(None, wire="jid_password", secret=True)


class DdiBody(Record):
    """Body of the creation."""

    number: str = field(
        ..., min_length=1, max_length=64, help="The number as it is usually written, in the country of the CloudPBX"
    )


class DdiQuery(ListQuery):
    """Filters of the list of DDI numbers."""

    DEFAULT_SORT: ClassVar = "number"

    is_assigned: bool | None = field(None, help="Those that somebody has, or the free ones")
    is_assigned_to_user: bool | None = field(None, help="Those that a user has")
    is_assigned_to_group: bool | None = field(None, help="Those that a group has")
    is_assigned_to_ivr: bool | None = field(None, wire="isAssignedToIVR", help="Those that a welcome service has")
    is_assigned_to_auto_attendant: bool | None = field(None, help="Those that an automatic attendant has")
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
    "DDI numbers of a CloudPBX",
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
)

get_ddi_number = Operation(
    "get_ddi_number",
    "4.7",
    "GET",
    _ONE,
    "One DDI number",
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
)

toggle_default_ddi = Operation(
    "toggle_default_ddi",
    "4.7",
    "POST",
    CLOUDPBX + "/sites/{siteId}/phone-numbers/ddi/{phoneNumberId}/default",
    "Make a DDI number the default, or stop that",
    Single[DdiNumber],
    WRITE_VOICE,
    refuses=REFUSALS,
)

set_default_ddi = Operation(
    "set_default_ddi",
    "4.7",
    "POST",
    _ONE + "/default",
    "Make a DDI number the default, or stop that",
    Single[DdiNumber],
    WRITE_VOICE,
    refuses=REFUSALS,
)

assign_ddi_to_user = Operation(
    "assign_ddi_to_user",
    "4.7",
    "POST",
    _USER,
    "Give a DDI number to a user: the first is his main one, further ones follow in order",
    Single[DdiNumber],
    WRITE_VOICE,
    refuses=(*REFUSALS, Code.ALREADY_EXISTS),
)

unassign_ddi_from_user = Operation(
    "unassign_ddi_from_user",
    "4.7",
    "DELETE",
    _USER,
    "Take a DDI number from a user; the next one becomes his main one",
    Done,
    WRITE_VOICE,
    refuses=REFUSALS,
)

list_free_internal_numbers = Operation(
    "list_free_internal_numbers",
    "4.7",
    "GET",
    _NUMBERS + "/free",
    "Internal numbers that nobody has, the first thousand",
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
