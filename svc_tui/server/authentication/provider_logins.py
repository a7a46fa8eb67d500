"""A login at an identity provider, whatever it is for: to the provider, and back with its answer (4.1)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import typed
from svc_tui.server.authentication.discovery import BASE
from svc_tui.server.authentication.tickets import NO_PROVIDER, LoginTicket
from svc_tui.server.openid_connect import Attempt, Provider
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call, RedirectResult
from svc_tui.server.security.browsers import new_step
from svc_tui.server.security.single_sign_on import STATE, provider_for, user_of_claims, write_ticket
from svc_tui.server.stored import StoredUser

#: Where the global provider sends the browser, and where that of a company does: the address in which a response
#: arrives identifies the provider.
GLOBAL_CALLBACK = f"{BASE}/global-sso/oidc/callback"
COMPANY_CALLBACK = f"{BASE}/oidc-client/callback/{{companyId}}"

_ANOTHER_PROVIDER = "the identity provider has changed during this login; start it again"


class CallbackQuery(Record):
    """The query of an identity provider's redirect. `iss` is the provider that says it has sent it (RFC 9207)."""

    state: str = ""
    code: str = ""
    error: str = ""
    iss: str | None = None


def callback_path(company_id: str) -> str:
    """The path to register at the provider of a company; without a company, at the global one."""
    return COMPANY_CALLBACK.format(companyId=company_id) if company_id else GLOBAL_CALLBACK


async def begin(
    call: AnyCall,
    provider: Provider,
    *,
    app_id: str,
    challenge: str = "",
    oauth_request: str = "",
    login: str = "",
    locales: str = "",
) -> RedirectResult:
    """To the provider, with the cookie that the browser returns with. IdentityProviderError."""
    ids, step = call.service.ids, new_step(call)
    redirect_uri = call.headers.origin + callback_path(provider.company_id)
    attempt = Attempt(step.id, ids.secret(44), ids.secret(64), redirect_uri)
    async with call.store.released():
        address = await call.service.openid.authorization_url(provider, attempt, login_hint=login, ui_locales=locales)
    ticket = LoginTicket(
        app_id=app_id,
        company_id=provider.company_id,
        issuer=provider.issuer,
        client_id=provider.client_id,
        challenge=challenge,
        oauth_request=oauth_request,
        nonce=attempt.nonce,
        verifier=attempt.verifier,
        redirect_uri=attempt.redirect_uri,
        browser=step.browser,
    )
    await write_ticket(call, STATE, step.id, ticket.wire())
    return RedirectResult(address, step.cookies)


async def identified(call: Call[CallbackQuery], ticket: LoginTicket) -> StoredUser:
    """The user that the provider has logged in and that may log in here. Refusal, IdentityProviderError.

    A code is sent only to the provider with which the login began.
    """
    query = call.query
    provider = await provider_for(call.store, call.service.settings, ticket.company_id)
    if provider is None:
        raise Refusal(Code.NOT_FOUND, NO_PROVIDER)
    if (provider.issuer, provider.client_id) != (ticket.issuer, ticket.client_id):
        raise Refusal(Code.UNAUTHORIZED, _ANOTHER_PROVIDER)
    attempt = Attempt(query.state, ticket.nonce, ticket.verifier, ticket.redirect_uri)
    async with call.store.released():
        await call.service.openid.check_sender(provider, query.iss)
        if query.error or not query.code:
            raise Refusal(Code.UNAUTHORIZED, "the identity provider did not log the user in")
        claims = await call.service.openid.redeem(provider, attempt, query.code)
    return typed(StoredUser, await user_of_claims(call.store, call, claims, provider))
