"""Authorization of an application in a browser: login, second factor, consent, redirect (5.5)."""

from __future__ import annotations

import hmac
import re
from typing import Any
from urllib.parse import urlencode

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.authentication import oauth as declared
from svc_tui.interface.authentication.oauth import CODE_SECONDS, SCOPE, OAuthAuthorization, OAuthConsent
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import PAGES, Credentials, Nothing, Operation
from svc_tui.interface.records import Record, field
from svc_tui.interface.redirects import redirect_problem
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication import oauth_pages as pages
from svc_tui.server.authentication.login import user_by_login
from svc_tui.server.authentication.oauth_grants import CODE, hash_of, new_grant
from svc_tui.server.authentication.oauth_tickets import REQUEST, AuthorizationTicket, CodeTicket, keep_ticket
from svc_tui.server.parsing import storable
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, PageResult, RedirectResult, RuleResult, rule
from svc_tui.server.security import guard, logins, second_factor
from svc_tui.server.security.application_proof import CLOSED_STATES
from svc_tui.server.security.callers import check_state
from svc_tui.server.security.single_sign_on import ForbiddenRedirect, check_redirect, with_query
from svc_tui.server.stored import StoredApplication, StoredUser, UserSecrets

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_AnyCall = Call[Any, Any]
_EXPIRED = "This page has expired, or belongs to another browser. Start again in the application."


class OAuthLogin(Record):
    """The login page: login and password, then the code of the second factor."""

    request: str = ""
    login: str = ""
    password: str = field("", secret=True)
    code: str = field("", secret=True)


#: Only for the login page, not part of the interface.
oauth_login = Operation(
    "oauth_login",
    "4.1",
    "POST",
    pages.LOGIN_PATH,
    "Log in to authorize an application",
    bytes,
    ANONYMOUS,
    body=OAuthLogin,
    credentials=Credentials.BROWSER,
    gives=PAGES,
    sends_form=True,
)


@rule(declared.oauth_authorize)
async def authorize(call: Call[OAuthAuthorization]) -> RuleResult:
    query = call.query
    application = await _usable_application(call, query.client_id or "")
    if application is None:
        return pages.error_page("The application is unknown, or not in use.")
    target = _registered(application, query.redirect_uri)
    if not target:
        # Never redirected to: any page could send users to any address in the name of this service.
        return pages.error_page("The redirect address is not registered for this application.")
    ids = call.service.ids
    request = AuthorizationTicket(
        app_id=application.id,
        redirect_uri=target,
        redirect_given=bool(query.redirect_uri),
        response_type=query.response_type or "",
        state=query.state or ids.secret(32),
        challenge=query.code_challenge or "",
        browser=call.headers.cookie or ids.secret(44),
    )
    error, description = _problem(application, query)
    if error:
        return _back(request, error=error, error_description=description)
    id = ids.secret(64)
    await keep_ticket(call, REQUEST, id, request.wire())
    return _page(pages.login_page(application, id), request, cookie=request.browser)


def _registered(application: StoredApplication, requested: str | None) -> str:
    """The requested address if the application registered exactly it, or its first one. Empty without any."""
    registered = [each for each in application.oauth_redirect_uris or () if _is_usable(each)]
    if requested is None:
        return registered[0] if registered else ""
    return requested if requested in registered else ""


def _is_usable(address: str) -> bool:
    """Whether codes can be sent to the address. Addresses from before today's rules may be stored."""
    return not redirect_problem(address) and "#" not in address


def _problem(application: StoredApplication, query: OAuthAuthorization) -> tuple[str, str]:
    """Error and description of a request that the application must correct; empty without any."""
    match query.response_type:
        case "code":
            pass
        case "token":
            if not application.enable_oauth_implicit_grant:
                return "unauthorized_client", "the implicit grant is not enabled for this application"
        case None:
            return "invalid_request", "response_type is required"
        case _:
            return "unsupported_response_type", "response_type must be code or token"
    if query.scope not in (None, SCOPE):
        return "invalid_scope", f"the only scope is {SCOPE}"
    if query.code_challenge or query.code_challenge_method:
        if query.code_challenge_method != "S256":
            return "invalid_request", "code_challenge_method must be S256"
        if not _CHALLENGE.fullmatch(query.code_challenge or ""):
            return "invalid_request", "code_challenge must have 43 characters of base64url"
    return "", ""


