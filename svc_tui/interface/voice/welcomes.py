"""Welcome services, which answer calls to a number: records and operations (2.17, 4.7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from svc_tui.interface.envelopes import Done, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Needs, Record, field
from svc_tui.interface.voice.access import CLOUDPBX, READ_VOICE, REFUSALS, WRITE_VOICE
from svc_tui.interface.voice.ddis import SecondaryDdi
from svc_tui.interface.voice.office_hours import NamedQuery

OverflowType = Literal["user", "group", "auto_attendant", "closed_hours", "office_hours", "number"]
OVERFLOW_TYPES: dict[str, str] = {
    "user": "to a user",
    "group": "to a group",
    "auto_attendant": "to an automatic attendant",
    "closed_hours": "as in closed hours",
    "office_hours": "as in office hours",
    "number": "to a number",
}
ManualModeValue = Literal["default", "open", "closed"]

_CALLS, _NUMBERS, _HOURS = "Where calls go", "Numbers", "Hours"


class OverflowTarget(Record):
    """Where calls go: a type, and the user, group, attendant or number that the type wants."""

    type: OverflowType = field(..., choices=OVERFLOW_TYPES, help="Where calls go")
    destination_id: str | None = field(
        None,
        needs=Needs("type", ("user", "group", "auto_attendant")),
        picks_by=("type", {"user": "extensions", "auto_attendant": "attendants"}),
        named_by=("userDisplayName", "name"),
        help="The user or attendant, whom enter searches, or the id of the group",
    )
    to_voicemail: bool | None = field(None, needs=Needs("type", "user"), help="To the user's voicemail")


class ClosedOverflowTarget(OverflowTarget):
    """The same in closed hours, when calls may also go to a number."""

    number: str | None = field(None, max_length=64, needs=Needs("type", "number"), help="The number")


class OverflowShown(Record):
    """Where calls go, with the names of it."""

    type: str | None = field(None, choices=OVERFLOW_TYPES, help="Where calls go")
    destination_id: str | None = field(None, named_by=("userDisplayName", "name"), help="The user, group or attendant")
    name: str | None = field(None, help="Name of the user, group or attendant")
    number: str | None = field(None, help="The number")
    to_voicemail: bool | None = field(None, help="To the user's voicemail")
    user_display_name: str | None = field(None, help="Name of the user")
    user_id: str | None = field(None, refers="users", help="The user")


class ManualMode(Record):
    """Opened or closed by hand, whatever the hours say."""

    mode: ManualModeValue | None = field(
        None,
        choices={"default": "by the hours", "open": "open by hand", "closed": "closed by hand"},
        help="What is in force",
    )
    start_date: datetime | None = field(None, help="From when on; none is at once")
    end_date: datetime | None = field(None, ends=True, help="Until when; none is until it is changed")


class ServiceManualMode(ManualMode):
    """The same of one welcome service among several."""

    id: str | None = field(None, refers="welcomeservices")
    name: str | None = None


class WelcomeService(Record):
    """A welcome service as it is read."""

    id: str | None = field(None, help="Identifier")
    system_id: str | None = field(None, refers="cloudpbxs", help="The CloudPBX it belongs to")
    name: str | None = field(None, help="Name of the welcome service")
    state: str | None = field(None, help="Whether it is open or closed now")
    phone_number_id: str | None = field(None, help="Its identifier as an extension")
    external_number: str | None = field(None, group=_NUMBERS, help="Main DDI number")
    external_number_id: str | None = field(None, refers="ddis", group=_NUMBERS, help="Its identifier")
    secondary_ddis: list[SecondaryDdi] | None = field(
        None, wire="secondaryDDIs", group=_NUMBERS, help="Further DDI numbers, in their order"
    )
    timezone: str | None = field(None, group=_HOURS, help="Time zone of its hours")
    company_calendar_id: str | None = field(None, refers="officehours", group=_HOURS, help="Calendar of its hours")
    company_calendar_name: str | None = field(None, group=_HOURS, help="Name of that calendar")
    manual_mode: ManualMode | None = field(None, group=_HOURS, help="Opened or closed by hand")
    welcome_services_manual_mode: list[ServiceManualMode] | None = field(
        None, group=_HOURS, help="The same of all services with this calendar"
    )
    open_hours_overflow: OverflowShown | None = field(None, group=_CALLS, help="Where calls go while it is open")
    closed_hours_overflow: OverflowShown | None = field(None, group=_CALLS, help="Where calls go while it is closed")
    voice_auto_attendant_id: str | None = field(None, group=_CALLS, help="The automatic attendant")
    voice_auto_attendant_name: str | None = field(None, group=_CALLS, help="Its name")
    welcome_id: str | None = field(
        None, refers="welcomes", deprecated="companyCalendarId", group=_HOURS, help="Its welcome"
    )
    welcome_name: str | None = field(None, group=_HOURS, help="Name of its welcome")
    is_default_ivr: bool | None = field(None, help="Whether it answers the company's number")


_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "help": "Name of the welcome service"}


class DdiChoice(Record):
    """A DDI number, named by its identifier."""

    phone_number_id: str = field(..., refers="ddis", help="The DDI number")


class _ServiceFields(Record):
    """What creation and update share."""

    closed_hours_overflow: ClosedOverflowTarget | None = field(
        None, group=_CALLS, help="Where calls go while it is closed"
    )
    company_calendar_id: str | None = field(None, refers="officehours", group=_HOURS, help="Calendar of its hours")
    external_number_id: str | None = field(
        None, refers="ddis", group=_NUMBERS, help="Main DDI number; without it the first further one becomes it"
    )
    secondary_ddis: list[DdiChoice] | None = field(
        None, wire="secondaryDDIs", max_length=100, group=_NUMBERS, help="Further DDI numbers, all in their order"
    )
    welcome_id: str | None = field(
        None, refers="welcomes", deprecated="companyCalendarId", group=_HOURS, help="Its welcome"
    )
    manual_mode: ManualMode | None = field(None, group=_HOURS, help="Opened or closed by hand")


class WelcomeServiceBody(_ServiceFields):
    """Body of the creation."""

    name: str = field(..., **_NAME)
    open_hours_overflow: OverflowTarget = field(..., group=_CALLS, help="Where calls go while it is open")


class WelcomeServiceUpdate(_ServiceFields):
    """Body of the update: the fields that change. An external number of null is taken away."""

    name: str | None = field(None, **_NAME)
    open_hours_overflow: OverflowTarget | None = field(None, group=_CALLS, help="Where calls go while it is open")


class WelcomeServiceQuery(NamedQuery):
    """Filters of the list of welcome services."""

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
    "Welcome services of a CloudPBX",
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
)

update_welcome_service = Operation(
    "update_welcome_service",
    "4.7",
    "POST",
    _ONE,
    "Change a welcome service",
    Single[WelcomeService],
    WRITE_VOICE,
    body=WelcomeServiceUpdate,
    refuses=(*REFUSALS, *_CLASHES, Code.NOTHING_TO_UPDATE),
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
