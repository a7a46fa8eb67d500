"""CloudPBXs and their DDI numbers: columns, related lists, actions (4.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.voice import assignments, dependents, number_rules
from svc_tui.console.areas.voice import cloudpbx_actions as cloudpbx
from svc_tui.console.core.actions import RECORDS, Action
from svc_tui.console.core.form_rules import Consistency, Contradiction
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Deletion, Display, Editing, Placement, RelatedList, Resource, managed
from svc_tui.console.widgets.formatting import NOTHING, day, dotted
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import telephone_numbers as numbers
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.voice import numbering
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.changes import FieldChange
    from svc_tui.console.core.form_rules import Rules

PBX, SUBSCRIBERS, DEVICES, DDIS = "cloudpbxs", "subscribers", "sipdevices", "ddis"
#: The CloudPBX in the path of operations.
OF_PBX = {"systemId": PBX}
STATUSES = {"created": ("connected", "ok"), "disconnected": ("disconnected", "bad"), "activated": ("active", "ok")}


def number(value: Any, record: RecordData) -> str:
    """A number in the notation of the country of its CloudPBX."""

    return numbers.written(str(value), record.get("country")) if value else NOTHING


def _trunk(value: Any, record: RecordData) -> str:
    return str((value or {}).get("name") or NOTHING) if isinstance(value, dict) else NOTHING


def _plan(value: Any, record: RecordData) -> str:
    """The ranges of internal numbers: `2000 to 2999, 500 to 599`."""

    return ", ".join(each.bounds for each in numbering.ranges(value)) or NOTHING


def _subject(record: RecordData, caller: Caller) -> Subject:
    return managed(str(record.get("companyId") or ""), caller)


async def dependents_of(record: RecordData, context: Context) -> tuple[tuple[FieldChange, ...], str] | None:
    """What a deletion does to other records of the CloudPBX; None when they prevent it."""
    return await dependents.consequences(record, context)


async def _ddi_rules(context: Context, record: RecordData | None, start: Mapping[str, Any]) -> Rules:
    return await number_rules.ddi_rules(context, record, start)


def _broken(values: Mapping[str, Any]) -> Sequence[Contradiction]:
    return numbering.contradictions(values)


CLOUDPBXS = Resource(
    kind=KINDS[PBX],
    title="CloudPBXs",
    singular="CloudPBX",
    aliases=("cloudpbx", "pbx", "voice"),
    section=5,
    known_as=("PBX", "telephone system", "exchange", "switchboard"),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=20, flex=3, sort_field="name"),
            Column(field="status", title="STATUS", width=12, state=STATUSES, sort_field="status"),
            Column(field="companyId", title="COMPANY", width=16, flex=1, limit=30, priority=1, across=True),
            Column(field="country", title="COUNTRY", width=7, sort_field="country", priority=2),
            Column(field="cloudpbx", title="NUMBERS", width=18, flex=2, format=_plan, priority=3),
            Column(
                field="cloudpbx.externalTrunkAdditionalInfo", title="TRUNK", width=14, flex=1, format=_trunk, priority=4
            ),
            Column(field="creationDate", title="CREATED", width=10, format=day, sort_field="creationDate", priority=5),
        ),
    ),
    sort="name",
    create="create_cloudpbx",
    placement=Placement(
        parents={"companies": "companyId"},
        within={"externaltrunks": lambda record, id: dotted(record, "cloudpbx.externalTrunkId") == id},
    ),
    subject=_subject,
    editing=Editing(
        consistency=Consistency(_broken, lambda values, changed: values),
    ),
    related=(
        RelatedList("S", SUBSCRIBERS, "Subscribers"),
        RelatedList("D", DEVICES, "Devices"),
        RelatedList("N", DDIS, "DDI numbers"),
        RelatedList("R", "recordings", "Recordings"),
        RelatedList("w", "welcomeservices", "Welcome services"),
        RelatedList("H", "officehours", "Office hours"),
        RelatedList("E", "welcomes", "Welcomes"),
    ),
)


def _who(value: Any, record: RecordData) -> str:
    """The subscriber of a number, and its order among the further ones."""
    further = record.get("secondaryDdiOrder")
    return f"{value}{_(' (further {further})').format(further=further) if further else ''}" if value else _("free")


def _ddi_action(
    name: str, key: str, label: str, help: str, run: Any, operation: str, possible: Any, footer: int = 0
) -> Action:
    return Action(
        name=f"ddis.{name}",
        keys=(key,),
        label=label,
        help=help,
        run=run,
        group="Change",
        views=RECORDS,
        resource=DDIS,
        operation=operation,
        needs="single",
        possible=possible,
        footer=footer,
    )


DDI_NUMBERS = Resource(
    kind=KINDS[DDIS],
    title="DDI numbers",
    singular="DDI number",
    detail_field="names",
    aliases=("ddi", "numbers"),
    known_as=("phone number", "telephone number", "public number", "line"),
    label_field="numberE164",
    display=Display(
        columns=(
            Column(field="numberE164", title="NUMBER", width=18, flex=1, limit=22, format=number, sort_field="number"),
            Column(
                field="isCloudPbxDefault",
                title="DEFAULT",
                width=7,
                state={True: ("default", "accent"), False: ("", ""), None: ("", "")},
                sort_field="isCloudPbxDefault",
            ),
            Column(field="names", title="SUBSCRIBER", width=24, flex=3, format=_who, sort_field="names"),
            Column(field="creationDate", title="CREATED", width=10, format=day, sort_field="creationDate", priority=1),
        ),
    ),
    sort="number",
    create="create_ddi_number",
    delete="delete_ddi_number",
    deletion=Deletion(consequences=dependents_of),
    editing=Editing(rules=_ddi_rules),
    placement=Placement(
        path=OF_PBX,
    ),
)


def place_of(system_id: str, kind: str, record_id: str) -> Place:
    """The place of a record of a CloudPBX."""
    return Place((PBX, system_id, kind, record_id))


RESOURCES = (CLOUDPBXS, DDI_NUMBERS)

ACTIONS: tuple[Action, ...] = (
    *cloudpbx.ACTIONS,
    *cloudpbx.PATH_ACTIONS,
    cloudpbx.follow_call("users", "get_user"),
    cloudpbx.follow_call(DDIS, "get_ddi_number"),
    cloudpbx.follow_call(DEVICES, "get_sip_device"),
    _ddi_action(
        "default",
        "D",
        _("Default"),
        _("Make the number the company's default, or remove the default"),
        assignments.toggle_default,
        "set_default_ddi",
        lambda c: "",
        footer=35,
    ),
    _ddi_action(
        "give",
        "A",
        _("Assign"),
        _("Assign the number to a subscriber, as the main or a further number"),
        assignments.assign_ddi,
        "assign_ddi_to_user",
        lambda c: _("already assigned") if c.record and c.record.get("names") else "",
        footer=40,
    ),
    _ddi_action(
        "release",
        "R",
        _("Unassign"),
        _("Unassign the number from its subscriber"),
        assignments.unassign_ddi,
        "unassign_ddi_from_user",
        lambda c: "" if c.record and c.record.get("userId") else _("not assigned"),
    ),
)
