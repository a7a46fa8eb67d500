"""Welcome services, office hours, welcomes and external trunks: columns, related lists, actions (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.voice import number_rules, welcome_actions
from svc_tui.console.areas.voice.resources import OF_PBX, PBX, dependents_of
from svc_tui.console.areas.voice.summaries import overflow
from svc_tui.console.core.actions import RECORDS, Action
from svc_tui.console.core.resource import Context, Deletion, Display, Editing, Placement, RelatedList, Resource
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import telephone_numbers as numbers
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.form_rules import Rules

SERVICES, HOURS, WELCOMES, TRUNKS = "welcomeservices", "officehours", "welcomes", "externaltrunks"


def _target(value: Any, record: RecordData) -> str:
    return overflow(value)


def _called(wire: str) -> tuple[str, ...]:
    """The columns of an overflow in a file: its type, and the called user or number."""
    return tuple(f"{wire}.{part}" for part in ("type", "name", "number"))


def _manual(value: Any, record: RecordData) -> str:
    mode = value.get("mode") if isinstance(value, dict) else None
    return _("manual") if mode in ("open", "closed") else NOTHING


def _main_number(value: Any, record: RecordData) -> str:
    return numbers.written(str(value)) if value else NOTHING


async def _service_rules(context: Context, record: RecordData | None, start: Mapping[str, Any]) -> Rules:
    return await number_rules.service_rules(context, record, start)


WELCOME_SERVICES = Resource(
    kind=KINDS[SERVICES],
    title="Welcome services",
    singular="welcome service",
    aliases=("welcome", "ivrs", "ivr"),
    known_as=("announcement", "greeting", "IVR menu"),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=18, flex=2),
            Column(field="state", title="STATE", width=7, state={"open": ("open", "ok"), "closed": ("closed", "warn")}),
            Column(
                field="manualMode", title="MODE", width=7, format=_manual, priority=3, exported=("manualMode.mode",)
            ),
            Column(field="externalNumber", title="NUMBER", width=17, format=_main_number, priority=1),
            Column(
                field="openHoursOverflow",
                title="WHEN OPEN",
                width=14,
                flex=1,
                format=_target,
                exported=_called("openHoursOverflow"),
            ),
            Column(
                field="closedHoursOverflow",
                title="WHEN CLOSED",
                width=14,
                flex=1,
                format=_target,
                priority=2,
                exported=_called("closedHoursOverflow"),
            ),
        ),
    ),
    create="create_welcome_service",
    update="update_welcome_service",
    delete="delete_ivr",
    deletion=Deletion(consequences=dependents_of),
    editing=Editing(rules=_service_rules),
    placement=Placement(
        path=OF_PBX,
        within={
            HOURS: lambda record, id: record.get("companyCalendarId") == id,
            WELCOMES: lambda record, id: record.get("welcomeId") == id,
        },
    ),
)


def _open_days(value: Any, record: RecordData) -> str:
    """The number of open days in a week, and of exceptions."""
    found = value if isinstance(value, dict) else {}
    days = sum(bool(periods) for periods in found.get("openhours") or ())
    exceptions = len(found.get("exceptions") or ())
    week = _("{days} a week").format(days=counted(days, "day"))
    return f"{week}, {counted(exceptions, 'exception')}" if exceptions else week


def _delete(kind: str) -> Action:
    """The action that deletes office hours or welcomes, with the operation for welcome services."""
    return Action(
        name=f"{kind}.delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the record, unless a welcome service uses it",
        run=welcome_actions.delete_ivr,
        group="Change",
        views=RECORDS,
        resource=kind,
        operation="delete_ivr",
        needs="single",
        footer=60,
        dangerous=True,
    )


OFFICE_HOURS = Resource(
    kind=KINDS[HOURS],
    title="Office hours",
    singular="office hours",
    aliases=("hours",),
    known_as=("opening hours", "calendar"),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=24, flex=2),
            Column(field="officehours", title="OPEN", width=30, flex=1, format=_open_days),
        ),
    ),
    create="create_office_hours",
    update="update_office_hours",
    editing=Editing(editors={"officehours": welcome_actions.ask_hours}),
    placement=Placement(
        path=OF_PBX,
    ),
    related=(RelatedList("S", SERVICES, "Used by", help=_("Welcome services that use these office hours")),),
)

WELCOMES_RESOURCE = Resource(
    kind=KINDS[WELCOMES],
    title="Welcomes",
    singular="welcome",
    aliases=("greetings",),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=24, flex=2),
            Column(field="officehours", title="OPEN", width=30, flex=1, format=_open_days),
        ),
    ),
    create="create_welcome",
    placement=Placement(
        path=OF_PBX,
    ),
    related=(RelatedList("S", SERVICES, "Used by", help=_("Welcome services that play this welcome")),),
)

EXTERNAL_TRUNKS = Resource(
    kind=KINDS[TRUNKS],
    title="External trunks",
    singular="trunk",
    detail_field="description",
    aliases=("trunks", "trunk"),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=20, flex=2),
            Column(
                field="status", title="STATUS", width=8, state={"active": ("active", "ok"), "new": ("new", "accent")}
            ),
            Column(field="trunkType", title="KIND", width=13),
            Column(field="voiceInstanceId", title="PLATFORM", width=12, priority=2),
            Column(field="description", title="DESCRIPTION", width=20, flex=2, priority=1),
        ),
    ),
    related=(RelatedList("C", PBX, "CloudPBXs that use it", help=_("CloudPBXs that use this trunk")),),
)

RESOURCES = (WELCOME_SERVICES, OFFICE_HOURS, WELCOMES_RESOURCE, EXTERNAL_TRUNKS)

ACTIONS: tuple[Action, ...] = (
    Action(
        name="welcomeservices.flow",
        keys=("w",),
        label="Call flow",
        help="Show the call flow, now or at another time",
        run=welcome_actions.show_flow,
        group="Go",
        views=RECORDS,
        resource=SERVICES,
        operation="get_office_hours",
        needs="record",
        footer=30,
    ),
    Action(
        name="welcomeservices.by_hand",
        keys=("M",),
        label="Opening mode",
        help="Open or close the service manually, or let its office hours decide",
        run=welcome_actions.set_mode,
        group="Change",
        views=RECORDS,
        resource=SERVICES,
        operation="update_welcome_service",
        needs="single",
        footer=36,
    ),
    _delete(HOURS),
    Action(
        name="officehours.week",
        keys=("w",),
        label="Week",
        help="Edit the open hours of the week, and the exceptions",
        run=welcome_actions.change_hours,
        group="Change",
        views=RECORDS,
        resource=HOURS,
        operation="update_office_hours",
        needs="record",
        footer=35,
    ),
    Action(
        name="officehours.exceptions",
        keys=("E",),
        label="Add exceptions",
        help="Add the holidays and other exceptions of other office hours; the same days are replaced",
        run=welcome_actions.copy_exceptions,
        group="Change",
        views=RECORDS,
        resource=HOURS,
        operation="update_office_hours",
        needs="records",
        footer=40,
    ),
    _delete(WELCOMES),
)
