"""The requests behind a view, for the command line that does the same."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.console.core.call_line import CommandCall, call_line
from svc_tui.console.core.place_requests import call_of_link
from svc_tui.console.core.places import Link
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.command_lines import CommandLines
from svc_tui.console.views.list import ListView
from svc_tui.console.views.view import View
from svc_tui.workspace.lists.filtered_listing import FilteredListing


def calls_of(context: Context) -> Sequence[CommandCall]:
    """The requests of the view on top; empty when it has none of its own. A form has those of its changes only."""
    view, resource = context.view, context.resource
    if isinstance(view, View) and ((own := view.calls()) or view.kind == "form"):
        return own
    if isinstance(view, ListView):
        asked = view.request()
        filtered = isinstance(view.listing, FilteredListing)
        return (CommandCall(view.resource.list, asked.path, asked.nearest_query, filtered=filtered),)
    if resource is None or context.record is None:
        return ()
    if resource.list == resource.kind.get:
        call = call_of_link(Link(view.place), resource, context.workspace)
        return (call,) if call else ()
    record_id = "" if resource.placement.only else resource.record_id(context.record)
    path = resource.path_at(view.place, context.workspace.caller, record_id)
    return (CommandCall(resource.kind.get, path),)


def no_call(context: Context) -> str:
    """Why there is no command for the view; empty when there is one."""
    if calls_of(context):
        return ""
    return context.view.why_no_call() if isinstance(context.view, View) else View.no_call


async def copy_command(context: Context) -> None:
    """Copy and show the commands that read what the view shows, or send what a form would send."""
    lines = [call_line(call, context.workspace) for call in calls_of(context)]
    await context.stage.ask(CommandLines(lines))
