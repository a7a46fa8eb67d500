"""Recordings of a CloudPBX and across companies: columns, filters, actions (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.voice import deletion, recording_actions
from svc_tui.console.areas.voice.resources import OF_PBX, SUBSCRIBERS, place_of
from svc_tui.console.core.actions import LIST, RECORDS, Action
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Display, Placement, Resource
from svc_tui.console.widgets.formatting import NOTHING, written
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import telephone_numbers as numbers
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.data import RecordData
from svc_tui.language import _, number_text
from svc_tui.workspace.kinds.registry import KINDS

RECORDINGS = "recordings"
#: Filters of recordings across companies: kind -> query parameter.
_SCOPES = {"companies": "companyIds", "cloudpbxs": "systemIds", "sites": "siteIds"}
DIRECTIONS = {"in": ("in", "ok"), "out": ("out", "accent")}


def duration(value: Any, record: RecordData) -> str:
    """Seconds as `4:07` or `1:02:30`."""
    minutes, seconds = divmod(int(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _moment(value: Any, record: RecordData) -> str:
    return written(value)


def _party(value: Any, record: RecordData) -> str:
    """The recorded party: a name, or a number in the usual notation."""

    found = value if isinstance(value, dict) else {}
    return str(found.get("name") or numbers.written(str(found.get("number") or "")) or NOTHING)


def _size(value: Any, record: RecordData) -> str:
    return (
        _("{size} MB").format(size=number_text(int(value) / 1_000_000, ".1f"))
        if int(value) >= 1_000_000
        else _("{value} kB").format(value=int(value) // 1_000)
    )


_COLUMNS = (
    Column(field="date", title="DATE", width=16, format=_moment, sort_field="date"),
    Column(field="direction", title="", width=3, state=DIRECTIONS, sort_field="direction"),
    Column(
        field="recordedParty",
        title="RECORDED",
        width=16,
        flex=2,
        format=_party,
        sort_field="recordedName",
        exported=("recordedParty.name", "recordedParty.number"),
    ),
    Column(
        field="otherParty",
        title="OTHER",
        width=16,
        flex=1,
        limit=24,
        format=_party,
        sort_field="otherNumber",
        exported=("otherParty.number",),
    ),
    Column(field="duration", title="LENGTH", width=8, align="right", format=duration, sort_field="duration"),
    Column(field="size", title="SIZE", width=8, align="right", format=_size, sort_field="size", priority=2),
)


def _scope_missing(caller: Caller | None, query: Mapping[str, Any]) -> str:
    """Why the list needs a filter first: a superadmin must select companies, CloudPBXs or sites."""
    if caller is None or Role.SUPERADMIN not in caller.roles:
        return ""
    if any(query.get(parameter) for parameter in _SCOPES.values()):
        return ""
    return _("Filter by companies, CloudPBXs or sites first.")


def _days(kind: str, operation: str) -> tuple[Action, ...]:
    """The actions of both lists of recordings for days."""
    return (
        Action(
            name=f"{kind}.period",
            keys=("P",),
            label="Period",
            help="Filter by period: today, last week, this month …",
            run=recording_actions.choose_period,
            group="Find",
            views=LIST,
            resource=kind,
            operation=operation,
            footer=32,
        ),
        Action(
            name=f"{kind}.days",
            keys=("T",),
            label="Day totals",
            help="Show the number of recordings per day",
            run=recording_actions.show_day_totals,
            group="Find",
            views=LIST,
            resource=kind,
            operation=operation,
            footer=33,
        ),
    )


OF_ONE = Resource(
    kind=KINDS[RECORDINGS],
    title="Recordings",
    singular="recording",
    aliases=("recording", "rec"),
    section=6,
    known_as=("recorded call", "voice recording"),
    label_field="fileName",
    display=Display(
        columns=_COLUMNS,
    ),
    sort="date",
    descending=True,
    placement=Placement(
        path=OF_PBX,
        parents={SUBSCRIBERS: "phoneNumberId"},
        across="allrecordings",
    ),
)


def _leads(record: RecordData) -> Place | None:
    system_id, record_id = str(record.get("systemId") or ""), str(record.get("id") or "")
    return place_of(system_id, RECORDINGS, record_id) if system_id else None


#: Columns that leave room for the company.
_ACROSS: Mapping[str, dict[str, Any]] = {"recordedParty": {"width": 13, "flex": 1}, "duration": {"priority": 1}}

ACROSS = Resource(
    kind=KINDS["allrecordings"],
    title="Recordings across companies",
    singular="recording",
    aliases=("allrec",),
    label_field="fileName",
    display=Display(
        columns=(
            *(replace(column, **_ACROSS.get(column.field, {})) for column in _COLUMNS),
            Column(field="companyId", title="COMPANY", width=17, flex=1, limit=30, across=True),
        ),
    ),
    sort="date",
    descending=True,
    placement=Placement(
        parents=_SCOPES,
        leads=_leads,
    ),
    awaits=_scope_missing,
)


RESOURCES = (OF_ONE, ACROSS)

ACTIONS: tuple[Action, ...] = (
    *_days(RECORDINGS, "list_recordings"),
    Action(
        name="recordings.kept",
        keys=("K",),
        label="Retention",
        help="Show how long recordings are kept, and which are deleted next",
        run=recording_actions.show_retention,
        group="Find",
        views=RECORDS,
        resource=RECORDINGS,
        operation="list_recordings",
    ),
    Action(
        name="recordings.delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the recording, or all marked ones in batches",
        run=deletion.delete_recordings,
        group="Change",
        views=RECORDS,
        resource=RECORDINGS,
        operation="delete_recordings",
        needs="records",
        footer=60,
        dangerous=True,
    ),
    *_days("allrecordings", "list_recordings_across_companies"),
)
