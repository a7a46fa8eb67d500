"""Open, mark, copy and refresh records, and show them raw."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.console.core.actions import FORM, LIST, READING, RECORDS, Action
from svc_tui.console.core.call_line import CommandCall, call_line
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.overview import Remedy
from svc_tui.console.core.place_requests import call_of_link
from svc_tui.console.core.places import Link
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.command_lines import CommandLines
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing import copying
from svc_tui.console.views import overview, raw
from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.list import ListView
from svc_tui.console.views.view import View
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.lists.filtered_listing import FilteredListing

DETAIL = frozenset({"detail"})


def list_of(context: Context) -> ListView:
    """The list on top."""

    return context.require_view(ListView)


def _reference(context: Context) -> tuple[str, str] | None:
    """Kind and ID of the record that the selected field refers to."""

    view = context.view
    if not isinstance(view, DetailView) or view.field is None:
        return None
    wire, value = view.field
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    kind = view.refers(wire)
    return (kind, str(value)) if kind and value and kind in context.stage.resources else None


def _target(context: Context) -> Remedy | None:
    """The target of the selected line of an overview."""
    view = context.view
    return view.target if isinstance(view, DetailView) and isinstance(view, overview.OverviewView) else None


def _finding(context: Context) -> str:
    """The field of the selected finding; empty when none is selected."""
    view = context.view
    found = view.finding if isinstance(view, DetailView) and isinstance(view, overview.OverviewView) else None
    return found[0].field if found else ""


async def _open_target(context: Context, target: Remedy, field: str) -> None:
    """Open where something is changed, at its field, and begin the change if the role may make it."""
    if target.place != context.view.place and not await context.stage.open(target.place):
        return
    opened = context.stage.views[-1]
    if isinstance(opened, DetailView):
        await opened.loaded()
    if context.stage.views[-1] is not opened:
        return
    if target.action:
        context.stage.perform_by_name(target.action, field)
    elif field:
        opened.show_field(field)


def _overview(context: Context) -> overview.OverviewView | None:
    return context.view if isinstance(context.view, overview.OverviewView) else None


async def _next_step(context: Context) -> None:
    view = _overview(context)
    if view is not None and (step := view.next_step) is not None and step.remedy is not None:
        await _open_target(context, step.remedy, step.field)


def _no_next_step(context: Context) -> str:
    view = _overview(context)
    return "" if view is not None and view.next_step is not None else _("no step of a set-up is left")


async def _open(context: Context) -> None:
    console = context.stage
    if context.view.kind == "list":
        resource, record = context.require_resource(), context.require_record()
        record_id = resource.record_id(record)
        if context.view.continues_to is not None:
            await console.open_link(
                context.view.continues_to.below(context.view.place.record(record_id)), owner=resource.label(record)
            )
            return
        place = (
            console.resources[resource.placement.opens].related_place(context.view.place, record, record_id)
            if resource.placement.opens
            else resource.placement.leads(record) or context.view.place.record(record_id)
        )
        await console.open(place, known=record)
    elif (target := _target(context)) is not None:
        await _open_target(context, target, _finding(context))
    elif (found := _reference(context)) is not None:
        place = console.resources[found[0]].related_place(context.view.place, context.record or {}, found[1])
        await console.open(place)


def _cannot_open(context: Context) -> str:
    if context.view.kind != "detail" or _target(context) is not None:
        return ""
    found = _reference(context)
    if found is None:
        return _("no operation can change this") if _finding(context) else _("this field has no linked record")
    return context.workspace.decide(context.stage.resources[found[0]].kind.get).reason


async def _back(context: Context) -> None:
    if cancelled := context.view.cancel_refresh():
        context.stage.show_message(cancelled)
        return
    if context.view.kind == "list" and list_of(context).clear_first():
        return
    if isinstance(context.view, DetailView) and context.view.clear_filter():
        return
    if not await context.stage.back() and not context.stage.end_lens():
        place = context.view.place.above
        if place.parts and place != context.view.place:
            await context.stage.open(place, replace=True)


async def _copy_id(context: Context) -> None:
    if context.marked:
        await context.stage.copy("\n".join(context.marked), counted(len(context.marked), "ID"))
        return
    await context.stage.copy(context.require_resource().record_id(context.require_record()), "ID")


async def _copy_menu(context: Context) -> None:
    offered = await copying.marked_copies(context) if context.marked else copying.copies(context)
    choices = [Choice(str(index), item.label, item.detail) for index, item in enumerate(offered)]
    chosen = await context.stage.ask(Picker(_("Copy"), choices))
    if chosen is not None:
        item = offered[int(chosen)]
        await context.stage.copy(item.text, item.label)


async def _raw(context: Context) -> None:
    if len(context.marked) == 2:
        await context.stage.show(await raw.DifferenceView.of(context))
    else:
        await context.stage.show(raw.RawView.of(context))


def _fold_empty(context: Context) -> None:
    context.require_view(DetailView).fold_empty()


def _reveal(context: Context) -> None:
    if isinstance(context.view, DetailView | raw.RawView):
        context.view.reveal()


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


ACTIONS = (
    Action(
        name="open",
        keys=("enter",),
        label="Open",
        help="Open the {record}, or what a field or a finding leads to",
        run=_open,
        group="Records",
        views=RECORDS,
        needs="record",
        possible=_cannot_open,
        footer=10,
    ),
    Action(
        name="next_step",
        keys=("N",),
        label="Next step",
        help="Do the next step of the set-up of the {record}",
        run=_next_step,
        group="Records",
        views=DETAIL,
        resource="companies",
        possible=_no_next_step,
        in_footer=lambda context: not _no_next_step(context),
        footer=12,
    ),
    Action(
        name="back", keys=("esc", "backspace"), label="Back", help="Go back to the previous view", run=_back, group="Go"
    ),
    Action(
        name="previous",
        keys=("-",),
        label="Previous place",
        help="Go back to the place visited before",
        run=lambda c: c.stage.step(-1),
        group="Go",
        possible=lambda c: "" if c.stage.can_step(-1) else _("there is no previous place"),
    ),
    Action(
        name="next",
        keys=("+",),
        label="Next place",
        help="Go forward again after going back",
        run=lambda c: c.stage.step(1),
        group="Go",
        possible=lambda c: "" if c.stage.can_step(1) else _("there is no next place"),
    ),
    Action(
        name="mark",
        keys=("space",),
        label="Mark",
        help="Mark or unmark the {record}",
        run=lambda c: list_of(c).mark(),
        group="Records",
        views=LIST,
        needs="record",
        footer=70,
    ),
    Action(
        name="mark_range",
        keys=("ctrl+space",),
        label="Mark range",
        help="Mark all records from the last mark to here",
        run=lambda c: list_of(c).mark_range(),
        group="Records",
        views=LIST,
        needs="record",
    ),
    Action(
        name="mark_all",
        keys=("*",),
        label="Mark all",
        help="Mark all records that match, or clear all marks",
        run=lambda c: list_of(c).mark_all(),
        group="Records",
        views=LIST,
    ),
    Action(
        name="copy",
        keys=("y",),
        label="Copy ID",
        help="Copy the ID, or those of all marked records",
        run=_copy_id,
        group="Records",
        views=RECORDS,
        needs="records",
    ),
    Action(
        name="copy_menu",
        keys=("Y",),
        label="Copy…",
        help="Copy a link, a field, the row, JSON or curl; of marked records all names or rows",
        run=_copy_menu,
        group="Records",
        views=RECORDS,
        needs="records",
    ),
    Action(
        name="copy_command",
        keys=("ctrl+y",),
        label="Copy command",
        help="Copy the command that reads what this view shows, or sends what a form would send",
        run=copy_command,
        group="Records",
        views=READING | FORM,
        possible=lambda context: no_call(context) if context.stage.declared else "",
    ),
    Action(
        name="raw",
        keys=("d",),
        label="Raw",
        help="Show the raw record and its HTTP exchange; of two marked records, the differences",
        run=_raw,
        group="Records",
        views=RECORDS,
        needs="records",
    ),
    Action(
        name="empty_fields",
        keys=("z",),
        label="Empty fields",
        help="Show or hide the fields without a value",
        run=_fold_empty,
        group="Records",
        views=frozenset({"detail"}),
        belongs=lambda context: isinstance(context.view, DetailView),
    ),
    Action(
        name="reveal",
        keys=("v",),
        label="Show secrets",
        help="Show or hide the secrets of the {record}",
        run=_reveal,
        group="Records",
        views=frozenset({"detail", "raw"}),
        needs="record",
    ),
    Action(
        name="refresh",
        keys=("r",),
        label="Refresh",
        help="Read the records again",
        run=lambda c: c.view.refresh_now(),
        group="Records",
    ),
)
