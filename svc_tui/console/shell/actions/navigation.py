"""Places, help, the palette, the HTTP log, and quitting."""

from __future__ import annotations

from functools import partial

from svc_tui.console.core.actions import READING, REPORT, Action
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs import screen_file
from svc_tui.console.shell import call_log_view, company_plans, help_view, home_view, palette
from svc_tui.console.shell.resources import ALL as RESOURCES
from svc_tui.console.views import raw
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.console.widgets.prompt import GO, PromptRequest
from svc_tui.language import _


def _redraw(context: Context) -> None:
    context.stage.repaint()


async def _save_screen(context: Context, action: str) -> None:
    context.stage.show_message(*await context.stage.save_screen(context.view.place.kind, screen_file.ENDINGS[action]))


ALL = READING | {"form"}
RAW = frozenset({"raw"})


def _goto(context: Context) -> None:
    history = tuple(context.workspace.preferences.history)
    context.stage.open_prompt(PromptRequest(GO, complete=context.stage.completions, history=history))


async def _help(context: Context) -> None:
    if not isinstance(context.view, help_view.HelpView):
        await context.stage.show(help_view.HelpView(context))


async def _open_from_home(context: Context) -> None:
    await context.require_view(home_view.HomeView).open_selected()


async def _calls(context: Context) -> None:
    if not isinstance(context.view, call_log_view.CallsView):
        await context.stage.show(call_log_view.CallsView(context.workspace.log, context.workspace.profile))


def _in_log(context: Context) -> bool:
    return isinstance(context.view, call_log_view.CallsView)


def _no_call(context: Context) -> str:
    view = context.view
    if company_plans.in_plan(context):
        return ""
    return "" if isinstance(view, call_log_view.CallsView) and view.exchange is not None else _("no call is selected")


async def _show_call(context: Context) -> None:
    if company_plans.in_plan(context):
        await company_plans.open_step(context)
        return
    view = context.require_view(call_log_view.CallsView)
    exchange = view.require_exchange()
    pages = {"HTTP": raw.exchange_text(exchange), "curl": exchange.as_curl()}
    await context.stage.show(raw.TextView(view.place, None, f"{exchange.method} {exchange.operation_id}", pages))


async def _copy_curl(context: Context) -> None:
    exchange = context.require_view(call_log_view.CallsView).require_exchange()
    await context.stage.copy(exchange.as_curl(), _("call as curl"))


async def _copy_page(context: Context) -> None:
    await context.stage.copy(context.require_view(raw.TextView).text, _("page"))


async def _quit(context: Context) -> None:
    if not await context.stage.back():
        await context.stage.leave()


async def _leave(context: Context) -> None:
    await context.stage.leave()


def _section(resource: Resource) -> Action:
    async def go(context: Context) -> None:
        await context.stage.open(resource.place(), replace=True)

    number = resource.section
    return Action(
        name=f"section_{number}",
        keys=(str(number),),
        label=resource.title,
        help=_("Go to {title}").format(title=title_in_sentence(resource.title)),
        run=go,
        group="Go",
        leaves=True,
    )


ACTIONS = (
    Action(
        name="redraw",
        keys=("ctrl+l",),
        label="Redraw",
        help="Redraw the screen",
        run=_redraw,
        group="Go",
        views=ALL,
    ),
    Action(
        name="save_screen",
        keys=("f9",),
        label="Save screen",
        help="Save the screen as a picture (SVG) for a ticket; secrets are masked",
        run=partial(_save_screen, action="save_screen"),
        group="Go",
        views=ALL,
    ),
    Action(
        name="save_screen_text",
        keys=("f8",),
        label="Save as text",
        help="Save the screen as text for a ticket; secrets are masked",
        run=partial(_save_screen, action="save_screen_text"),
        group="Go",
        views=ALL,
    ),
    Action(
        name="goto",
        keys=(":",),
        label="Go",
        help="Go to a view, optionally with a filter",
        run=_goto,
        group="Go",
        leaves=True,
        footer=90,
        pinned=True,
    ),
    Action(
        name="palette",
        keys=("ctrl+p",),
        label="Actions",
        help="Find an action or a place by name",
        run=palette.open_palette,
        group="Go",
        views=ALL,
    ),
    Action(
        name="calls",
        keys=("!",),
        label="HTTP log",
        help="Show the HTTP calls of this session; secrets are masked",
        run=_calls,
        group="Go",
    ),
    *(_section(resource) for resource in sorted(RESOURCES, key=lambda item: item.section) if resource.section),
    Action(
        name="open_from_home",
        keys=("enter",),
        label="Open",
        help="Open the place of this line, with its filter",
        run=_open_from_home,
        group="Go",
        views=frozenset({"home"}),
        footer=10,
    ),
    Action(
        name="show_call",
        keys=("enter",),
        label="Show",
        help="Show the complete call, or what a step of a plan changes",
        run=_show_call,
        group="HTTP log",
        views=REPORT,
        possible=_no_call,
        belongs=lambda context: _in_log(context) or company_plans.in_plan(context),
        footer=10,
    ),
    Action(
        name="copy_curl",
        keys=("y",),
        label="Copy as curl",
        help="Copy the call as a curl command, with placeholders for secrets",
        run=_copy_curl,
        group="HTTP log",
        views=REPORT,
        possible=_no_call,
        belongs=_in_log,
        footer=20,
    ),
    Action(
        name="copy_page",
        keys=("y",),
        label="Copy",
        help="Copy this page",
        run=_copy_page,
        group="Raw",
        views=RAW,
        footer=10,
    ),
    Action(
        name="quit",
        keys=("q",),
        label="Quit",
        help="Go back; from the first view, quit",
        run=_quit,
        group="Go",
        leaves=True,
    ),
    Action(
        name="leave",
        keys=("ctrl+c",),
        label="Quit now",
        help="Quit; unsaved changes are discarded only after a question",
        run=_leave,
        group="Go",
        views=ALL,
    ),
    Action(
        name="help",
        keys=("?", "f1"),
        label="Help",
        help="Keys of this view, most used first, and why others are not available",
        run=_help,
        group="Go",
        views=ALL,
        footer=99,
        pinned=True,
    ),
)
