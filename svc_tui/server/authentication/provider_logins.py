"""A login at an identity provider, whatever it is for: to the provider, and back with its answer (4.1)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import typed
from svc_tui.server.authentication.discovery import BASE
from svc_tui.server.authentication.tickets import NO_PROVIDER, LoginTicket
from svc_tui.server.openid_connect import Attempt, Provider
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call
from svc_tui.server.security.single_sign_on import STATE, provider_for, user_of_claims, write_ticket
from svc_tui.server.stored import StoredUser

#: Where the provider sends the browser.
CALLBACK = f"{BASE}/oidc-client/callback"


async def begin(
    call: AnyCall,
    provider: Provider,
    browser: str,
    *,
    app_id: str,
    challenge: str = "",
    oauth_request: str = "",
    login: str = "",
    locales: str = "",
) -> str:
    """The address at the provider for this browser. IdentityProviderError."""
    ids = call.service.ids
    attempt = Attempt(ids.secret(44), ids.secret(44), ids.secret(64), call.headers.origin + CALLBACK)
    async with call.store.released():
        address = await call.service.openid.authorization_url(provider, attempt, login_hint=login, ui_locales=locales)
    ticket = LoginTicket(
        app_id=app_id,
        company_id=provider.company_id,
        challenge=challenge,
        oauth_request=oauth_request,
        nonce=attempt.nonce,
        verifier=attempt.verifier,
        redirect_uri=attempt.redirect_uri,
        browser=browser,
    )
    await write_ticket(call, STATE, attempt.state, ticket.wire())
    return address


async def identified(call: Call[Any], ticket: LoginTicket, state: str, code: str) -> StoredUser:
    """The user that the provider has logged in and that may log in here. Refusal, IdentityProviderError."""
    if not code:
        raise Refusal(Code.UNAUTHORIZED, "the identity provider did not log the user in")
    provider = await provider_for(call.store, call.service.settings, ticket.company_id)
    if provider is None:
        raise Refusal(Code.NOT_FOUND, NO_PROVIDER)
    attempt = Attempt(state, ticket.nonce, ticket.verifier, ticket.redirect_uri)
    async with call.store.released():
        claims = await call.service.openid.redeem(provider, attempt, code)
    return typed(StoredUser, await user_of_claims(call.store, call, claims, provider))
