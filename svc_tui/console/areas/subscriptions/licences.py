"""Assigning and unassigning licences: one with a preview, many as a job, by marks or by the logins of a file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from svc_tui.client.errors import ServiceError
from svc_tui.console.areas.subscriptions.licences_view import HoldersView
from svc_tui.console.core.actions import find_action, performed
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context, managed
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.bulk import BulkBox, marked_rows, show_result
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.access import Subject
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files.login_column import LoginFileError, Logins, read_logins
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.subscriptions.licences import objection, objections
from svc_tui.workspace.subscriptions.reports import idle_rows

ASSIGN, UNASSIGN = "assign_licence", "unassign_licence"
UNKNOWN_LOGIN = _("no user of this company has this login")


def _operation(assign: bool) -> str:
    return ASSIGN if assign else UNASSIGN


def _view(context: Context) -> HoldersView:
    return context.require_view(HoldersView)


# --- from a subscription ---------------------------------------------------------------------------------------


async def change(context: Context, *, assign: bool) -> None:
    """Assign a licence to the user under the cursor, or unassign it; for marked users as a job."""
    view = _view(context)
    if context.marked:
        rows = [(user_id, _row(view, user_id)) for user_id in context.marked]
        unfinished = await _job(context, assign, [(user_id, row or {"id": user_id}) for user_id, row in rows], ())
        view.records.set_marks(unfinished)
        return
    subscription = view.subscription or {"id": view.subscription_id, "offerName": view.called}
    await _one(context, context.require_record(), subscription, assign=assign)


async def _one(context: Context, user: RecordData, subscription: RecordData, *, assign: bool) -> None:
    """One licence, after a preview."""
    offer, who = str(subscription.get("offerName") or "?"), str(user.get("displayName") or user.get("id"))
    label = f"{_('Assign') if assign else _('Unassign')} {offer} {'to' if assign else 'from'} {who}"
    path = {"userId": str(user["id"]), "subscriptionId": str(subscription["id"])}
    change = Change(
        label=label,
        operation=_operation(assign),
        path=path,
        body={} if assign else None,
        fields=_fields(subscription, assign),
        reach=_("Affects 1 user."),
        warning="" if assign else _("The user loses the features of this licence at once."),
        undo=_undo(label, path, offer, assign),
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        undo = context.with_keys(_("{undo} undoes it."))
        context.stage.show_message(_("{label}: done. {undo}").format(label=label, undo=undo), "ok")


def _fields(subscription: RecordData, assign: bool) -> tuple[FieldChange, ...]:
    """How many licences are assigned, before and after."""
    used, most = subscription.get("numberAssignedUsers"), subscription.get("maxNumberUsers")
    if not isinstance(used, int):
        return ()
    of = _(" of {most}").format(most=most) if most is not None else ""
    return (FieldChange(_("Assigned"), f"{used}{of}", f"{used + (1 if assign else -1)}{of}"),)


def _row(view: HoldersView, user_id: str) -> RecordData | None:
    index = view.listing.index_of(user_id)
    return view.listing.row(index) if index is not None else None


async def _job(
    context: Context, assign: bool, users: Sequence[tuple[str, RecordData]], unknown: Sequence[str]
) -> Sequence[str]:
    """Assign or unassign as a job: refused users are skipped, with the reason. Returns the unfinished IDs."""
    view = _view(context)
    # A job from a file is named after what it does.
    action = find_action(context, "holders.assign" if assign else "holders.unassign")
    steps = [_step(view, user_id, user, assign) for user_id, user in users]
    steps += [JobStep(login, login) for login in unknown]
    reasons = dict.fromkeys(unknown, UNKNOWN_LOGIN)
    if view.subscription is not None:
        known = [(user_id, user) for user_id, user in users if "profiles" in user]
        reasons |= objections(known, view.subscription, assign=assign)
    job = Job(context.workspace, _operation(assign), steps)
    unfinished = await context.stage.ask(BulkBox(context.workspace.journal, action, view.resource, job, reasons))
    view.refresh_now()
    show_result(context, action.label, job)
    return unfinished or ()


def _step(view: HoldersView, user_id: str, user: RecordData, assign: bool) -> JobStep:
    label = str(user.get("loginEmail") or user.get("displayName") or user_id)
    path = {"userId": user_id, "subscriptionId": view.subscription_id}
    undo = _undo(f"{_('Assign') if assign else _('Unassign')} {view.called}: {label}", path, view.called, assign)
    return JobStep(user_id, label, path, None, _subject(view, user), undo=undo)


def _undo(label: str, path: RecordData, offer: str, assign: bool) -> UndoEntry | None:
    about = {"subscriptionId": path["subscriptionId"], "offerName": offer}
    return UndoEntry.of_opposite(label, KINDS["licences"], _operation(assign), path, about)


def _subject(view: HoldersView, user: RecordData) -> Subject | None:
    caller = view.workspace.caller
    return managed(str(user.get("companyId") or view.company_id), caller) if caller else None


# --- from the report of idle licences ----------------------------------------------------------------------------


async def take_back(context: Context) -> None:
    """Unassign the idle licence under the cursor after a preview; of marked rows as a job.

    The report can be an hour old: each user is read again before, and keeps what is used by now.
    """
    if not context.marked:
        row = context.require_record()
        user = await _user(context, {"userId": str(row["userId"])})
        if not _is_idle(user, row, context):
            context.stage.show_message(_("Nothing was changed: {reason}").format(reason=_USED), "warn")
            context.require_view(ListView).refresh_now()
            return
        await _one(context, user, {"id": row["subscriptionId"], "offerName": row["offerName"]}, assign=False)
        return
    view, resource = context.require_view(ListView), context.require_resource()
    rows = await marked_rows(context, view)
    job = Job(
        context.workspace, UNASSIGN, [_take_back_step(context, record_id, row) for record_id, row in rows.items()]
    )
    action = performed(context)
    unfinished = await context.stage.ask(BulkBox(context.workspace.journal, action, resource, job, {}))
    view.records.set_marks(unfinished or ())
    show_result(context, action.label, job)


_USED = _("The licence is used again, or was taken back elsewhere.")


def _take_back_step(context: Context, record_id: str, row: RecordData) -> JobStep:
    path = {"userId": str(row["userId"]), "subscriptionId": str(row["subscriptionId"])}
    offer, caller = str(row.get("offerName") or "?"), context.workspace.caller
    label = f"{row.get('loginEmail') or row.get('displayName')}: {offer}"
    subject = managed(str(row.get("companyId") or ""), caller) if caller else None
    undo = _undo(f"{_('Unassign')} {label}", path, offer, False)
    step = JobStep(record_id, label, path, None, subject, undo=undo)

    async def still_idle() -> JobStep:
        if not _is_idle(await _user(context, {"userId": path["userId"]}), row, context):
            raise ServiceError(_USED)
        return step

    return replace(step, check=still_idle)


def _is_idle(user: RecordData, row: RecordData, context: Context) -> bool:
    now = datetime.fromtimestamp(context.workspace.now(), UTC)
    return any(each["id"] == row["id"] for each in idle_rows(user, now))


# --- from a file -----------------------------------------------------------------------------------------------


class LoginsBox(PathBox[Logins]):
    """Returns the logins of a CSV file; other files are refused in the dialog."""

    ENDINGS = (".csv", ".txt")

    async def take(self, path: str) -> None:
        try:
            self.dismiss(await asyncio.to_thread(read_logins, Path(path)))
        except LoginFileError as error:
            self.show_error(str(error))


def ask_file(context: Context) -> None:
    """Assign or unassign licences for the logins of a file; the next key chooses."""
    choices = {"a": (_("Assign"), True), "x": (_("Unassign"), False)}
    text = [Piece(_(" licences from file   "), "accent")]
    for key, (label, __) in choices.items():
        text += [Piece(key, "key"), Piece(f" {label}   ")]
    keys = {key: partial(_from_file, context, assign=assign) for key, (__, assign) in choices.items()}
    context.stage.await_key(keys, text)


async def _from_file(context: Context, *, assign: bool) -> None:
    view = _view(context)
    title = _("{assign} {called}: CSV file with logins").format(
        assign=_("Assign") if assign else _("Unassign"), called=view.called
    )
    logins = await context.stage.ask(LoginsBox(title, _("The column loginEmail is read, or the only column.")))
    if logins is None:
        return
    users = await _users(view, logins.found)
    found = [(str(user["id"]), user) for login in logins.found if (user := users.get(login.casefold()))]
    unknown = [login for login in logins.found if login.casefold() not in users]
    await _job(context, assign, found, unknown)


async def _users(view: HoldersView, logins: Sequence[str]) -> dict[str, RecordData]:
    """The users of the company with one of these logins. ReadError when not all of them could be read."""
    folded = {login.casefold() for login in logins}
    query = {**view.resource.query, **view.resource.query_at(view.place), "companyId": view.company_id}
    listing = view.workspace.listing(view.resource.list, query=query)
    try:
        named = [(str(row.get("loginEmail") or "").casefold(), row) async for row in listing.rows()]
    finally:
        listing.close()
    return {login: row for login, row in named if login in folded}


# --- from a user -----------------------------------------------------------------------------------------------


async def unassign(context: Context) -> None:
    """Unassign the licence under the cursor."""
    record = context.require_record()
    user = await _user(context)
    await _one(context, user, {**record, "id": record["subscriptionId"]}, assign=False)


async def assign(context: Context) -> None:
    """Choose a subscription of the user's company, and assign a licence of it."""
    user = await _user(context)
    body = await context.workspace.read(
        "list_company_subscriptions", {"companyId": str(user.get("companyId") or "")}, {"format": "full"}
    )
    rows = body.get("data") if isinstance(body, dict) else None
    subscriptions = {str(row.get("id")): row for row in rows or () if isinstance(row, dict)}
    choices = [_choice(user, subscription) for subscription in subscriptions.values()]
    choices.sort(key=lambda choice: bool(choice.reason))
    chosen = await context.stage.ask(
        Picker(_("Licence for {name}").format(name=user.get("displayName") or user["id"]), choices)
    )
    if chosen is not None:
        await _one(context, user, subscriptions[chosen], assign=True)


def _choice(user: RecordData, subscription: RecordData) -> Choice:
    most, used = subscription.get("maxNumberUsers"), subscription.get("numberAssignedUsers")
    seats = _("{used} of {most} assigned").format(used=used or 0, most=most) if most is not None else ""
    why = objection(user, subscription, assign=True)
    return Choice(str(subscription.get("id")), str(subscription.get("offerName") or "?"), seats, why)


async def _user(context: Context, path: Mapping[str, str] | None = None) -> RecordData:
    """The user of the list, or at a path, with all fields."""
    if path is None:
        path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    body = await context.workspace.read("get_user", path, {"format": "full"})
    user = body.get("data") if isinstance(body, dict) else None
    if not isinstance(user, dict) or not user.get("id"):
        raise ReadError(_("The user could not be read."))
    return user
