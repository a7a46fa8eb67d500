"""State of single sign-on between requests: the challenge of discovery, the pending login, the polled session."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from svc_tui.interface.addresses import is_listed, is_within, redirect_problem
from svc_tui.interface.authentication.single_sign_on import BACKCHANNEL_SECONDS, OIDC
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import typed
from svc_tui.server.http.pages import STEP_SECONDS, failure_page
from svc_tui.server.http.parsing import storable
from svc_tui.server.openid_connect import Provider, provider_of
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, PageResult, RedirectResult
from svc_tui.server.security import logins
from svc_tui.server.settings import Settings
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany

#: Ticket kinds.
CHALLENGE, STATE, BACKCHANNEL, CONFIRMATION = "sso-challenge", "sso-state", "backchannel", "sso-confirmation"
#: The same for id_tokens that were exchanged.
ID_TOKEN = "sso-id-token"


async def provider_for(store: Store, settings: Settings, company_id: str) -> Provider | None:
    """The provider of a company. Without a company, the global one."""
    if not company_id:
        found = settings.global_identity
        if found is None:
            return None
        return Provider(found.issuer, found.client_id, found.client_secret, "Global single sign-on")
    document = await store.identity_providers.one(Is("companyId", company_id), Is("type", OIDC))
    return provider_of(document) if document else None


async def write_ticket(call: Call[Any], kind: str, id: str, document: Document) -> None:
    """Store the values that must return with the next request of a login."""
    seconds = BACKCHANNEL_SECONDS if kind == BACKCHANNEL else STEP_SECONDS
    expires = call.now + timedelta(seconds=seconds)
    await call.store.tickets.add(kind, id, now=call.now, expires=expires, document=document)


def with_query(address: str, **values: str) -> str:
    """An address with more query parameters."""
    parts = urlsplit(address)
    query = [*parse_qsl(parts.query, keep_blank_values=True), *values.items()]
    return urlunsplit(parts._replace(query=urlencode(query)))


def return_address(application: Document, settings: Settings, *, backchannel: bool = False) -> str:
    """The address of the browser after a login (2.6)."""
    names = ("backchannelAuthenticationRedirectUrl",) if backchannel else ()
    return first_usable(application, *names, "ssoAuthenticationRedirectUrl") or settings.web_client_url


def first_usable(application: Document, *names: str) -> str:
    """The first of these fields that a browser can be redirected to. Older addresses may be stored that it cannot."""
    addresses = (str(application.get(name) or "") for name in names)
    return next((each for each in addresses if each and not redirect_problem(each)), "")


class ForbiddenRedirect(Refusal):
    """The company of the user does not allow this redirect (`allowedRedirectDomains`, 2.7)."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address).hostname or urlsplit(address).scheme
        super().__init__(Code.ROLE_MISSING, f"This company does not allow its users to be redirected to {place}.")


async def check_redirect(store: Store, settings: Settings, company_id: str | None, address: str) -> bool:
    """Whether the company lists the domain of the address, and so vouches for it.

    ForbiddenRedirect if the company limits redirects to other domains. Without a list, all are allowed.
    """
    company = typed(StoredCompany, await store.companies.get(company_id or ""))
    domains = company.allowed_redirect_domains if company else None
    if domains and address != settings.web_client_url and not is_within(address, domains):
        raise ForbiddenRedirect(address)
    return bool(domains) and is_listed(address, domains or ())


def failure_address(application: Document, settings: Settings, refusal: Refusal, *, backchannel: bool = False) -> str:
    """The address after a failed login, with errtype, errcode and errmsg."""
    said = refusal.details if isinstance(refusal.details, str) else refusal.body()["errorDetails"]
    address = return_address(application, settings, backchannel=backchannel)
    return with_query(address, errtype=OIDC, errcode=str(int(refusal.code)), errmsg=str(said))


def failed_login(call: Call[Any, Any], application: Document, error: Exception) -> RedirectResult | PageResult:
    """Back to the application with the reason; a page where the browser may not be redirected there."""
    if isinstance(error, ForbiddenRedirect):
        return failure_page("Login failed", str(error.details), 403)
    refusal = error if isinstance(error, Refusal) else Refusal(Code.ID_TOKEN_NOT_VERIFIED, str(error))
    return RedirectResult(failure_address(application, call.service.settings, refusal))


async def user_of_claims(store: Store, call: Call[Any], claims: Document, provider: Provider) -> Document:
    """The user whose loginEmail an identity provider confirms. The provider of a company confirms only its users."""
    email = claims.get("email")
    if not isinstance(email, str) or not email or not storable(email):
        raise Refusal(Code.VALIDATION, "the identity provider sent no usable email address")
    # Some providers send it as a text.
    if str(claims.get("email_verified", True)).lower() != "true":
        raise Refusal(Code.ID_TOKEN_NOT_VERIFIED, "the email address is not verified")
    user = await store.users.one(Is("loginEmail", email))
    if user is not None and not _is_same_address(email, str(user["loginEmail"])):
        user = None
    if user is None or (provider.company_id and user.get("companyId") != provider.company_id):
        raise Refusal(Code.NOT_FOUND, "no user has this email address as login")
    await logins.check_login(user, store, call.service)
    return user


def _is_same_address(confirmed: str, login: str) -> bool:
    """Whether two addresses that a filter takes for equal are of one mailbox.

    A filter ignores the case of all scripts: it takes `ſ` for `s`, but their mailboxes can have different owners.
    """
    return confirmed == login or (confirmed.isascii() and login.isascii())
