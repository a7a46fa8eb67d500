"""What users hold themselves: API keys, OAuth tokens, roles and the login."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from svc_tui.interface.access import ADMIN_TYPES, Role
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.leaving import (
    Holding,
    LeaveService,
    Leaving,
    listed,
    name_of,
    now_of,
    sequence,
    subject_of,
    user_now,
)
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.users.security import is_administrator

_BOTH, _ALL = ("keep", "free"), ("keep", "free", "hand-over")
_OWNERS = {Role.SUPERADMIN, Role.APP_SUPERADMIN}


class UserHoldings:
    """Holdings of the areas that every service has."""

    kinds: Mapping[str, str] = {
        "key": _("API key"),
        "grant": _("OAuth tokens"),
        "role": _("Roles"),
        "login": _("Login"),
    }

    async def read(
        self, service: LeaveService, user: RecordData, successor: RecordData | None, unread: dict[str, str]
    ) -> list[Holding]:
        """The holdings; proposed is that all but the login are free. ReadError."""
        found = []
        for each in await listed(service, "list_api_keys", {"userId": user["id"]}, user, self.kinds["key"], unread):
            name = str(each.get("description") or each["id"])
            note = _("ends at once, and cannot be undone")
            found.append(Holding(kind="key", id=str(each["id"]), name=name, choices=_BOTH, choice="free", note=note))
        if service.user_id == user.get("id"):
            for each in await listed(service, "list_oauth_tokens", {}, user, self.kinds["grant"], unread):
                name = str(each.get("appName") or each["id"])
                found.append(Holding(kind="grant", id=str(each["id"]), name=name, choices=_BOTH, choice="free"))
        else:
            unread[self.kinds["grant"]] = _("only the user can see and revoke these")
        if is_administrator(user):
            choices = _ALL if successor else _BOTH
            found.append(Holding(kind="role", id="roles", name=_roles(user), choices=choices, choice="free"))
        login = str(user.get("loginEmail") or "")
        if user.get("isActive") is not False:
            found.append(
                Holding(kind="login", id="login", name=login, choices=_BOTH, note=_("free: the user cannot log in"))
            )
        return found

    def step(self, service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
        """The requests of a choice."""
        steps: Mapping[str, Callable[..., JobStep]] = {
            "key": partial(_deleted, how=("get_api_key", "delete_api_key", "apiKeyId")),
            "grant": partial(_deleted, how=("get_oauth_token", "revoke_oauth_token", "tokenId")),
            "role": _role_step,
            "login": _login_step,
        }
        return steps[holding.kind](service, leaving, holding)

    def objections(self, leaving: Leaving) -> Mapping[str, str]:
        """None: they do not depend on each other."""
        return {}


def _deleted(service: LeaveService, leaving: Leaving, holding: Holding, how: tuple[str, str, str]) -> JobStep:
    """A step that deletes a record. `how`: its operations that get and delete it, and its parameter in their path."""
    get, delete, parameter = how
    subject = subject_of(leaving.user, service.caller)
    step = JobStep(holding.id, path={parameter: holding.id}, operation_id=delete, subject=subject)

    async def check() -> JobStep | None:
        return step if await now_of(service, get, step.path) is not None else None

    return sequence([step], check)


def _roles(user: RecordData) -> str:
    return ", ".join(
        str(user.get("adminType") or each) if each == "admin" else str(each)
        for each in user.get("roles") or ()
        if each != "user"
    )


def _role_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    subject = subject_of(leaving.user, service.caller)

    def request(user: RecordData, roles: list[str], admin_type: object = None) -> JobStep:
        path = {"userId": str(user["id"])}
        body: dict[str, Any] = {"roles": roles}
        if admin_type in ADMIN_TYPES and "admin" in roles:
            body["adminType"] = admin_type
        label = _("Roles of {name}").format(name=name_of(user))
        old: dict[str, Any] = {"roles": list(user.get("roles") or ())}
        if "admin" in old["roles"]:
            old["adminType"] = user.get("adminType")
        undo = UndoEntry(label, "users", path["userId"], "update_user", path, dict(old), old, dict(body))
        return JobStep(path["userId"], path=path, body=body, subject=subject, operation_id="update_user", undo=undo)

    async def check() -> JobStep | None:
        user = await user_now(service, leaving.user["id"])
        requests = [request(user, ["user"])] if is_administrator(user) else []
        if holding.choice == "hand-over" and requests:
            heir = await user_now(service, leaving.successor["id"])
            own = [str(each) for each in heir.get("roles") or ()]
            more = [str(each) for each in user.get("roles") or () if each not in own]
            if more:
                kept = heir.get("adminType") if "admin" in own else user.get("adminType")
                requests.insert(0, request(heir, [*own, *more], kept))
        return sequence(requests) if requests else None

    return sequence([request(leaving.user, ["user"])], check)


def _login_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    path, body = {"userId": leaving.user["id"]}, {"isActive": False}
    label = _("Login of {name}").format(name=name_of(leaving.user))
    before = {"id": leaving.user["id"], "isActive": True}
    undo = UndoEntry.of_update(label, KINDS["users"], "update_user", path, body, before)
    subject = subject_of(leaving.user, service.caller)
    step = JobStep(leaving.user["id"], path=path, body=body, subject=subject, operation_id="update_user", undo=undo)

    async def check() -> JobStep | None:
        user = await user_now(service, leaving.user["id"])
        return None if user.get("isActive") is False else step

    return sequence([step], check)
