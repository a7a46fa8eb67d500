"""OpenID Connect logins in a browser (4.1): to the identity provider, back with a code, to the application."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import GlobalOidcLogin, LogoutQuery, OidcLogin
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Credentials, Nothing, Operation
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication.oauth_flow import authorized, not_identified
from svc_tui.server.authentication.provider_logins import (
    COMPANY_CALLBACK,
    GLOBAL_CALLBACK,
    CallbackQuery,
    begin,
    identified,
)
from svc_tui.server.authentication.sso_confirmation import ask_for_confirmation
from svc_tui.server.authentication.tickets import (
    NO_PROVIDER,
    UNKNOWN_LOGIN,
    ChallengeTicket,
    LoginTicket,
)
from svc_tui.server.provider_requests import IdentityProviderError
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, PageResult, RedirectResult, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import check_open, proven_application
from svc_tui.server.security.browsers import ended, is_same_browser
from svc_tui.server.security.single_sign_on import (
    CHALLENGE,
    STATE,
    ForbiddenRedirect,
    check_redirect,
    failed_login,
    first_usable,
    provider_for,
    return_address,
    with_query,
)
from svc_tui.server.stored import StoredApplication, StoredUser, TokenClaims


def _callback(id: str, path: str, summary: str) -> Operation[declared.Redirection, CallbackQuery, Nothing]:
    """Only for redirects by identity providers, not part of the interface."""
    return Operation(
        id,
        "4.1",
        "GET",
        path,
        summary,
        declared.Redirection,
        ANONYMOUS,
        query=CallbackQuery,
        credentials=Credentials.BROWSER,
        changes=True,
    )


oidc_callback = _callback("oidc_callback", COMPANY_CALLBACK, "Complete an OpenID Connect login")
global_oidc_callback = _callback("global_oidc_callback", GLOBAL_CALLBACK, "Complete a global OpenID Connect login")


@rule(declared.login_oidc)
async def login(call: Call[OidcLogin]) -> RuleResult:
    return await _start(call, call.query.company_id, call.query.challenge, call.query.app_auth)


@rule(declared.login_global_sso_oidc)
async def login_globally(call: Call[GlobalOidcLogin]) -> RuleResult:
    return await _start(call, "", call.query.challenge, call.query.app_auth)


async def _start(call: Call[Any], company_id: str, challenge: str, app_auth: str) -> RuleResult:
    # In an address, the proof has no `Basic ` before it.
    proof = app_auth if app_auth.lower().startswith("basic ") else f"Basic {app_auth}"
    application = typed(StoredApplication, await proven_application(proof, challenge, call.store))
    if application is None:
        # Without a proven application there is no trusted address to redirect to.
        raise Refusal(Code.WRONG_CREDENTIALS)
    check_open(document_of(application))
    try:
        return await _to_provider(call, application, company_id, challenge)
    except (Refusal, IdentityProviderError) as error:
        return failed_login(call, document_of(application), error)


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
    return await begin(
        call,
        provider,
        app_id=application.id,
        challenge=challenge,
        login=issued.uid,
        locales=issued.locales,
    )


@rule(oidc_callback)
async def callback(call: Call[CallbackQuery]) -> RuleResult:
    return await _completed(call, call.path["companyId"])


@rule(global_oidc_callback)
async def callback_globally(call: Call[CallbackQuery]) -> RuleResult:
    return await _completed(call, "")


async def _completed(call: Call[CallbackQuery], company_id: str) -> RuleResult:
    """The end of a login at the provider of this company, in the browser that began it."""
    state = call.query.state
    ticket = typed(LoginTicket, await call.store.tickets.take(STATE, state, now=call.now))
    await call.store.commit()
    application = typed(StoredApplication, await call.store.applications.get(ticket.app_id)) if ticket else None
    if (
        ticket is None
        or application is None
        # At the address of another provider, the code is that of another login.
        or ticket.company_id != company_id
        # In another browser, an attacker could plant their own login.
        or not is_same_browser(call.headers, state, ticket.browser)
    ):
        raise Refusal(Code.UNAUTHORIZED, "this login was not started in this browser, or it has expired")
    result = await _answered(call, application, ticket)
    return replace(result, cookies={**ended(call.headers, state), **result.cookies})


async def _answered(
    call: Call[CallbackQuery], application: StoredApplication, ticket: LoginTicket
) -> RedirectResult | PageResult:
    try:
        if ticket.oauth_request:
            return await authorized(call, ticket, await identified(call, ticket))
        return await _returned(call, application, ticket)
    except (Refusal, IdentityProviderError) as error:
        await call.store.rollback()
        if ticket.oauth_request:
            return await not_identified(call, ticket, error)
        return failed_login(call, document_of(application), error)


async def _returned(
    call: Call[CallbackQuery], application: StoredApplication, ticket: LoginTicket
) -> RedirectResult | PageResult:
    """Verify the provider's answer, and send the browser to the application. Refusal, IdentityProviderError."""
    check_open(document_of(application))
    user = await identified(call, ticket)
    issued = typed(ChallengeTicket, await call.store.tickets.take(CHALLENGE, ticket.challenge, now=call.now))
    if issued is None:
        raise Refusal(Code.UNAUTHORIZED, "this login has ended or expired")
    app, settings = document_of(application), call.service.settings
    address = return_address(app, settings, backchannel=bool(issued.session))
    listed = await check_redirect(call.store, settings, user.company_id, address)
    oidc = {"companyId": ticket.company_id}
    # A token goes only where the service, the company of the user, or the user trusts the application.
    if issued.session or not (application.is_svc_client_default or listed):
        return await ask_for_confirmation(call, application, user, issued, address, oidc)
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
