"""OpenID Connect logins in a browser (4.1): to the identity provider, back with a code, to the application."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import GlobalOidcLogin, LogoutQuery, OidcLogin
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication.backchannel import ask_for_confirmation
from svc_tui.server.authentication.discovery import BASE
from svc_tui.server.authentication.tickets import (
    NO_PROVIDER,
    UNKNOWN_LOGIN,
    ChallengeTicket,
    LoginTicket,
)
from svc_tui.server.openid_connect import Attempt
from svc_tui.server.pages import failure_page
from svc_tui.server.provider_requests import IdentityProviderError
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, PageResult, RedirectResult, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import check_open, proven_application
from svc_tui.server.security.single_sign_on import (
    CHALLENGE,
    STATE,
    ForbiddenRedirect,
    check_redirect,
    failure_address,
    first_usable,
    provider_for,
    return_address,
    user_of_claims,
    with_query,
    write_ticket,
)
from svc_tui.server.stored import StoredApplication, StoredUser, TokenClaims

_CALLBACK = f"{BASE}/oidc-client/callback"


class CallbackQuery(Record):
    """The query of an identity provider's redirect."""

    state: str = ""
    code: str = ""
    error: str = ""


#: Only for redirects by identity providers, not part of the interface.
oidc_callback = Operation(
    "oidc_callback",
    "4.1",
    "GET",
    _CALLBACK,
    "Complete an OpenID Connect login",
    declared.Redirection,
    ANONYMOUS,
    query=CallbackQuery,
    credentials=Credentials.BROWSER,
    changes=True,
)


@rule(declared.login_oidc)
async def login(call: Call[OidcLogin]) -> RuleResult:
    return await _start(call, call.query.company_id, call.query.challenge, call.query.app_auth)


@rule(declared.login_global_sso_oidc)
async def login_globally(call: Call[GlobalOidcLogin]) -> RuleResult:
    return await _start(call, "", call.query.challenge, call.query.app_auth)


async def _start(call: Call[Any], company_id: str, challenge: str, app_auth: str) -> RuleResult:
    application = typed(StoredApplication, await proven_application(app_auth, challenge, call.store))
    if application is None:
        # Without a proven application there is no trusted address to redirect to.
        raise Refusal(Code.WRONG_CREDENTIALS)
    check_open(document_of(application))
    try:
        return await _to_provider(call, application, company_id, challenge)
    except (Refusal, IdentityProviderError) as error:
        return _failed(call, application, error)


def _failed(
    call: Call[Any], application: StoredApplication, error: Refusal | IdentityProviderError
) -> RedirectResult | PageResult:
    if isinstance(error, ForbiddenRedirect):
        return failure_page("Login failed", str(error.details), 403)
    refusal = error if isinstance(error, Refusal) else Refusal(Code.ID_TOKEN_NOT_VERIFIED, str(error))
    return RedirectResult(failure_address(document_of(application), call.service.settings, refusal))


async def _to_provider(
    call: Call[Any], application: StoredApplication, company_id: str, challenge: str
) -> RedirectResult:
    """Send the browser to the identity provider. Refusal, IdentityProviderError."""
    issued = typed(ChallengeTicket, await call.store.tickets.read(CHALLENGE, challenge, now=call.now))
    if issued is None or issued.company_id != company_id:
        raise Refusal(Code.UNAUTHORIZED, UNKNOWN_LOGIN)
    provider = await provider_for(call.store, call.service.settings, company_id)
    if provider is None or provider.only_use_implicit_flow:
        raise Refusal(Code.NOT_FOUND, NO_PROVIDER)
    address = return_address(document_of(application), call.service.settings, backchannel=bool(issued.session))
    await check_redirect(call.store, call.service.settings, company_id, address)
    ids = call.service.ids
    attempt = Attempt(ids.secret(44), ids.secret(44), ids.secret(64), call.headers.origin + _CALLBACK)
    browser = call.headers.cookie or ids.secret(44)
    async with call.store.released():
        address = await call.service.openid.authorization_url(
            provider, attempt, login_hint=issued.uid, ui_locales=issued.locales
        )
    ticket = LoginTicket(
        app_id=application.id,
        company_id=company_id,
        challenge=challenge,
        nonce=attempt.nonce,
        verifier=attempt.verifier,
        redirect_uri=attempt.redirect_uri,
        browser=browser,
    )
    await write_ticket(call, STATE, attempt.state, ticket.wire())
    return RedirectResult(address, cookie=browser)


