"""Actions of welcome services: show the call flow, and open or close them manually; office hours in a grid of
the week, with a preview of the changed days.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from svc_tui.console.areas.voice import call_flow_dialog, summaries, week_dialog
from svc_tui.console.areas.voice.dependents import consequences
from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.editing.record_edit import current_record, preview, preview_deletion
from svc_tui.console.views.list import ListView
from svc_tui.interface.voice.week import exception_text, in_order, spans, with_exceptions
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError, rows_of

#: The field of the hours.
HOURS = "officehours"


async def ask_hours(context: Context, title: str, hours: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Edit hours; None when nothing was changed."""

    known = hours if isinstance(hours, Mapping) else {}
    edited = await context.stage.ask(week_dialog.WeekEditor(title, known))
    return edited if edited != known else None


async def change_hours(context: Context) -> None:
    """Edit the office hours under the cursor."""
    resource = context.require_resource()
    record_id = resource.record_id(context.require_record())
    before = await full_record(context, record_id)
    name = resource.label(before)
    edited = await ask_hours(context, _("Hours of {name}").format(name=name), before.get(HOURS))
    if edited is None:
        return
    path, body = resource.path_at(context.view.place, context.workspace.caller, record_id), {HOURS: edited}
    change = Change(
        label=_("Change the hours of {name}").format(name=name),
        operation=resource.update,
        path=path,
        body=body,
        fields=field_changes(resource.update, before, body),
        reach=_("Affects 1 set of office hours and the welcome services that use it."),
        undo=UndoEntry.of_update(
            _("Change {name}").format(name=name), resource.kind, resource.update, path, body, dict(before)
        ),
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.stage.show_message(context.with_keys(_("Changed. {undo} undoes it.")), "ok")


async def copy_exceptions(context: Context) -> None:
    """Give the marked office hours, or those under the cursor, the exceptions of office hours that are chosen."""
    resource, caller = context.require_resource(), context.workspace.caller
    listed = rows_of(context.workspace, resource.list, resource.path_at(context.view.place, caller), {})
    rows = {resource.record_id(row): row async for row in listed}
    wanted = context.marked or (resource.record_id(context.require_record()),)
    sources = {id: found for id, row in rows.items() if (found := _exceptions(row)) and set(wanted) != {id}}
    if not sources:
        context.stage.show_message(_("No other office hours of this CloudPBX have exceptions."), "warn")
        return
    choices = [Choice(id, resource.label(rows[id]), _days(found)) for id, found in sources.items()]
    chosen = await context.stage.ask(Picker(_("Exceptions of which office hours?"), choices))
    if chosen is None:
        return

    def step(record_id: str, record: Mapping[str, Any]) -> JobStep | None:
        hours, merged = record.get(HOURS) or {}, with_exceptions(_exceptions(record), sources[chosen])
        if merged == in_order(_exceptions(record)):
            return None
        path, body = resource.path_at(context.view.place, caller, record_id), {HOURS: {**hours, "exceptions": merged}}
        label = resource.label(record)
        named = _("Change the hours of {name}").format(name=label)
        undo = UndoEntry.of_update(named, resource.kind, resource.update, path, body, dict(record))
        return JobStep(record_id, label, path, body, undo=undo, check=partial(now, record_id))

    async def now(record_id: str) -> JobStep | None:
        return step(record_id, await full_record(context, record_id))

    targets = {record_id: rows[record_id] for record_id in wanted if record_id in rows and record_id != chosen}
    planned = {record_id: step(record_id, row) for record_id, row in targets.items()}
    steps = [found or JobStep(id, resource.label(targets[id])) for id, found in planned.items()]
    job, action = Job(context.workspace, resource.update, steps), performed(context)
    notes = dict.fromkeys(targets, _days(sources[chosen]))
    unchanged = [record_id for record_id, found in planned.items() if found is None]
    box = BulkBox(context.workspace.journal, action, resource, job, {}, notes, unchanged=unchanged)
    unfinished = await context.stage.ask(box)
    if context.marked:
        context.require_view(ListView).records.set_marks(unfinished or ())
    context.view.refresh_now()
    show_result(context, action.label, job)


def _exceptions(record: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return (record.get(HOURS) or {}).get("exceptions") or ()


def _days(exceptions: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(exception_text(span) for span in spans(exceptions))


_MODE = "manualMode"
#: For each source of hours: the field of a service, the operation that reads them, and its path parameter.
_HOURS_OF = (
    ("companyCalendarId", "get_office_hours", "officeHoursId"),
    ("welcomeId", "get_welcome", "welcomeId"),
)


async def show_flow(context: Context) -> None:
    """Show the call flow of the welcome service under the cursor."""

    record = context.require_record()
    hours, services = await _hours_of(context, record), await _services(context)
    await context.stage.ask(call_flow_dialog.FlowBox(record, hours, services))


async def _services(context: Context) -> Sequence[Mapping[str, Any]]:
    """The welcome services of the CloudPBX, which answer its numbers; none where they cannot be read."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    try:
        body = await context.workspace.read("list_welcome_services", path, {})
    except ReadError:
        return ()
    return list(body.get("data") or ()) if isinstance(body, dict) else ()


async def _hours_of(context: Context, service: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The hours of a service: from its calendar, or otherwise from its welcome. ReadError without a response."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    for wire, operation, parameter in _HOURS_OF:
        if record_id := service.get(wire):
            body = await context.workspace.read(operation, {**path, parameter: str(record_id)}, {})
            found = (body.get("data") or {}).get(HOURS) if isinstance(body, dict) else None
            if isinstance(found, Mapping):
                return found
    return None


async def set_mode(context: Context) -> None:
    """Open or close the welcome service under the cursor manually, or let its office hours decide."""
    service, resource = context.require_record(), context.require_resource()
    now = (service.get(_MODE) or {}).get("mode") or "default"
    choices = [
        Choice(mode, summaries.by_hand({"mode": mode}), _("current") if mode == now else "")
        for mode in ("default", "open", "closed")
    ]
    chosen = await context.stage.ask(Picker(_("Opening mode of {name}").format(name=service.get("name")), choices))
    if chosen is None or chosen == now:
        return
    path = resource.path_at(context.view.place, context.workspace.caller, resource.record_id(service))
    body, label = {_MODE: {"mode": chosen}}, _("Open or close {name}").format(name=service.get("name"))
    outcome = await preview(
        context,
        Change(
            label=label,
            operation=resource.update,
            path=path,
            body=body,
            fields=field_changes(resource.update, service, body),
            reach=_("Affects 1 welcome service until it is changed again."),
            undo=UndoEntry.of_update(label, resource.kind, resource.update, path, body, dict(service)),
        ),
    )
    if outcome is not None and outcome.error is None:
        context.stage.show_message(context.with_keys(_("Changed. {undo} undoes it.")), "ok")


async def delete_ivr(context: Context) -> None:
    """Delete the office hours or the welcome under the cursor."""
    record, resource = await current_record(context), context.require_resource()
    record_id, name = resource.record_id(record), resource.label(record)
    path = {**resource.path_at(context.view.place, context.workspace.caller), "ivrId": record_id}
    found = await consequences(record, context)
    if found is None:
        return
    change = Change(
        label=_("Delete {singular} {name}").format(singular=resource.singular, name=name),
        operation="delete_ivr",
        path=path,
        reach=found[1],
        confirm=name,
        warning=_("This cannot be undone."),
    )
    outcome = await preview_deletion(context, change)
    if outcome is None or outcome.error is not None:
        return
    if context.view.kind == "detail":
        await context.stage.back()
    if context.stage.top is not None:
        context.stage.top.refresh_now()
    context.stage.show_message(str((outcome.answer or {}).get("status") or _("Deleted.")), "ok")
