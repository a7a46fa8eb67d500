"""The search over everything: its text, its results, and more of them."""

from __future__ import annotations

from svc_tui.console.core.actions import RESULTS, Action
from svc_tui.console.core.places import FIND, Place
from svc_tui.console.core.resource import Context
from svc_tui.console.views import find
from svc_tui.console.widgets.prompt import FILTER, PromptRequest
from svc_tui.language import _


def _finds(context: Context) -> bool:
    return context.view.place.kind == FIND


async def _find(context: Context) -> None:
    if not _finds(context):
        await context.stage.open(Place((FIND,)))
    _edit(context)


def _edit(context: Context) -> None:
    view = context.stage.top
    if isinstance(view, find.FindView):
        context.stage.open_prompt(PromptRequest(FILTER, view.text))


def _no_result(context: Context) -> str:
    view = context.view
    selected = isinstance(view, find.FindView) and (view.hit is not None or view.shortened)
    return "" if selected else _("no result is selected")


async def _open(context: Context) -> None:
    view = context.require_view(find.FindView)
    if view.shortened:
        view.show_all()
    elif view.hit is not None:
        await context.stage.open(view.place_of(view.hit), known=view.hit.record)


def _nothing_more(context: Context) -> str:
    view = context.view
    return "" if isinstance(view, find.FindView) and view.can_continue else _("everything was searched")


def _more(context: Context) -> None:
    context.require_view(find.FindView).search_rest()


ACTIONS = (
    Action(
        name="find",
        keys=("ctrl+k",),
        label="Find",
        help="Find users, companies, numbers, devices, invoices and more by a text",
        run=_find,
        group="Go",
    ),
    Action(
        name="find_from_home",
        keys=("/",),
        label="Find",
        help="Find users, companies, numbers, devices, invoices and more by a text",
        run=_find,
        group="Find",
        views=frozenset({"home"}),
        footer=20,
    ),
    Action(
        name="find_open",
        keys=("enter",),
        label="Open",
        help="Open the result, or show all results of the kind",
        run=_open,
        group="Find",
        views=RESULTS,
        possible=_no_result,
        footer=10,
    ),
    Action(
        name="find_text",
        keys=("/",),
        label="Find",
        help="Change the text that is searched for",
        run=_edit,
        group="Find",
        views=RESULTS,
        footer=20,
    ),
    Action(
        name="find_more",
        keys=("m",),
        label="Search the rest",
        help="Search all companies and CloudPBXs that are left",
        run=_more,
        group="Find",
        views=RESULTS,
        possible=_nothing_more,
        footer=30,
    ),
)
