"""The key from any record to its company."""

from __future__ import annotations

from svc_tui.console.core.actions import READING, Action
from svc_tui.console.core.places import FIND
from svc_tui.console.core.resource import Context
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.views import find
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.referenced_records import COMPANIES, USERS, CompanyReference, belonging, company_of

_NONE = _("this record belongs to no company")


def _has_records(context: Context) -> bool:
    return context.resource is not None or context.view.place.kind == FIND


def _found(context: Context) -> CompanyReference | str:
    """The company of the record, or why there is none."""
    view = context.view
    if view.place.kind == FIND and isinstance(view, find.FindView):
        hit = view.hit
        if hit is None:
            return _("no result is selected")
        if hit.kind == COMPANIES:
            return _("this is a company")
        return belonging(KINDS[hit.kind], hit.record, hit.above) or _NONE
    resource = context.require_resource()
    if resource.name == COMPANIES:
        return _("this is a company")
    path = resource.path_at(view.place, context.workspace.caller)
    above = {kind: path[parameter] for parameter, kind in resource.placement.path.items() if path[parameter]}
    return belonging(resource.kind, context.record or {}, {**above, **view.place.parents}) or _NONE


def _why_not(context: Context) -> str:
    found = _found(context)
    return found if isinstance(found, str) else ""


async def _open(context: Context) -> None:
    found, caller = _found(context), context.workspace.caller
    if isinstance(found, str):
        return
    if caller is not None and (found.kind, found.record_id) == (USERS, caller.user_id):
        found = CompanyReference(caller.company_id)
    try:
        company_id = await company_of(context.workspace, found)
    except ReadError as error:
        context.stage.show_message(error.sentence, "warn")
        return
    if company_id:
        await context.stage.open(BY_NAME[COMPANIES].place(company_id))
    else:
        context.stage.show_message(_("This record belongs to no company that you can see."), "warn")


ACTIONS = (
    Action(
        name="company",
        keys=("b",),
        label="Company",
        help="Open the company that the {record} belongs to",
        run=_open,
        group="Go",
        views=READING - {"home"},
        operation="get_company",
        possible=_why_not,
        belongs=_has_records,
    ),
)
