"""Applications: columns and actions (2.6, 3, 4.5)."""

from __future__ import annotations

from collections.abc import Callable

from svc_tui.console.areas.applications import oauth_view, try_oauth
from svc_tui.console.core.actions import FORM, RECORDS, REPORT, Action
from svc_tui.console.core.resource import Context, Display, Editing, Placement, Resource
from svc_tui.console.editing import record_edit
from svc_tui.console.views import form
from svc_tui.console.widgets.formatting import choice, day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.companies.kinds import ACTIVITIES
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

STATES = {
    "new": ("new", "accent"),
    "active": ("active", "ok"),
    "blocked": ("blocked", "bad"),
    "stopped": ("stopped", "warn"),
    "deleted": ("deleted", "dim"),
}
ENVS = {
    "deployed": ("deployed", ""),
    "in_deployment": ("deploying", "warn"),
    "not_deployed": ("not deployed", ""),
}


def _activity(value: object, record: RecordData) -> str:
    """The economic activity in words, its letter if it has none."""
    words = ACTIVITIES.get(str(value))
    return choice(value) if words is None else _(words)


def _subject(record: RecordData, caller: Caller) -> Subject:
    return Subject(owner_id=str(record.get("ownerId") or ""))


def _frozen(record: RecordData) -> str:
    if record.get("kpi") == "svcstore":
        return _("store applications are managed in the store")
    return _("the application is deleted") if record.get("state") == "deleted" else ""


def _when(*states: str) -> Callable[[Context], str]:
    """Possible only in these states."""

    def possible(context: Context) -> str:
        record = context.record
        if context.marked or record is None:
            return ""
        if reason := _frozen(record):
            return reason
        return (
            ""
            if record.get("state") in states
            else _("the application is {state}").format(state=choice(record.get("state")))
        )

    return possible


async def _new_secret(context: Context) -> None:
    await record_edit.update_record(
        context, {"refreshAppSecret": True}, _("New secret"), _("The old secret stops working at once.")
    )


def _edits_oauth(context: Context) -> bool:
    """Whether the form on top has the OAuth settings; that of the filters has not."""
    view = context.view
    return isinstance(view, form.FormView) and any(spec.wire == "oauthRedirectUris" for spec in view.form.specs)


def _changing(context: Context) -> str:
    """Settings of a form are changed there, and sent from there."""
    view = context.view
    return "" if isinstance(view, oauth_view.OAuthView) and view.form is not None else "update_application"


APPLICATIONS = Resource(
    kind=KINDS["applications"],
    title="Applications",
    singular="application",
    aliases=("apps", "app"),
    section=1,
    display=Display(
        facts=("env", "type", "dateOfCreation"),
        columns=(
            Column(field="name", title="NAME", width=18, flex=3, limit=30, sort_field="name"),
            Column(field="state", title="STATE", width=8, state=STATES, sort_field="state"),
            Column(field="type", title="TYPE", width=8, format=choice, sort_field="type", priority=2),
            Column(field="env", title="ENV", width=12, state=ENVS, sort_field="env", priority=1),
            Column(
                field="activity",
                title="ACTIVITY",
                width=12,
                flex=1,
                limit=36,
                format=_activity,
                sort_field="activity",
                priority=5,
            ),
            Column(field="origin", title="ORIGIN", width=10, flex=1, limit=24, sort_field="origin", priority=4),
            Column(
                field="dateOfCreation", title="CREATED", width=10, format=day, sort_field="dateOfCreation", priority=3
            ),
        ),
    ),
    query={"format": "medium"},
    sort="name",
    create="create_application",
    update="update_application",
    delete="delete_application",
    subject=_subject,
    placement=Placement(
        parents={"users": "ownerId"},
    ),
    editing=Editing(
        frozen=lambda record: _("the application is deleted") if record.get("state") == "deleted" else "",
    ),
)

RESOURCES = (APPLICATIONS,)

ACTIONS: tuple[Action, ...] = (
    Action(
        name="applications.stop",
        keys=("S",),
        label="Stop",
        help="Stop the application for all users; it can be restarted",
        run=record_edit.call_on_records,
        group="Change",
        views=RECORDS,
        resource="applications",
        operation="stop_application",
        needs="records",
        possible=_when("new", "active"),
        footer=40,
    ),
    Action(
        name="applications.restart",
        keys=("R",),
        label="Restart",
        help="Restart a stopped application",
        run=record_edit.call_on_records,
        group="Change",
        views=RECORDS,
        resource="applications",
        operation="restart_application",
        needs="records",
        possible=_when("stopped"),
        footer=50,
    ),
    Action(
        name="applications.secret",
        keys=("N",),
        label="New secret",
        help="Create a new application secret; the old one stops working",
        run=_new_secret,
        group="Change",
        views=RECORDS,
        resource="applications",
        operation="update_application",
        needs="single",
    ),
    Action(
        name="applications.oauth",
        keys=("O",),
        label="OAuth",
        help="Explain the OAuth settings and their risks",
        run=oauth_view.show_settings,
        group="Go",
        views=RECORDS,
        resource="applications",
        needs="record",
    ),
    Action(
        name="applications.oauth_form",
        keys=("f3",),
        label="Explain OAuth",
        help="Explain the OAuth settings as they are edited",
        run=oauth_view.show_edited,
        group="Form",
        views=FORM,
        resource="applications",
        belongs=_edits_oauth,
    ),
    Action(
        name="applications.oauth_change",
        keys=("enter",),
        label="Change",
        help="Change the selected OAuth setting",
        run=oauth_view.change_setting,
        group="Change",
        views=REPORT,
        resource="applications",
        operation=_changing,
        needs="record",
        possible=lambda c: oauth_view.cannot_change(c),
        footer=10,
    ),
    Action(
        name="applications.try_oauth",
        keys=("T",),
        label="Try it",
        help="Try the OAuth flow: log in in a browser on this machine, and see which tokens come back",
        run=try_oauth.try_oauth,
        group="Go",
        views=RECORDS | REPORT,
        resource="applications",
        operation="oauth_token",
        needs="record",
        possible=lambda c: oauth_view.cannot_try(c),
    ),
)
