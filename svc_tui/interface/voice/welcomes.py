"""Welcome services, which answer calls to a number: records and operations (2.17, 4.7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Literal

from svc_tui.interface.envelopes import Done, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import Needs, field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import CLOUDPBX, READ_VOICE, REFUSALS, WRITE_VOICE
from svc_tui.interface.voice.ddis import SecondaryDdi
from svc_tui.interface.voice.office_hours import NamedQuery
from svc_tui.language import _

OverflowType = Literal["user", "group", "auto_attendant", "closed_hours", "office_hours", "number"]
OVERFLOW_TYPES: dict[str, str] = {
    "user": _("to a user"),
    "group": _("to a group"),
    "auto_attendant": _("to an automatic attendant"),
    "closed_hours": _("as in closed hours"),
    "office_hours": _("as in office hours"),
    "number": _("to a number"),
}
ManualModeValue = Literal["default", "open", "closed"]

_CALLS, _NUMBERS, _HOURS = _("Where calls go"), "Numbers", "Hours"


class OverflowTarget(Record):
    """The destination of calls: a type, and the user, group, attendant or number that it requires."""

    type: OverflowType = field(..., choices=OVERFLOW_TYPES, help="Type of destination")
    destination_id: str | None = field(
        None,
        needs=Needs("type", ("user", "group", "auto_attendant")),
        picks_by=("type", {"user": "extensions", "auto_attendant": "attendants"}),
        named_by=("userDisplayName", "name"),
        help="User, attendant, or the ID of a group",
    )
    to_voicemail: bool | None = field(
        None, needs=Needs("type", "user"), help="Whether calls go to the user's voicemail"
    )


class ClosedOverflowTarget(OverflowTarget):
    """The destination of calls in closed hours, which may also be a number."""

    number: str | None = field(None, max_length=64, needs=Needs("type", "number"), help="Internal or external number")


class OverflowShown(Record):
    """The destination of calls with its name, in responses."""

    type: str | None = field(None, choices=OVERFLOW_TYPES, help="Type of destination")
    destination_id: str | None = field(None, named_by=("userDisplayName", "name"), help="User, group or attendant")
    name: str | None = field(None, help="Name of the user, group or attendant", personal=True)
    number: str | None = field(None, help="Number", personal=True)
    to_voicemail: bool | None = field(None, help="Whether calls go to the user's voicemail")
    user_display_name: str | None = field(None, help="Name of the user", personal=True)
    user_id: str | None = field(None, refers="users", named_by=("userDisplayName",), help="User")


class ManualMode(Record):
    """The manual mode: open or closed, independent of the hours."""

    mode: ManualModeValue | None = field(
        None,
        choices={"default": "by the hours", "open": "open by hand", "closed": "closed by hand"},
        help="Mode in effect",
    )
    start_date: datetime | None = field(None, help="Start; empty means now")
    end_date: datetime | None = field(None, ends=True, help="End; empty means until it is changed by hand")


class ServiceManualMode(ManualMode):
    """The manual mode of one of several welcome services."""

    id: str | None = field(None, refers="welcomeservices")
    name: str | None = None


class WelcomeService(Record):
    """A welcome service."""

    ALWAYS: ClassVar = ("id", "name", "systemId")
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the welcome service")
    name: str | None = field(None, help="Name of the welcome service")
    state: str | None = field(None, help="Current state: open or closed")
    phone_number_id: str | None = field(None, label="Extension ID", help="Identifier of its extension")
    external_number: str | None = field(None, group=_NUMBERS, help="Main DDI number", personal=True)
    external_number_id: str | None = field(
        None, refers="ddis", group=_NUMBERS, help="Identifier of the main DDI number"
    )
    secondary_ddis: list[SecondaryDdi] | None = field(
        None, wire="secondaryDDIs", group=_NUMBERS, help="Further DDI numbers, in their order"
    )
    timezone: str | None = field(None, group=_HOURS, help="Time zone of its hours")
    company_calendar_id: str | None = field(
        None, refers="officehours", named_by=("companyCalendarName",), group=_HOURS, help="Calendar of its hours"
    )
    company_calendar_name: str | None = field(None, group=_HOURS, help="Name of the calendar")
    manual_mode: ManualMode | None = field(None, group=_HOURS, help="Open or closed, independent of the hours")
    welcome_services_manual_mode: list[ServiceManualMode] | None = field(
        None, group=_HOURS, help="Manual modes of all welcome services with this calendar"
    )
    open_hours_overflow: OverflowShown | None = field(None, group=_CALLS, help="Destination of calls in open hours")
    closed_hours_overflow: OverflowShown | None = field(None, group=_CALLS, help="Destination of calls in closed hours")
    voice_auto_attendant_id: str | None = field(
        None, named_by=("voiceAutoAttendantName",), group=_CALLS, help="Automatic attendant"
    )
    voice_auto_attendant_name: str | None = field(None, group=_CALLS, help="Name of the automatic attendant")
    welcome_id: str | None = field(
        None,
        refers="welcomes",
        named_by=("welcomeName",),
        deprecated="replaced by the company calendar",
        group=_HOURS,
        help="Welcome",
    )
    welcome_name: str | None = field(None, group=_HOURS, help="Name of the welcome")
    is_default_ivr: bool | None = field(None, help="Whether it answers the company's number")


_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "help": _("Name of the welcome service")}


class DdiChoice(Record):
    """A DDI number by its identifier."""

    phone_number_id: str = field(
        ..., label="DDI number", refers="ddis", accepts={"isAssigned": False}, help="DDI number"
    )


class _ServiceFields(Record):
    """Fields of both creation and update."""

    closed_hours_overflow: ClosedOverflowTarget | None = field(
        None, group=_CALLS, help="Destination of calls in closed hours"
    )
    company_calendar_id: str | None = field(
        None, refers="officehours", named_by=("companyCalendarName",), group=_HOURS, help="Calendar of its hours"
    )
    external_number_id: str | None = field(
        None,
        refers="ddis",
        accepts={"isAssigned": False},
        group=_NUMBERS,
        help="Main DDI number; by default the first further number",
    )
    secondary_ddis: list[DdiChoice] | None = field(
        None,
        wire="secondaryDDIs",
        max_length=100,
        group=_NUMBERS,
        help="Further DDI numbers in their order; the complete list",
    )
    welcome_id: str | None = field(
        None,
        refers="welcomes",
        named_by=("welcomeName",),
        deprecated="replaced by the company calendar",
        group=_HOURS,
        help="Welcome",
    )
    manual_mode: ManualMode | None = field(None, group=_HOURS, help="Open or closed, independent of the hours")


class WelcomeServiceBody(_ServiceFields):
    """A new welcome service."""

    name: str = field(..., **_NAME)
    open_hours_overflow: OverflowTarget = field(..., group=_CALLS, help="Destination of calls in open hours")


class WelcomeServiceUpdate(_ServiceFields):
    """The update: the fields that change. Null removes the main number."""

    name: str | None = field(None, **_NAME)
    open_hours_overflow: OverflowTarget | None = field(None, group=_CALLS, help="Destination of calls in open hours")


class WelcomeServiceQuery(NamedQuery):
    """Filters of the list of welcome services. Limit and offset require each other."""

    external_number: str | None = field(None, help="Part of the DDI number")


_IVRS = CLOUDPBX + "/ivrs"
_SERVICES = _IVRS + "/welcomeservices"
_ONE = _IVRS + "/{ivrId}"
_CLASHES = (Code.USER_IN_WELCOME, Code.GROUP_IN_WELCOME, Code.ALREADY_EXISTS)

list_welcome_services = Operation(
    "list_welcome_services",
    "4.7",
    "GET",
    _SERVICES,
    "List the welcome services of a CloudPBX",
    Plain[WelcomeService],
    READ_VOICE,
    query=WelcomeServiceQuery,
    refuses=REFUSALS,
)

create_welcome_service = Operation(
    "create_welcome_service",
    "4.7",
    "POST",
    _SERVICES,
    "Create a welcome service",
    Single[WelcomeService],
    WRITE_VOICE,
    body=WelcomeServiceBody,
    refuses=(*REFUSALS, *_CLASHES),
    creates="welcomeservices",
)

update_welcome_service = Operation(
    "update_welcome_service",
    "4.7",
    "POST",
    _ONE,
    "Update a welcome service",
    Single[WelcomeService],
    WRITE_VOICE,
    body=WelcomeServiceUpdate,
    refuses=(*REFUSALS, *_CLASHES, Code.NOTHING_TO_UPDATE),
    updates="welcomeservices",
)

delete_ivr = Operation(
    "delete_ivr",
    "4.7",
    "DELETE",
    _ONE,
    "Delete a welcome service, a welcome or office hours",
    Done,
    WRITE_VOICE,
    refuses=(*REFUSALS, Code.WELCOME_IN_USE),
    deletes="welcomeservices",
)

__all__ = [
    "ClosedOverflowTarget",
    "DdiChoice",
    "ManualMode",
    "OVERFLOW_TYPES",
    "OverflowShown",
    "OverflowTarget",
    "OverflowType",
    "ServiceManualMode",
    "WelcomeService",
    "WelcomeServiceBody",
    "WelcomeServiceQuery",
    "WelcomeServiceUpdate",
    "create_welcome_service",
    "delete_ivr",
    "list_welcome_services",
    "update_welcome_service",
]