@rule(oidc_callback)
async def callback(call: Call[CallbackQuery]) -> RuleResult:
    ticket = typed(LoginTicket, await call.store.tickets.take(STATE, call.query.state, now=call.now))
    await call.store.commit()
    # The login must end in the browser in which it started: otherwise an attacker could plant their own login.
    application = typed(StoredApplication, await call.store.applications.get(ticket.app_id)) if ticket else None
    if ticket is None or application is None or ticket.browser != call.headers.cookie:
        raise Refusal(Code.UNAUTHORIZED, "this login was not started in this browser, or it has expired")
    try:
        return await _returned(call, application, ticket)
    except (Refusal, IdentityProviderError) as error:
        await call.store.rollback()
        return _failed(call, application, error)


async def _returned(
    call: Call[CallbackQuery], application: StoredApplication, ticket: LoginTicket
) -> RedirectResult | PageResult:
    """Verify the provider's answer, and send the browser to the application. Refusal, IdentityProviderError."""
    check_open(document_of(application))
    if call.query.error or not call.query.code:
        raise Refusal(Code.UNAUTHORIZED, "the identity provider did not log the user in")
    provider = await provider_for(call.store, call.service.settings, ticket.company_id)
    if provider is None:
        raise Refusal(Code.NOT_FOUND, NO_PROVIDER)
    attempt = Attempt(call.query.state, ticket.nonce, ticket.verifier, ticket.redirect_uri)
    async with call.store.released():
        claims = await call.service.openid.redeem(provider, attempt, call.query.code)
    user = typed(StoredUser, await user_of_claims(call.store, call, claims, provider))
    issued = typed(ChallengeTicket, await call.store.tickets.take(CHALLENGE, ticket.challenge, now=call.now))
    if issued is None:
        raise Refusal(Code.UNAUTHORIZED, "this login has ended or expired")
    app, settings = document_of(application), call.service.settings
    address = return_address(app, settings, backchannel=bool(issued.session))
    await check_redirect(call.store, settings, user.company_id, address)
    if issued.session:
        return await ask_for_confirmation(call, application, user, issued, ticket)
    oidc = {"companyId": ticket.company_id}
    answer = await logins.complete_login(document_of(user), app, call.store, call.service, oidc=oidc)
    return RedirectResult(with_query(address, tkn=answer["token"]))


@rule(declared.logout_oidc)
async def logout(call: Call[LogoutQuery]) -> RuleResult:
    return await _logged_out(call)


@rule(declared.logout_global_sso_oidc)
async def logout_globally(call: Call[LogoutQuery]) -> RuleResult:
    return await _logged_out(call)


async def _logged_out(call: Call[LogoutQuery]) -> RuleResult:
    """Send the browser to the application's address after a logout.

    Without a token a browser goes to the default address, because the addresses that clients print have no token.
    Programs are refused.
    """
    if not call.query.token and call.headers.shows_pages:
        return RedirectResult(return_address({}, call.service.settings))
    claims = typed(TokenClaims, call.service.tokens.read(call.query.token or "", call.now))
    settings = call.service.settings
    application = await call.store.applications.get(str(claims.app.get("id", ""))) or {}
    address = first_usable(application, "ssoLogoutRedirectUrl") or return_address(application, settings)
    user = typed(StoredUser, await call.store.users.get(str(claims.user.get("id", ""))))
    try:
        await check_redirect(call.store, settings, user.company_id if user else None, address)
    except ForbiddenRedirect:
        address = settings.web_client_url
    return RedirectResult(address)
