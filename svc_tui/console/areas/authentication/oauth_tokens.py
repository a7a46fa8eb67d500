"""OAuth tokens: the applications that act for the user, until that access is revoked (4.1, 5.5).

The service shows them only to the user who granted the access. A consent has no record of its own: it is asked for at
each authorization, and what was consented to are these tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.core import changes
from svc_tui.console.core.actions import RECORDS, Action
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Deletion, Display, Placement, Resource
from svc_tui.console.editing import record_edit
from svc_tui.console.widgets.formatting import NOTHING, day, is_past, moment
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.changes import FieldChange

KIND = "oauthtokens"
REVOKE = "oauthtokens.revoke"


def renewable(record: RecordData) -> bool:
    """Whether the application has a refresh token that is still valid."""
    return bool(record.get("refreshTokenExpiresAt")) and not is_past(record["refreshTokenExpiresAt"])


def _ends(record: RecordData) -> str:
    """When the last of the tokens ends."""
    return str(record.get("refreshTokenExpiresAt") or record.get("accessTokenExpiresAt") or "")


def _access(record: RecordData) -> str:
    if renewable(record):
        return _("renews itself")
    return _("ended") if is_past(_ends(record)) else _("once, one hour")


def _when(value: Any) -> str:
    return moment(str(value)) if value else NOTHING


def _says(record: RecordData) -> Sequence[str]:
    """The rights of the tokens and their lifetime."""
    name = TOKENS.label(record)
    allowed = _("{name} can do everything that you can do, until you revoke it or the tokens end.").format(name=name)
    if renewable(record):
        return (
            allowed,
            _(
                "An access token is valid for one hour. A refresh token gives new ones without a login until "
                "{when}; with rotation, each refresh extends this period."
            ).format(when=_when(record["refreshTokenExpiresAt"])),
        )
    if is_past(_ends(record)):
        return (_("The tokens of {name} have ended.").format(name=name),)
    return (allowed, _("It has no refresh token: its access ends on {when}.").format(when=_when(_ends(record))))


async def _stops(record: RecordData, context: Context) -> tuple[tuple[FieldChange, ...], str]:
    """What stops working with a revocation."""
    tokens = {"Access token": record.get("accessTokenExpiresAt"), "Refresh token": record.get("refreshTokenExpiresAt")}
    lost = (
        changes.FieldChange(label, _("valid until {when}").format(when=_when(ends)), _("refused at once"))
        for label, ends in tokens.items()
        if ends and not is_past(ends)
    )
    return tuple(lost), _("{label} can no longer act for you, until you allow it again in a browser.").format(
        label=TOKENS.label(record)
    )


def _stop_together(records: Sequence[RecordData]) -> tuple[Sequence[str], str]:
    return [_("access until {ends}").format(ends=day(_ends(record))) for record in records], _(
        "These applications can no longer act for you."
    )


def _own(context: Context) -> str:
    """The service shows OAuth tokens only to their user."""
    caller, record = context.workspace.caller, context.record
    if caller is None or record is None or record.get("id") == caller.user_id:
        return ""
    return _("only the user can see and revoke these")


async def _open(context: Context) -> None:
    await context.stage.open(TOKENS.place())


async def _open_of_application(context: Context) -> None:
    application = context.require_record()
    place = Place(("applications", str(application.get("id") or ""), KIND))
    await context.stage.open(place, owner=str(application.get("name") or ""))


async def _revoke(context: Context) -> None:
    await record_edit.call_on_records(context)


TOKENS = Resource(
    kind=KINDS[KIND],
    title="OAuth tokens",
    place_name="Your OAuth tokens",
    singular="OAuth token",
    aliases=("tokens", "token", "consent"),
    known_as=("consents", "authorization", "authorized applications"),
    label_field="appName",
    display=Display(
        columns=(
            Column(field="appName", title="APPLICATION", width=18, flex=3, sort_field="appName"),
            Column(field="access", title="ACCESS", width=14, of=_access),
            Column(field="scope", title="SCOPE", width=6, priority=3),
            Column(field="creationDate", title="ALLOWED", width=10, format=day, sort_field="creationDate", priority=1),
            Column(field="accessTokenIssuedAt", title="RENEWED", width=10, format=day, priority=2),
            Column(field="ends", title="ENDS", width=10, format=day, of=_ends),
        ),
        says=(_("What it means"), _says),
    ),
    query={"format": "full"},
    sort="appName",
    delete="revoke_oauth_token",
    deletion=Deletion(own_action=True, consequences=_stops, bulk_consequences=_stop_together),
    placement=Placement(
        within={"applications": lambda record, id: record.get("appId") == id},
    ),
)

ACTIONS: tuple[Action, ...] = (
    Action(
        name=REVOKE,
        keys=("x", "delete"),
        label="Revoke",
        help="Revoke the tokens: the application can no longer act for you",
        run=_revoke,
        group="Change",
        views=RECORDS,
        resource=KIND,
        operation="revoke_oauth_token",
        needs="records",
        footer=60,
        dangerous=True,
    ),
    Action(
        name="users.oauthtokens",
        keys=("O",),
        label="OAuth tokens",
        help="The applications that may act for you",
        run=_open,
        group="Go",
        views=RECORDS,
        resource="users",
        needs="record",
        possible=_own,
    ),
    Action(
        name="applications.oauthtokens",
        keys=("t",),
        label="Your OAuth tokens",
        help="The OAuth tokens that you granted to this application",
        run=_open_of_application,
        group="Go",
        views=RECORDS,
        resource="applications",
        needs="record",
    ),
)
