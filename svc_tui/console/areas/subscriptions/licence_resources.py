"""Licences: the holders of a subscription's licences, the licences of a user, and their assignment (4.6)."""

from __future__ import annotations

from functools import partial

from svc_tui.console.areas.subscriptions import licences, licences_view
from svc_tui.console.areas.subscriptions.cells import model
from svc_tui.console.core.actions import LIST, RECORDS, Action, refusal
from svc_tui.console.core.resource import Context, Display, Placement, Resource, managed
from svc_tui.console.widgets.formatting import day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.subscriptions import rules
from svc_tui.interface.subscriptions.facts import LicenceFacts
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.subscriptions import licences as licences_module

HOLDERS, LICENCES = "holders", "licences"
STATES = {
    "active": ("active", "ok"),
    "alerting": ("alerting", "warn"),
    "hold": ("on hold", "warn"),
    "terminated": ("terminated", "dim"),
}


def _subject(record: RecordData, caller: Caller) -> Subject:
    return managed(str(record.get("companyId") or caller.company_id), caller)


def _holders_view() -> type[licences_view.HoldersView]:
    return licences_view.HoldersView


def _holders(context: Context) -> licences_view.HoldersView | None:
    return context.view if isinstance(context.view, licences_view.HoldersView) else None


def _in_list(context: Context) -> bool:
    return _holders(context) is not None


async def _change(assign: bool, context: Context) -> None:
    await licences.change(context, assign=assign)


def _next_users(context: Context) -> None:
    if view := _holders(context):
        view.show_next()


def _why_not(assign: bool, context: Context) -> str:
    """Why the rules refuse the user under the cursor; marked users are checked one by one in the job."""

    view = _holders(context)
    if view is None or view.subscription is None or context.marked or context.record is None:
        return ""
    return licences_module.objection(context.record, view.subscription, assign=assign)


def _why_no_file(context: Context) -> str:
    return refusal("assign_licence", context, marked=bool(context.marked))


def _why_not_unassigned(context: Context) -> str:
    licence = LicenceFacts.known(context.record)
    broken = rules.unassignment_violation(licence) if licence is not None else None
    return broken.sentence if broken else ""


#: Users of a company with their licence of one subscription.
HOLDERS_RESOURCE = Resource(
    kind=Kind(
        HOLDERS,
        "list_users",
        "get_user",
        parameter="userId",
        text_column="displayName",
        server_filters=KINDS["users"].server_filters,
    ),
    title="Licences",
    singular="user",
    aliases=("licenceholders",),
    known_as=("licences of a subscription",),
    place_name="Licence holders",
    label_field="displayName",
    display=Display(
        columns=(Column(field="displayName", title="NAME"),),
        list_view=_holders_view,
    ),
    query={"format": "full"},
    sort="displayName",
    placement=Placement(
        parents={"companies": "companyId"},
        under="subscriptions",
        opens="users",
    ),
    subject=_subject,
)

LICENCES_RESOURCE = Resource(
    kind=KINDS[LICENCES],
    title="Licences",
    singular="licence",
    aliases=("licence",),
    known_as=("licences of a user", "license"),
    label_field="offerName",
    display=Display(
        columns=(
            Column(field="offerName", title="OFFER", width=18, flex=3),
            Column(field="profileName", title="PROFILE", width=14, flex=2),
            Column(field="status", title="STATUS", width=10, state=STATES),
            Column(field="isExclusive", title="EXCLUSIVE", width=9, priority=2),
            Column(field="businessModel", title="MODEL", width=11, format=model, priority=3),
            Column(field="assignationDate", title="SINCE", width=10, format=day, priority=1),
        ),
    ),
    placement=Placement(
        path={"userId": "users"},
    ),
    subject=_subject,
)

RESOURCES = (HOLDERS_RESOURCE, LICENCES_RESOURCE)

ACTIONS: tuple[Action, ...] = (
    Action(
        name="holders.assign",
        keys=("a",),
        label="Assign",
        help="Assign a licence to the user, or to all marked users",
        run=partial(_change, True),
        group="Change",
        views=LIST,
        resource=HOLDERS,
        operation="assign_licence",
        needs="records",
        possible=partial(_why_not, True),
        footer=20,
        belongs=_in_list,
    ),
    Action(
        name="holders.unassign",
        keys=("x", "delete"),
        label="Unassign",
        help="Unassign the licence from the user, or from all marked users",
        run=partial(_change, False),
        group="Change",
        views=LIST,
        resource=HOLDERS,
        operation="unassign_licence",
        needs="records",
        possible=partial(_why_not, False),
        footer=30,
        belongs=_in_list,
    ),
    Action(
        name="holders.who",
        keys=("w",),
        label="Users",
        help="Switch between users with a licence, without one, and all users",
        run=_next_users,
        group="Find",
        views=LIST,
        resource=HOLDERS,
        footer=40,
        belongs=_in_list,
    ),
    Action(
        name="holders.from_file",
        keys=("f",),
        label="From file",
        help="Assign or unassign licences for the logins in a CSV file, after a dry run",
        run=licences.ask_file,
        group="Change",
        views=LIST,
        resource=HOLDERS,
        possible=_why_no_file,
        footer=50,
        belongs=_in_list,
    ),
    Action(
        name="licences.assign",
        keys=("a",),
        label="Assign another",
        help="Assign the user a licence of another subscription of the company",
        run=licences.assign,
        group="Change",
        views=RECORDS,
        resource=LICENCES,
        operation="assign_licence",
        footer=20,
    ),
    Action(
        name="licences.unassign",
        keys=("x", "delete"),
        label="Unassign",
        help="Unassign this licence from the user",
        run=licences.unassign,
        group="Change",
        views=RECORDS,
        resource=LICENCES,
        operation="unassign_licence",
        needs="single",
        possible=_why_not_unassigned,
        footer=30,
    ),
)
