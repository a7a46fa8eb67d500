"""Welcome services: where their calls go, and how they are opened and closed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.console.areas.voice.office_hours import HOURS
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.record_edit import preview
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.voice.welcomes import ManualMode
from svc_tui.workspace.changes.journal import UndoEntry

_MODE = "manualMode"
#: The field that names the hours of a service, the operation that reads them, and what its path calls them.
_HOURS_OF = (
    ("companyCalendarId", "get_office_hours", "officeHoursId"),
    ("welcomeId", "get_welcome", "welcomeId"),
)


async def show_flow(context: Context) -> None:
    """Where calls to the welcome service under the cursor go."""
    from svc_tui.console.areas.voice.call_flow_dialog import FlowBox

    record = context.require_record()
    await context.stage.ask(FlowBox(record, await _hours_of(context, record)))


async def _hours_of(context: Context, service: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The hours that a service has: those of its calendar, else those of its welcome. ReadError without an answer."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    for wire, operation, parameter in _HOURS_OF:
        if record_id := service.get(wire):
            body = await context.workspace.read(operation, {**path, parameter: str(record_id)}, {})
            found = (body.get("data") or {}).get(HOURS) if isinstance(body, dict) else None
            if isinstance(found, Mapping):
                return found
    return None


async def set_by_hand(context: Context) -> None:
    """Open or close the welcome service under the cursor by hand, or leave it to its hours again."""
    service, resource = context.require_record(), context.require_resource()
    now = (service.get(_MODE) or {}).get("mode") or "default"
    choices = [
        Choice(value, words, "as it is" if value == now else "")
        for value, words in field_by_wire(ManualMode)["mode"].facet.choices
    ]
    chosen = await context.stage.ask(Picker(f"{service.get('name')} is open", choices))
    if chosen is None or chosen == now:
        return
    path = resource.path_at(context.view.place, context.workspace.caller, resource.record_id(service))
    body, label = {_MODE: {"mode": chosen}}, f"Open or close {service.get('name')}"
    outcome = await preview(
        context,
        Change(
            label=label,
            operation=resource.update,
            path=path,
            body=body,
            fields=field_changes(resource.update, service, body),
            reach="Reaches 1 welcome service, from now on until it is changed.",
            undo=UndoEntry.of_update(label, resource.kind, resource.update, path, body, dict(service)),
        ),
    )
    if outcome is not None and outcome.error is None:
        context.stage.say("Changed. ctrl+z undoes it.", "ok")


async def delete_ivr(context: Context) -> None:
    """Delete the office hours or the welcome under the cursor."""
    record, resource = context.require_record(), context.require_resource()
    record_id, name = resource.record_id(record), resource.label(record)
    path = {**resource.path_at(context.view.place, context.workspace.caller), "ivrId": record_id}
    change = Change(
        label=f"Delete {resource.singular} {name}",
        operation="delete_ivr",
        path=path,
        reach=f"Reaches 1 {resource.singular}.",
        confirm=name,
        warning="This cannot be undone.",
    )
    outcome = await preview(context, change)
    if outcome is None or outcome.error is not None:
        return
    if context.view.kind == "detail":
        await context.stage.back()
    if context.stage.top is not None:
        context.stage.top.refresh_now()
    context.stage.say(str((outcome.answer or {}).get("status") or "Deleted."), "ok")
