"""Users: their list, and what administrators do with them (2.4)."""

from __future__ import annotations

from typing import Any

from svc_tui.console.areas.authentication import passwords, user_deletion, user_editing, user_file
from svc_tui.console.areas.authentication.passwords import is_locked
from svc_tui.console.core.actions import LIST, RECORDS, Action
from svc_tui.console.core.resource import Context, Deletion, Display, Editing, Placement, RelatedList, Resource
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS


def roles_in_words(value: Any, record: RecordData) -> str:
    """The roles of a user beside `user`, with the type of an administrator."""
    if not isinstance(value, list):
        return NOTHING
    named = [str(record.get("adminType") or role) if role == "admin" else str(role) for role in value if role != "user"]
    return ", ".join(named) or "user"


def _subject(record: RecordData, caller: Caller) -> Subject:
    """A user, who belongs to the caller's company, or to one that the caller manages because they see the user."""
    company, site = str(record.get("companyId") or caller.company_id), str(record.get("siteId") or caller.site_id)
    owner = str(record.get("id") or "")
    if company == caller.company_id:
        return Subject(owner, company, caller.organisation_id, site_id=site)
    return Subject(owner, company, caller.organisation_id, caller.company_id, site)


def _frozen(record: RecordData) -> str:
    return _("the user is deleted") if record.get("isTerminated") else ""


def _not_own(context: Context) -> str:
    """Why the record is not changed in this way: it is the caller's own."""
    record, caller = context.record, context.workspace.caller
    if context.marked or record is None or caller is None:
        return ""
    return _frozen(record) or (_("this is your own account") if record.get("id") == caller.user_id else "")


def _cannot_set_password(context: Context) -> str:
    record, caller = context.record, context.workspace.caller
    if record is not None and caller is not None and record.get("id") == caller.user_id:
        return _("your own password is changed in your account")
    return _manageable(context)


def _manageable(context: Context) -> str:
    """Why the caller may not decide on the logins of this user."""
    if context.marked or context.record is None or not context.stage.declared:
        return ""
    reason: str = user_editing.why_not_managed(context.record, context.workspace.caller)
    return _frozen(context.record) or reason


def _cannot_switch(active: bool) -> Any:
    def reason(context: Context) -> str:
        record = context.record
        if context.marked or record is None:
            return ""
        if record.get("isActive") is active:
            return _("the user is active already") if active else _("the user is inactive already")
        return _not_own(context) or _manageable(context)

    return reason


def _cannot_unlock(context: Context) -> str:
    if context.record is not None and "lockedUntil" in context.record and not is_locked(context.record):
        return _("the account is not locked")
    return _cannot_set_password(context)


def _forbids(operation_id: str, record: RecordData, context: Context) -> str:
    return (_not_own(context) or _manageable(context)) if operation_id == "delete_user" else ""


USERS = Resource(
    kind=KINDS["users"],
    title="Users",
    singular="user",
    aliases=("user", "account", "member", "members"),
    known_as=("login", "member", "password", "locked account"),
    section=3,
    label_field="displayName",
    detail_field="loginEmail",
    create="create_user",
    update="update_user",
    delete="delete_user",
    subject=_subject,
    display=Display(
        columns=(
            Column(
                field="displayName",
                title="NAME",
                width=16,
                flex=1,
                limit=28,
                sort_field="displayName",
                also=("firstName", "lastName"),
            ),
            Column(
                field="loginEmail",
                title="LOGIN",
                width=24,
                flex=1,
                limit=40,
                whole=33,
                sort_field="loginEmail",
                priority=1,
            ),
            Column(
                field="roles",
                title="ROLES",
                width=12,
                flex=1,
                format=roles_in_words,
                priority=3,
                also=("adminType",),
            ),
            Column(
                field="companyName",
                title="COMPANY",
                width=15,
                flex=1,
                sort_field="companyName",
                # Not left out for a whole login: where its end is cut, this shows the company.
                priority=1,
                across=True,
            ),
            Column(
                field="isActive", title="STATE", width=8, state={True: ("active", "ok"), False: ("inactive", "bad")}
            ),
            Column(field="lastLoginDate", title="LAST LOGIN", width=14, aged=True, priority=4),
        ),
    ),
    query={"format": "medium"},
    sort="displayName",
    placement=Placement(
        parents={"companies": "companyId"},
    ),
    editing=Editing(
        frozen=_frozen,
        forbids=_forbids,
        may_set=user_editing.may_set,
        begins=user_editing.begin,
        rules=user_editing.rules_of,
        narrows=user_editing.narrowed,
        editors={
            "password": passwords.ask_password,
            "licences": user_editing.ask_licences,
        },
        also=user_editing.licences,
        not_alike=frozenset(
            {
                *("loginEmail", "firstName", "lastName", "nickName", "password", "emails", "phoneNumbers"),
                *("isActive", "isInitialized", "authenticationExternalUid", "userInfo1", "userInfo2", "customData"),
            }
        ),
    ),
    deletion=Deletion(
        own_action=True,
        consequences=user_deletion.consequences,
        bulk_consequences=user_deletion.bulk_consequences,
    ),
    related=(
        RelatedList("a", "applications", "Applications"),
        RelatedList("K", "apikeys", "API keys"),
    ),
)

ACTIONS: tuple[Action, ...] = (
    Action(
        name="users.delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the user, after a list of everything that ends",
        run=user_deletion.delete_user,
        group="Change",
        views=RECORDS,
        resource="users",
        operation="delete_user",
        needs="records",
        possible=lambda c: _not_own(c) or _manageable(c),
        footer=60,
        dangerous=True,
    ),
    Action(
        name="users.password",
        keys=("P",),
        label="Set password",
        help="Set a new password, typed or made; it also unlocks the account",
        run=passwords.set_password,
        group="Change",
        views=RECORDS,
        resource="users",
        operation="update_user",
        needs="single",
        possible=_cannot_set_password,
        footer=35,
    ),
    Action(
        name="users.unlock",
        keys=("U",),
        label="Unlock",
        help="Unlock the account with a new password",
        run=passwords.unlock,
        group="Change",
        views=RECORDS,
        resource="users",
        operation="update_user",
        needs="single",
        possible=_cannot_unlock,
    ),
    Action(
        name="users.deactivate",
        keys=("S",),
        label="Deactivate",
        help="Deactivate the user: no login, and all sessions end",
        run=user_editing.deactivate,
        group="Change",
        views=RECORDS,
        resource="users",
        operation="update_user",
        needs="records",
        possible=_cannot_switch(False),
        footer=45,
    ),
    Action(
        name="users.activate",
        keys=("R",),
        label="Activate",
        help="Activate the user, who can then log in",
        run=user_editing.activate,
        group="Change",
        views=RECORDS,
        resource="users",
        operation="update_user",
        needs="records",
        possible=_cannot_switch(True),
        footer=46,
    ),
    Action(
        name="users.import",
        keys=("I",),
        label="Import",
        help="Create, update and delete users from a file, after a check",
        run=user_file.import_users,
        group="Change",
        views=LIST,
        resource="users",
        operation="create_user",
    ),
)