@rule(oauth_login)
async def login(call: Call[Nothing, OAuthLogin]) -> RuleResult:
    id = call.body.request
    found = await _request_of(call, id)
    if found is None:
        return pages.error_page(_EXPIRED)
    request, application = found
    if request.user_id:
        return pages.error_page(_EXPIRED)
    try:
        user = await (_second_step if request.pending_user_id else _first_step)(call, request)
    except Refusal as refusal:
        sentence = _sentence(refusal, "Wrong code." if request.pending_user_id else "Wrong login or password.")
        if request.pending_user_id:
            return _page(pages.code_page(application, id, error=sentence), request)
        return _page(pages.login_page(application, id, error=sentence, login=call.body.login), request)
    factor = await second_factor.is_required(document_of(user), application.id, "", call.store, call.service)
    if factor and not request.pending_user_id:
        # The failure count stays: otherwise each login would allow new guesses of the second factor.
        await call.store.tickets.change(REQUEST, id, {**document_of(request), "pendingUserId": user.id})
        return _page(pages.code_page(application, id), request)
    await guard.clear(user.id, call.store)
    try:
        await check_redirect(call.store, call.service.settings, user.company_id, request.redirect_uri)
    except ForbiddenRedirect as error:
        return pages.error_page(str(error.details))
    await logins.record_login(document_of(user), document_of(application), call.store, call.service)
    if application.disable_oauth_consent_screen:
        await call.store.tickets.take(REQUEST, id, now=call.now)
        return await _granted(call, request, application, user)
    await call.store.tickets.change(REQUEST, id, {**document_of(request), "userId": user.id})
    return _page(pages.consent_page(application, user, id), request)


def _sentence(refusal: Refusal, wrong: str) -> str:
    return wrong if refusal.code is Code.WRONG_CREDENTIALS else str(refusal.body()["errorDetails"])


async def _first_step(call: Call[Nothing, OAuthLogin], request: AuthorizationTicket) -> StoredUser:
    """The user of login and password, as in a password login. Every failure counts for the lock."""
    login, password = call.body.login, call.body.password
    user = await user_by_login(login, call.store) if login and storable(login) else None
    secrets = typed(UserSecrets, await call.store.user_secrets.get(user.id)) if user else None
    correct = await call.service.passwords.verify(password, secrets.password_hash if secrets else None)
    guarded = guard.guard_of(document_of(user) if user else None, login)
    await guard.count_attempt(correct, guarded, password, call.headers, call.store, call.service)
    assert user is not None
    return await _checked(call, user)


async def _second_step(call: Call[Nothing, OAuthLogin], request: AuthorizationTicket) -> StoredUser:
    """The user whose password was correct, with the code of the second factor."""
    id = request.pending_user_id
    await call.store.lock(f"mfa:{id}")
    correct = await second_factor.proves_factor(id, call.body.code, call.store, call.service)
    await guard.count_attempt(correct, id, call.body.code, call.headers, call.store, call.service)
    return await _checked(call, typed(StoredUser, await call.store.users.get(id) or {"id": id, "isActive": False}))


async def _checked(call: _AnyCall, user: StoredUser) -> StoredUser:
    await check_state(call.store, document_of(user), call.service)
    logins.check_voice_only(document_of(user))
    return user


@rule(declared.oauth_consent)
async def consent(call: Call[Nothing, OAuthConsent]) -> RuleResult:
    id = call.body.request or ""
    found = await _request_of(call, id)
    if found is None or not found[0].user_id or call.body.decision not in ("allow", "deny"):
        return pages.error_page(_EXPIRED)
    request, application = found
    if await call.store.tickets.take(REQUEST, id, now=call.now) is None:
        return pages.error_page(_EXPIRED)
    user = typed(StoredUser, await call.store.users.get(request.user_id))
    if call.body.decision == "deny" or user is None:
        return _back(request, error="access_denied", error_description="the user denied the access")
    return await _granted(call, request, application, user)


async def _granted(
    call: _AnyCall, request: AuthorizationTicket, application: StoredApplication, user: StoredUser
) -> RedirectResult:
    """Back to the application, with a code or, for the implicit grant, with an access token."""
    if request.response_type == "token":
        _, tokens = await new_grant(call, user, application, refreshable=False)
        return _back(request, **{name: str(value) for name, value in tokens.items()})
    code = call.service.ids.secret(64)
    ticket = CodeTicket(
        app_id=application.id,
        user_id=user.id,
        redirect_uri=request.redirect_uri,
        redirect_given=request.redirect_given,
        challenge=request.challenge,
    )
    await keep_ticket(call, CODE, hash_of(code), ticket.wire(), seconds=CODE_SECONDS)
    return _back(request, code=code)


def _back(request: AuthorizationTicket, **values: str) -> RedirectResult:
    values["state"] = request.state
    if request.response_type == "token":
        return RedirectResult(f"{request.redirect_uri}#{urlencode(values)}")
    return RedirectResult(with_query(request.redirect_uri, **values))


async def _request_of(call: _AnyCall, id: str) -> tuple[AuthorizationTicket, StoredApplication] | None:
    """The request of a page, if this browser has opened the page, and its application."""
    request = typed(AuthorizationTicket, await call.store.tickets.read(REQUEST, id, now=call.now))
    if request is None or not hmac.compare_digest(call.headers.cookie.encode(), request.browser.encode()):
        return None
    application = await _usable_application(call, request.app_id)
    return (request, application) if application is not None else None


async def _usable_application(call: _AnyCall, id: str) -> StoredApplication | None:
    found = typed(StoredApplication, await call.store.applications.get(id)) if storable(id) else None
    return found if found is not None and found.state not in CLOSED_STATES else None


def _page(html: str, request: AuthorizationTicket, *, cookie: str = "") -> PageResult:
    return PageResult(html, cookie=cookie, target=request.redirect_uri)
