"""The steps of an OAuth 2.0 authorization that all its pages share: its request, the end of the login, the redirect."""

from __future__ import annotations

import hmac
from urllib.parse import urlencode

from svc_tui.interface.authentication.oauth import CODE_SECONDS
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication import oauth_pages as pages
from svc_tui.server.authentication.oauth_grants import CODE, hash_of, new_grant
from svc_tui.server.authentication.oauth_tickets import REQUEST, AuthorizationTicket, CodeTicket, keep_ticket
from svc_tui.server.parsing import storable
from svc_tui.server.rules import AnyCall, PageResult, RedirectResult
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import CLOSED_STATES
from svc_tui.server.security.single_sign_on import ForbiddenRedirect, check_redirect, with_query
from svc_tui.server.stored import StoredApplication, StoredUser

EXPIRED = "This page has expired, or belongs to another browser. Start again in the application."


async def logged_in(
    call: AnyCall, id: str, request: AuthorizationTicket, application: StoredApplication, user: StoredUser
) -> PageResult | RedirectResult:
    """What follows a login of any kind: the consent page or, without one, the redirect."""
    try:
        await check_redirect(call.store, call.service.settings, user.company_id, request.redirect_uri)
    except ForbiddenRedirect as error:
        return pages.error_page(str(error.details))
    await logins.record_login(document_of(user), document_of(application), call.store, call.service)
    if application.disable_oauth_consent_screen:
        await call.store.tickets.take(REQUEST, id, now=call.now)
        return await granted(call, request, application, user)
    await call.store.tickets.change(REQUEST, id, {**document_of(request), "userId": user.id})
    return page(pages.consent_page(application, user, id), request)


async def granted(
    call: AnyCall, request: AuthorizationTicket, application: StoredApplication, user: StoredUser
) -> RedirectResult:
    """Back to the application, with a code or, for the implicit grant, with an access token."""
    if request.response_type == "token":
        _, tokens = await new_grant(call, user, application, refreshable=False)
        return back(request, **{name: str(value) for name, value in tokens.items()})
    code = call.service.ids.secret(64)
    ticket = CodeTicket(
        app_id=application.id,
        user_id=user.id,
        redirect_uri=request.redirect_uri,
        redirect_given=request.redirect_given,
        challenge=request.challenge,
    )
    await keep_ticket(call, CODE, hash_of(code), ticket.wire(), seconds=CODE_SECONDS)
    return back(request, code=code)


def back(request: AuthorizationTicket, **values: str) -> RedirectResult:
    values["state"] = request.state
    if request.response_type == "token":
        return RedirectResult(f"{request.redirect_uri}#{urlencode(values)}")
    return RedirectResult(with_query(request.redirect_uri, **values))


async def request_of(call: AnyCall, id: str) -> tuple[AuthorizationTicket, StoredApplication] | None:
    """The request of a page, if this browser has opened the page, and its application."""
    request = typed(AuthorizationTicket, await call.store.tickets.read(REQUEST, id, now=call.now))
    if request is None or not hmac.compare_digest(call.headers.cookie.encode(), request.browser.encode()):
        return None
    application = await usable_application(call, request.app_id)
    return (request, application) if application is not None else None


async def usable_application(call: AnyCall, id: str) -> StoredApplication | None:
    found = typed(StoredApplication, await call.store.applications.get(id)) if storable(id) else None
    return found if found is not None and found.state not in CLOSED_STATES else None


def page(html: str, request: AuthorizationTicket, *, cookie: str = "") -> PageResult:
    return PageResult(html, cookie=cookie, target=request.redirect_uri)
