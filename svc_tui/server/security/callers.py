"""Who is behind a request: Bearer token or API key, and whether that user may use the service now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from svc_tui.interface.access import Caller, roles_of
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.interface.timestamps import moment
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.security.api_key_caller import by_api_key
from svc_tui.server.security.application_proof import check_application_token, check_open
from svc_tui.server.service import Service
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Operations that find out themselves who calls.
_OWN_WAY = (Credentials.NONE, Credentials.LOGIN, Credentials.BROWSER, Credentials.BACKCHANNEL)


@dataclass(frozen=True)
class Authenticated:
    """Who calls, with the records behind it."""

    caller: Caller | None = None
    user: Document = field(default_factory=dict)
    application: Document = field(default_factory=dict)
    claims: Document = field(default_factory=dict)
    api_key: Document | None = None


async def authenticate(operation: AnyOperation, headers: Headers, store: Store, service: Service) -> Authenticated:
    """The caller of an operation. Refusal 401 without valid credentials, 403 with the wrong kind of them."""
    if operation.credentials in _OWN_WAY:
        return Authenticated()
    scheme, _, token = headers.authorization.partition(" ")
    if scheme.lower() == "bearer":
        identity = await _by_token(operation, token.strip(), store, service)
    elif headers.api_key:
        identity = await _by_key(operation, headers, store, service)
    else:
        raise Refusal(Code.UNAUTHORIZED, "credentials are missing")
    check_open(identity.application)
    check_application_token(headers, identity.application)
    return identity


async def _by_token(operation: AnyOperation, token: str, store: Store, service: Service) -> Authenticated:
    claims = service.tokens.read(token, service.clock.now())
    user = await _known(store, str(claims.get("user", {}).get("id", "")), service)
    application = await store.applications.get(str(claims.get("app", {}).get("id", "")))
    if application is None:
        raise Refusal(Code.INVALID_TOKEN, "the application of this token does not exist")
    if claims.get("mfaType") and operation.credentials is not Credentials.LIMITED:
        raise Refusal(Code.ROLE_MISSING, "this token opens the second factor only")
    if operation.credentials is Credentials.API_KEY:
        raise Refusal(Code.ROLE_MISSING, "needs an API key")
    return Authenticated(caller_of(user), user, application, claims)


async def _by_key(operation: AnyOperation, headers: Headers, store: Store, service: Service) -> Authenticated:
    key, application = await by_api_key(headers, store, service)
    if operation.credentials is Credentials.TOKEN:
        raise Refusal(Code.ROLE_MISSING, "not with an API key")
    user = await _known(store, str(key["userId"]), service)
    return Authenticated(caller_of(user), user, application, {}, key)


async def _known(store: Store, user_id: str, service: Service) -> Document:
    user = await store.users.get(user_id)
    if user is None:
        raise Refusal(Code.INVALID_TOKEN, "the user of these credentials does not exist")
    await check_state(store, user, service)
    return user


async def check_state(store: Store, user: Document, service: Service) -> None:
    """Refuse a user who is not active (401520), whose company is not (401521), or whose account is over (401523)."""
    if user.get("isActive") is False or user.get("isTerminated"):
        raise Refusal(Code.USER_INACTIVE)
    company = await store.companies.get(str(user.get("companyId", "")))
    if company is not None and company.get("status") in ("hold", "terminated"):
        raise Refusal(Code.COMPANY_INACTIVE)
    lifetime: Any = user.get("timeToLive")
    if isinstance(lifetime, int) and lifetime >= 0 and user.get("creationDate"):
        age = service.clock.now() - moment(str(user["creationDate"]))
        if age.total_seconds() >= lifetime:
            raise Refusal(Code.ACCOUNT_EXPIRED)


def caller_of(user: Document) -> Caller:
    """A user as the access rules see him."""

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
