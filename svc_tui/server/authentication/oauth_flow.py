"""The steps of an OAuth 2.0 authorization that all its pages share: its request, its state between requests, the
contents of a code, the end of the login, the redirect.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from urllib.parse import urlencode

from svc_tui.interface.addresses import target_of
from svc_tui.interface.authentication.proof import CODE_SECONDS
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication import oauth_pages as pages
from svc_tui.server.authentication.discovery import discovered_user, method_of
from svc_tui.server.authentication.oauth_grants import CODE, hash_of, new_grant
from svc_tui.server.authentication.provider_logins import begin
from svc_tui.server.authentication.tickets import LoginTicket
from svc_tui.server.http.pages import STEP_SECONDS, facts_list
from svc_tui.server.http.parsing import storable
from svc_tui.server.provider_requests import IdentityProviderError
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, PageResult, RedirectResult
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import CLOSED_STATES
from svc_tui.server.security.browsers import Step, ended, is_same_browser, new_step
from svc_tui.server.security.single_sign_on import ForbiddenRedirect, check_redirect, with_query
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication, StoredCompany, StoredUser

IMPOSTOR = "This application has the name of one of the service's own clients. Its owner must rename it."
_UNKNOWN = "unknown"


async def application_facts(
    store: Store, application: StoredApplication, address: str = "", more: Mapping[str, str] = MappingProxyType({})
) -> str:
    """A list for the page: the application, its owner and company, the host of the address, and more facts."""
    owner = typed(StoredUser, await store.users.get(application.owner_id))
    company = typed(StoredCompany, await store.companies.get(owner.company_id or "")) if owner else None
    facts = {
        "Application": application.name,
        "Owner": (owner.display_name if owner else None) or _UNKNOWN,
        "Company": (company.name if company else None) or _UNKNOWN,
    }
    target = {"Access goes to": target_of(address)} if address else {}
    return facts_list({**facts, **target, **more})


EXPIRED = "This page has expired, or belongs to another browser. Start again in the application."


async def logged_in(
    call: AnyCall, id: str, request: AuthorizationTicket, application: StoredApplication, user: StoredUser
) -> PageResult | RedirectResult:
    """What follows a login of any kind: the consent page or, without one, the redirect."""
    try:
        await check_redirect(call.store, call.service.settings, user.company_id, request.redirect_uri)
    except ForbiddenRedirect as error:
        return pages.error_page(str(error.details))
    if await call.store.tickets.take(REQUEST, id, now=call.now) is None:
        return pages.error_page(EXPIRED)
    await logins.record_login(document_of(user), document_of(application), call.store, call.service)
    if application.disable_oauth_consent_screen:
        return await granted(call, id, request, application, user)
    consent = await next_step(call, {**document_of(request), "pendingUserId": "", **login_of(user)})
    facts = await application_facts(call.store, application, request.redirect_uri)
    return page(
        pages.consent_page(application, user, consent.id, facts),
        request,
        {**ended(call.headers, id), **consent.cookies},
    )


def login_of(user: StoredUser, wire: str = "userId") -> Document:
    """The login of a user, in the ticket of an authorization."""
    return {wire: user.id, "sessionsEnded": user.sessions_ended}


async def next_step(call: AnyCall, request: Document) -> Step:
    """The request under a new id, for this browser only: a browser that knew the one before the login does not have
    it."""
    step = new_step(call)
    await keep_ticket(call, REQUEST, step.id, {**request, "browser": step.browser})
    return step


async def granted(
    call: AnyCall, id: str, request: AuthorizationTicket, application: StoredApplication, user: StoredUser
) -> RedirectResult | PageResult:
    """Back to the application, with a code or, for the implicit grant, with an access token. A page for a user who may
    no longer log in."""
    try:
        await logins.check_login(document_of(user), call.store, call.service)
    except Refusal as refusal:
        return pages.error_page(str(refusal.body()["errorDetails"]))
    if request.response_type == "token":
        granted_now = await new_grant(call, user, application, refreshable=False)
        if granted_now is None:
            return pages.error_page(EXPIRED)
        tokens = granted_now[1]
        return back(call, id, request, **{name: str(value) for name, value in tokens.items()})
    code = call.service.ids.secret(64)
    ticket = CodeTicket(
        app_id=application.id,
        user_id=user.id,
        redirect_uri=request.redirect_uri,
        redirect_given=request.redirect_given,
        challenge=request.challenge,
        sessions_ended=user.sessions_ended,
    )
    await keep_ticket(call, CODE, hash_of(code), ticket.wire(), seconds=CODE_SECONDS)
    return back(call, id, request, code=code)


def back(call: AnyCall, id: str, request: AuthorizationTicket, **values: str) -> RedirectResult:
    """Back to the application. The cookie of this step of the request ends."""
    values["state"] = request.state
    fragment = request.response_type == "token"
    address = f"{request.redirect_uri}#{urlencode(values)}" if fragment else with_query(request.redirect_uri, **values)
    return RedirectResult(address, ended(call.headers, id))


async def request_of(call: AnyCall, id: str) -> tuple[AuthorizationTicket, StoredApplication] | None:
    """The request of a page, if this browser has opened the page, and its application."""
    request = typed(AuthorizationTicket, await call.store.tickets.read(REQUEST, id, now=call.now))
    if request is None or not is_same_browser(call.headers, id, request.browser):
        return None
    application = await usable_application(call, request.app_id)
    return (request, application) if application is not None else None


async def usable_application(call: AnyCall, id: str) -> StoredApplication | None:
    found = typed(StoredApplication, await call.store.applications.get(id)) if storable(id) else None
    return found if found is not None and found.state not in CLOSED_STATES else None


def page(html: str, request: AuthorizationTicket, cookies: Mapping[str, str] = MappingProxyType({})) -> PageResult:
    return PageResult(html, cookies=cookies, target=request.redirect_uri)


#: Kind of the tickets of authorizations.
REQUEST = "oauth-request"


class AuthorizationTicket(Record):
    """An authorization in a browser: the request, and the user who has logged in."""

    app_id: str
    redirect_uri: str
    redirect_given: bool
    response_type: str
    state: str
    challenge: str
    browser: str
    #: After the password, if the second factor is missing.
    pending_user_id: str = ""
    user_id: str = ""
    #: `sessionsEnded` of that user at the login: a later end of the sessions ends the authorization too.
    sessions_ended: int = 0


class CodeTicket(Record):
    """What a code stands for."""

    app_id: str
    user_id: str
    redirect_uri: str
    redirect_given: bool
    challenge: str
    sessions_ended: int = 0


async def keep_ticket(call: AnyCall, kind: str, id: str, document: Document, *, seconds: int = STEP_SECONDS) -> None:
    """Store the values for the next request."""
    expires = call.now + timedelta(seconds=seconds)
    await call.store.tickets.add(kind, id, now=call.now, expires=expires, document=document)


#: The same for unknown logins.
_NOT_AVAILABLE = "Single sign-on is not available for this login. Use your password."


async def to_provider(
    call: AnyCall, id: str, request: AuthorizationTicket, application: StoredApplication, login: str
) -> PageResult:
    """A page with the link to the identity provider of this login. A form may not lead there: its policy is strict."""
    user = await discovered_user(login, call.store)
    provider = (await method_of(call, user))[1] if user is not None else None
    if provider is None or provider.only_use_implicit_flow:
        return page(pages.login_page(application, id, error=_NOT_AVAILABLE, login=login), request)
    try:
        away = await begin(call, provider, app_id=application.id, oauth_request=id, login=login)
    except IdentityProviderError as error:
        return page(pages.login_page(application, id, error=_sentence(str(error)), login=login), request)
    return page(pages.provider_page(provider.name or "your company", away.location), request, away.cookies)


async def authorized(call: AnyCall, ticket: LoginTicket, user: StoredUser) -> PageResult | RedirectResult:
    """The consent page after a login at the provider."""
    found = await request_of(call, ticket.oauth_request)
    if found is None or found[0].user_id or found[0].pending_user_id:
        return pages.error_page(EXPIRED)
    return await logged_in(call, ticket.oauth_request, *found, user)


async def not_identified(call: AnyCall, ticket: LoginTicket, error: Refusal | IdentityProviderError) -> PageResult:
    """The login page again, with the reason."""
    found = await request_of(call, ticket.oauth_request)
    if found is None:
        return pages.error_page(EXPIRED)
    reason = str(error.body()["errorDetails"]) if isinstance(error, Refusal) else str(error)
    request, application = found
    return page(pages.login_page(application, ticket.oauth_request, error=_sentence(reason)), request)


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
