"""Single sign-on on the login page of an authorization: away to the identity provider, and back to the consent."""

from __future__ import annotations

from svc_tui.server.authentication import oauth_pages as pages
from svc_tui.server.authentication.discovery import discovered_user, method_of
from svc_tui.server.authentication.oauth_flow import EXPIRED, AuthorizationTicket, logged_in, page, request_of
from svc_tui.server.authentication.provider_logins import begin
from svc_tui.server.authentication.tickets import LoginTicket
from svc_tui.server.provider_requests import IdentityProviderError
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, PageResult, RedirectResult
from svc_tui.server.stored import StoredApplication, StoredUser

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
