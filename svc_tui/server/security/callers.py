"""Authentication of requests: by Bearer token or API key, and the state of the user."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from svc_tui.interface.access import Caller, roles_of
from svc_tui.interface.authentication.user_rules import refusals
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.security.application_proof import by_api_key, check_application_token, check_open
from svc_tui.server.service import Service
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Operations that authenticate their callers themselves.
_OWN_AUTHENTICATION = (
    Credentials.NONE,
    Credentials.LOGIN,
    Credentials.BROWSER,
    Credentials.BACKCHANNEL,
    Credentials.APPLICATION,
)


@dataclass(frozen=True)
class Authenticated:
    """The caller of a request, with its records."""

    caller: Caller | None = None
    user: Document = field(default_factory=dict)
    application: Document = field(default_factory=dict)
    claims: Document = field(default_factory=dict)
    api_key: Document | None = None


async def authenticate(operation: AnyOperation, headers: Headers, store: Store, service: Service) -> Authenticated:
    """The caller of an operation. Refusal 401 without valid credentials, 403 with another kind of credentials."""
    if operation.credentials in _OWN_AUTHENTICATION:
        return Authenticated()
    scheme, _, token = headers.authorization.partition(" ")
    if scheme.lower() == "bearer":
        identity = await _by_token(operation, token.strip(), store, service)
    elif headers.api_key:
        identity = await _by_key(operation, headers, store, service)
    else:
        # An application token alone names no application, so it matches none.
        check_application_token(headers, None)
        raise Refusal(Code.UNAUTHORIZED, "credentials are missing")
    check_open(identity.application)
    check_application_token(headers, identity.application)
    return identity


async def _by_token(operation: AnyOperation, token: str, store: Store, service: Service) -> Authenticated:
    claims = service.tokens.read(token, service.clock.now())
    user_id, application_id = (str(claims.get(name, {}).get("id", "")) for name in ("user", "app"))
    records = await store.caller(user_id, application_id)
    user, application = _existing(records.user), records.application
    _check_state(user, records.company, service)
    if application is None:
        raise Refusal(Code.INVALID_TOKEN, "the application of this token does not exist")
    await _check_granted(claims, store)
    if not claims.get("oauth") and claims.get("sessionsEnded") != user.get("sessionsEnded"):
        raise Refusal(Code.INVALID_TOKEN, "this session was ended; log in again")
    if claims.get("mfaType") and operation.credentials is not Credentials.LIMITED:
        raise Refusal(Code.ROLE_MISSING, "this token is for the second factor only")
    if operation.credentials is Credentials.API_KEY:
        raise Refusal(Code.ROLE_MISSING, "needs an API key")
    if operation.no_oauth and claims.get("oauth"):
        raise Refusal(Code.ROLE_MISSING, "not available with an OAuth token: the user has to log in")
    return Authenticated(caller_of(user), user, application, claims)


async def _check_granted(claims: Document, store: Store) -> None:
    """Refuse (401202) an OAuth access token whose grant was revoked."""
    oauth = claims.get("oauth")
    if oauth is not None and await store.oauth_tokens.get(str(oauth.get("id", ""))) is None:
        raise Refusal(Code.INVALID_TOKEN, "this token was revoked")


async def _by_key(operation: AnyOperation, headers: Headers, store: Store, service: Service) -> Authenticated:
    key, application = await by_api_key(headers, store, service)
    if operation.credentials is Credentials.TOKEN:
        raise Refusal(Code.ROLE_MISSING, "not available with an API key")
    user = _existing(await store.users.get(str(key["userId"])))
    await check_state(store, user, service)
    return Authenticated(caller_of(user), user, application, {}, key)


def _existing(user: Document | None) -> Document:
    if user is None:
        raise Refusal(Code.INVALID_TOKEN, "the user of these credentials does not exist")
    return user


async def check_state(store: Store, user: Document, service: Service) -> None:
    """Refuse an inactive user (401520), a user of an inactive company (401521), and an expired account (401523)."""
    _check_state(user, await store.companies.get(str(user.get("companyId", ""))), service)


def _check_state(user: Document, company: Document | None, service: Service) -> None:
    refused = next(refusals(user, company, service.clock.now()), None)
    if refused is not None and refused.code is not None:
        raise Refusal(refused.code)


def caller_of(user: Document) -> Caller:
    """A user in terms of the access rules."""

    def text(name: str) -> str:
        value: Any = user.get(name)
        return str(value) if value else ""

    return Caller(
        user_id=str(user["id"]),
        roles=roles_of(user.get("roles") or [], user.get("adminType")),
        company_id=text("companyId"),
        organisation_id=text("organisationId"),
        site_id=text("siteId"),
    )
