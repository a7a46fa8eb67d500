"""Authorization of an application in a browser: login, second factor, consent, redirect (5.5)."""

from __future__ import annotations

import re

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.addresses import redirect_problem
from svc_tui.interface.authentication import oauth as declared
from svc_tui.interface.authentication.oauth import SCOPE, OAuthAuthorization, OAuthConsent
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import PAGES, Credentials, Nothing, Operation
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication import oauth_pages as pages
from svc_tui.server.authentication.oauth_flow import (
    EXPIRED,
    IMPOSTOR,
    REQUEST,
    AuthorizationTicket,
    back,
    granted,
    keep_ticket,
    logged_in,
    login_of,
    next_step,
    page,
    request_of,
    to_provider,
    usable_application,
)
from svc_tui.server.authentication.sessions import user_by_login
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.security import guard, logins, second_factor
from svc_tui.server.security.browsers import ended, new_step
from svc_tui.server.security.callers import check_state
from svc_tui.server.security.own_clients import has_name_of_own_client
from svc_tui.server.stored import StoredApplication, StoredUser, UserSecrets

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class OAuthLogin(Record):
    """The login page: login and password, then the code of the second factor."""

    request: str = ""
    login: str = ""
    password: str = field("", secret=True)
    code: str = field("", secret=True)
    way: str = field("", help="sso for the single sign-on of the login")


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
    rate="authorization",
)


@rule(declared.oauth_authorize)
async def authorize(call: Call[OAuthAuthorization]) -> RuleResult:
    query = call.query
    application = await usable_application(call, query.client_id or "")
    if application is None:
        return pages.error_page("The application is unknown, or not in use.")
    target = _registered(application, query.redirect_uri)
    if not target:
        # Never redirected to: any page could send users to any address in the name of this service.
        return pages.error_page("The redirect address is not registered for this application.")
    if await has_name_of_own_client(application, call.store):
        return pages.error_page(IMPOSTOR)
    step = new_step(call)
    request = AuthorizationTicket(
        app_id=application.id,
        redirect_uri=target,
        redirect_given=bool(query.redirect_uri),
        response_type=query.response_type or "",
        state=query.state or call.service.ids.secret(32),
        challenge=query.code_challenge or "",
        browser=step.browser,
    )
    error, description = _problem(application, query)
    if error:
        return back(call, step.id, request, error=error, error_description=description)
    await keep_ticket(call, REQUEST, step.id, request.wire())
    return page(pages.login_page(application, step.id), request, step.cookies)


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
    found = await request_of(call, id)
    if found is None:
        return pages.error_page(EXPIRED)
    request, application = found
    if request.user_id:
        return pages.error_page(EXPIRED)
    if call.body.way == "sso" and not request.pending_user_id:
        return await to_provider(call, id, request, application, call.body.login)
    try:
        user, failed_before = await (_second_step if request.pending_user_id else _first_step)(call, request)
    except Refusal as refusal:
        sentence = _sentence(refusal, "Wrong code." if request.pending_user_id else "Wrong login or password.")
        if request.pending_user_id:
            return page(pages.code_page(application, id, error=sentence), request)
        return page(pages.login_page(application, id, error=sentence, login=call.body.login), request)
    factor = await second_factor.is_required(document_of(user), application.id, "", call.store, call.service)
    if factor and not request.pending_user_id:
        # The failure count stays: otherwise each login would allow new guesses of the second factor.
        if await call.store.tickets.take(REQUEST, id, now=call.now) is None:
            return pages.error_page(EXPIRED)
        proof = await next_step(call, {**document_of(request), **login_of(user, "pendingUserId")})
        return page(pages.code_page(application, proof.id), request, {**ended(call.headers, id), **proof.cookies})
    if failed_before:
        await guard.clear(user.id, call.store)
    return await logged_in(call, id, request, application, user)


def _sentence(refusal: Refusal, wrong: str) -> str:
    return wrong if refusal.code is Code.WRONG_CREDENTIALS else str(refusal.body()["errorDetails"])


async def _first_step(call: Call[Nothing, OAuthLogin], request: AuthorizationTicket) -> tuple[StoredUser, bool]:
    """The user of login and password, and whether the user failed before, as in a password login.

    Every failure counts for the lock.
    """
    login, password = call.body.login, call.body.password
    user = await user_by_login(login, call.store)
    secrets = typed(UserSecrets, await call.store.user_secrets.get(user.id)) if user else None
    correct = await call.service.passwords.verify(password, secrets.password_hash if secrets else None)
    guarded = guard.guard_of(document_of(user) if user else None, login)
    failed_before = await guard.count_attempt(correct, guarded, password, call.headers, call.store, call.service)
    assert user is not None
    return await _checked(call, user), failed_before


async def _second_step(call: Call[Nothing, OAuthLogin], request: AuthorizationTicket) -> tuple[StoredUser, bool]:
    """The same for the user whose password was correct, with the code of the second factor."""
    id = request.pending_user_id
    await call.store.lock(f"mfa:{id}")
    correct = await second_factor.proves_factor(id, call.body.code, call.store, call.service)
    failed_before = await guard.count_attempt(correct, id, call.body.code, call.headers, call.store, call.service)
    user = typed(StoredUser, await call.store.users.get(id) or {"id": id, "isActive": False})
    if user.sessions_ended != request.sessions_ended:
        # Another password was set after the first step.
        raise Refusal(Code.WRONG_CREDENTIALS)
    return await _checked(call, user), failed_before


async def _checked(call: AnyCall, user: StoredUser) -> StoredUser:
    await check_state(call.store, document_of(user), call.service)
    logins.check_voice_only(document_of(user))
    return user


@rule(declared.oauth_consent)
async def consent(call: Call[Nothing, OAuthConsent]) -> RuleResult:
    id = call.body.request or ""
    found = await request_of(call, id)
    if found is None or not found[0].user_id or call.body.decision not in ("allow", "deny"):
        return pages.error_page(EXPIRED)
    request, application = found
    if await call.store.tickets.take(REQUEST, id, now=call.now) is None:
        return pages.error_page(EXPIRED)
    user = typed(StoredUser, await call.store.users.get(request.user_id))
    if user is not None and user.sessions_ended != request.sessions_ended:
        return pages.error_page(EXPIRED)
    if call.body.decision == "deny" or user is None:
        return back(call, id, request, error="access_denied", error_description="the user denied the access")
    return await granted(call, id, request, application, user)
