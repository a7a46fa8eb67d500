"""Editing office hours in a grid of the week, with a preview of the changed days."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.console.areas.voice import week_dialog
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.editing.record_edit import preview
from svc_tui.language import _
from svc_tui.workspace.changes.journal import UndoEntry

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
