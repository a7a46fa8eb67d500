"""The end of every kind of login: checks of the user, the token, the response (2.2, 2.4)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.authentication import sessions as declared
from svc_tui.interface.authentication.mfa import LIMITED_SECONDS
from svc_tui.interface.authentication.user_rules import is_voice_only
from svc_tui.interface.authentication.users import User
from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
from svc_tui.server.hooks import request_observers
from svc_tui.server.log_lines import note_caller
from svc_tui.server.refusal import Refusal
from svc_tui.server.security import guard
from svc_tui.server.security.callers import check_state
from svc_tui.server.service import Service
from svc_tui.server.store.audit import act_as
from svc_tui.server.store.audit_values import name_of
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

_APPLICATION_FIELDS = (
    "id",
    "name",
    "type",
    "activity",
    "ownerId",
    "dateOfCreation",
    "dateOfDeploymentRequest",
    "dateOfDeployment",
    "env",
    "state",
    "platform",
)


def check_voice_only(user: Document) -> None:
    """Refuse (401223) a user with voice phone licences only."""
    if is_voice_only(user):
        raise Refusal(Code.VOICE_ONLY)


async def check_login(user: Document, store: Store, service: Service) -> None:
    """Refuse a user who may not log in, also after a proof by an identity provider: for their state, a lock, or their
    licences."""
    await check_state(store, user, service)
    await guard.check_unlocked(str(user["id"]), store, service)
    check_voice_only(user)


def user_token(user: Document, application: Document, service: Service, **claims: Any) -> str:
    """A full token. Its lifetime starts now."""
    now = int(service.clock.now().timestamp())
    common = {"countRenewed": 0, "maxTokenRenew": service.settings.max_token_renew}
    lifetime = {"iat": now, "exp": now + service.settings.token_lifetime}
    return service.tokens.sign({**common, **claims, **_parties(user, application), **_session(user), **lifetime})


def _limited_token(user: Document, application: Document, service: Service) -> str:
    """A token for the second factor only, valid for five minutes."""
    now = int(service.clock.now().timestamp())
    claims = {"maxTokenRenew": service.settings.max_token_renew, "mfaType": "totp"}
    lifetime = {"iat": now, "exp": now + LIMITED_SECONDS}
    return service.tokens.sign({**claims, **_parties(user, application), **_session(user), **lifetime})


def _session(user: Document) -> Document:
    """The claim that ends a token together with the sessions of its user; absent until the first end."""
    ended = user.get("sessionsEnded")
    return {"sessionsEnded": ended} if ended else {}


def _parties(user: Document, application: Document) -> Document:
    note_caller(str(user["id"]), str(application["id"]))
    return {
        "user": {"id": user["id"], "loginEmail": user.get("loginEmail")},
        "app": {"id": application["id"], "name": application.get("name")},
    }


async def complete_login(
    user: Document, application: Document, store: Store, service: Service, **claims: Any
) -> Document:
    """The response of a completed login, which is recorded for the user and the application."""
    user, application = await record_login(user, application, store, service)
    return login_response(user, application, user_token(user, application, service, **claims))


async def record_login(
    user: Document, application: Document, store: Store, service: Service
) -> tuple[Document, Document]:
    """The records of user and application after a login."""
    act_as(user, application)
    for observe in request_observers():
        observe(service, str(application["id"]), declared.login)
    store.audit.performed("login", kind="users", record_id=str(user["id"]), name=name_of(user))
    return await _recorded(user, store, service), await _activated(application, store, service)


def login_response(user: Document, application: Document, token: str) -> Document:
    """The response of login and renewal."""
    return {
        "token": token,
        "mfaRequired": False,
        "loggedInUser": {
            **User.answered(user, "full"),
            "roles": list(user.get("roles") or []),
            "jid_password": user.get("jid_password"),
        },
        "loggedInApplication": {name: application.get(name) for name in _APPLICATION_FIELDS},
    }


def limited_response(user: Document, application: Document, service: Service) -> Document:
    """The response of a login before its second factor: a limited token, and nothing that it does not contain."""
    parties = _parties(user, application)
    return {
        "token": _limited_token(user, application, service),
        "mfaRequired": True,
        "loggedInUser": parties["user"],
        "loggedInApplication": parties["app"],
    }


async def _recorded(user: Document, store: Store, service: Service) -> Document:
    await store.lock(f"user:{user['id']}")
    fresh = await store.users.get(str(user["id"])) or user
    if fresh.get("sessionsEnded") != user.get("sessionsEnded"):
        # A new password, or the end of the access, came while these credentials were checked.
        raise Refusal(Code.WRONG_CREDENTIALS)
    now = stamp(service.clock.now())
    first = fresh.get("firstLoginDate") or now
    logged_in = {"firstLoginDate": first, "lastLoginDate": now, "loggedSince": now, "lastSeenDate": now}
    return await store.users.put({**fresh, **logged_in})


async def _activated(application: Document, store: Store, service: Service) -> Document:
    # The first login through a new application makes it active (section 3).
    if application.get("state") != "new":
        return application
    await store.lock(f"application:{application['id']}")
    fresh = await store.applications.get(str(application["id"])) or application
    if fresh.get("state") != "new":
        return fresh
    return await store.applications.put({**fresh, "state": "active"})
