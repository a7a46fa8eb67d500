"""OpenID Connect logins in a browser (4.1): away to the identity provider, back with a code, on to the application."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import ANYONE
from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import GlobalOidcLogin, LogoutQuery, OidcLogin
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record
from svc_tui.server.authentication.discovery import BASE
from svc_tui.server.openid_connect import Attempt, IdentityProviderError
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RedirectResult, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import check_open, proven_application
from svc_tui.server.security.single_sign_on import (
    BACKCHANNEL,
    CHALLENGE,
    STATE,
    failure_address,
    provider_for,
    return_address,
    user_of_claims,
    with_query,
    write_ticket,
)
from svc_tui.server.store.tables import Document

_CALLBACK = f"{BASE}/oidc-client/callback"


class CallbackQuery(Record):
    """What an identity provider sends the browser back with."""

    state: str = ""
    code: str = ""
    error: str = ""


#: Only identity providers send browsers here: not a part of the interface.
oidc_callback = Operation(
    "oidc_callback",
    "4.1",
    "GET",
    _CALLBACK,
    "The end of an OpenID Connect login",
    declared.Redirection,
    ANYONE,
    query=CallbackQuery,
    credentials=Credentials.BROWSER,
    changes=True,
)


@rule(declared.login_oidc)
async def login(call: Call[OidcLogin]) -> RuleResult:
    return await _begin(call, call.query.company_id, call.query.challenge, call.query.app_auth)


@rule(declared.login_global_sso_oidc)
async def login_globally(call: Call[GlobalOidcLogin]) -> RuleResult:
    return await _begin(call, "", call.query.challenge, call.query.app_auth)


async def _begin(call: Call[Any], company_id: str, challenge: str, app_auth: str) -> RuleResult:
    application = await proven_application(app_auth, challenge, call.store)
    if application is None:
        # Without a proven application there is no address to trust: this one is told here.
        raise Refusal(Code.WRONG_CREDENTIALS)
    check_open(application)
    try:
        return await _away(call, application, company_id, challenge)
    except (Refusal, IdentityProviderError) as error:
        return _failed(call, application, error)


def _failed(call: Call[Any], application: Document, error: Refusal | IdentityProviderError) -> RedirectResult:
    refusal = error if isinstance(error, Refusal) else Refusal(Code.ID_TOKEN_NOT_VERIFIED, str(error))
    return RedirectResult(failure_address(application, call.service.settings, refusal))


async def _away(call: Call[Any], application: Document, company_id: str, challenge: str) -> RedirectResult:
    issued = await call.store.tickets.read(CHALLENGE, challenge, now=call.now)
    if issued is None or issued["companyId"] != company_id:
        raise Refusal(Code.UNAUTHORIZED, "this login was not begun here, is over, or took too long")
    provider = await provider_for(call.store, call.service.settings, company_id)
    if provider is None or provider.only_use_implicit_flow:
        raise Refusal(Code.NOT_FOUND, "this company has no OpenID Connect login here")
    ids = call.service.ids
    attempt = Attempt(ids.secret(44), ids.secret(44), ids.secret(64), call.headers.origin + _CALLBACK)
    browser = call.headers.cookie or ids.secret(44)
    away = await call.service.openid.authorization_url(
        provider, attempt, login_hint=issued["uid"], ui_locales=issued["locales"]
    )
    under_way = {
        "appId": application["id"],
        "companyId": company_id,
        "challenge": challenge,
        "nonce": attempt.nonce,
        "verifier": attempt.verifier,
        "redirectUri": attempt.redirect_uri,
        "browser": browser,
    }
    await write_ticket(call, STATE, attempt.state, under_way)
    return RedirectResult(away, cookie=browser)


@rule(oidc_callback)
async def callback(call: Call[CallbackQuery]) -> RuleResult:
    under_way = await call.store.tickets.take(STATE, call.query.state, now=call.now)
    await call.store.commit()
    # The browser that comes back must be the one that was sent away: else a login could be slipped to somebody.
    application = await call.store.applications.get(str(under_way["appId"])) if under_way else None
    if under_way is None or application is None or under_way["browser"] != call.headers.cookie:
        raise Refusal(Code.UNAUTHORIZED, "this login was not begun in this browser, or took too long")
    try:
        return await _back(call, application, under_way)
    except (Refusal, IdentityProviderError) as error:
        await call.store.rollback()
        return _failed(call, application, error)


async def _back(call: Call[CallbackQuery], application: Document, under_way: Document) -> RedirectResult:
    check_open(application)
    if call.query.error or not call.query.code:
        raise Refusal(Code.UNAUTHORIZED, "the identity provider did not log the user in")
    provider = await provider_for(call.store, call.service.settings, under_way["companyId"])
    if provider is None:
        raise Refusal(Code.NOT_FOUND, "this company has no OpenID Connect login here")
    attempt = Attempt(call.query.state, under_way["nonce"], under_way["verifier"], under_way["redirectUri"])
    claims = await call.service.openid.redeem(provider, attempt, call.query.code)
    user = await user_of_claims(call.store, call, claims, provider)
    issued = await call.store.tickets.take(CHALLENGE, under_way["challenge"], now=call.now)
    if issued is None:
        raise Refusal(Code.UNAUTHORIZED, "this login is over, or took too long")
    how = {"companyId": under_way["companyId"]}
    if issued["session"]:
        return await _deliver(call, application, user, issued["session"], how)
    done = await logins.complete_login(user, application, call.store, call.service, oidc=how)
    return RedirectResult(with_query(return_address(application, call.service.settings), tkn=done["token"]))


async def _deliver(
    call: Call[Any], application: Document, user: Document, session: str, how: Document
) -> RedirectResult:
    done = {"status": "done", "userId": user["id"], "appId": application["id"], "oidc": how}
    if not await call.store.tickets.change(BACKCHANNEL, session, done):
        raise Refusal(Code.UNAUTHORIZED, "nobody waits for this login any more")
    # No token in the address: who polls the session gets it.
    return RedirectResult(return_address(application, call.service.settings, backchannel=True))


@rule(declared.logout_oidc)
async def logout(call: Call[LogoutQuery]) -> RuleResult:
    return await _farewell(call)


@rule(declared.logout_global_sso_oidc)
async def logout_globally(call: Call[LogoutQuery]) -> RuleResult:
    return await _farewell(call)


async def _farewell(call: Call[LogoutQuery]) -> RuleResult:
    claims = call.service.tokens.read(call.query.token or "", call.now)
    application = await call.store.applications.get(str(claims.get("app", {}).get("id", ""))) or {}
    own = application.get("ssoLogoutRedirectUrl")
    return RedirectResult(str(own or return_address(application, call.service.settings)))
