"""Discovery of login URLs with their fallbacks, and of the logout URL (4.1). SAML logins are refused with 503000,
because no company can have a SAML identity provider here.
"""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Role, roles_of
from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import (
    GLOBAL_OIDC,
    OIDC,
    PASSWORD,
    PASSWORDLESS,
    BackchannelSession,
    DiscoveryQuery,
    LoginUrl,
    LogoutQuery,
    SamlLogin,
)
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import typed
from svc_tui.server.authentication.sessions import user_by_login
from svc_tui.server.authentication.tickets import ChallengeTicket, SessionTicket
from svc_tui.server.http.parsing import storable
from svc_tui.server.openid_connect import Provider
from svc_tui.server.provider_requests import IdentityProviderError
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.security.single_sign_on import BACKCHANNEL, CHALLENGE, provider_for, with_query, write_ticket
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCompany, StoredUser

BASE = "/api/svc/authentication/v1.0"
PASSWORDLESS_FEATURE = "SECURITY_PASSWORDLESS"
#: The session token outlives the session: after its end the answer is 404, not 401.
_TOKEN_SECONDS = 2 * declared.BACKCHANNEL_SECONDS
_ADMINISTRATORS = frozenset(
    {
        Role.SUPERADMIN,
        Role.BUSINESS_ADMIN,
        Role.CUSTOMER_SUCCESS_ADMIN,
        Role.BP_ADMIN,
        Role.ORGANIZATION_ADMIN,
        Role.COMPANY_ADMIN,
        Role.SITE_ADMIN,
        Role.DIRECTORY_ADMIN,
    }
)


@rule(declared.discover_login_urls)
async def discover(call: Call[DiscoveryQuery]) -> RuleResult:
    if call.query.country is not None and call.query.country not in COUNTRIES:
        raise Refusal(Code.INVALID_COUNTRY)
    return {"data": [item.wire() for item in await _login_urls(call)]}


async def _login_urls(call: Call[DiscoveryQuery]) -> list[LoginUrl]:
    user = await discovered_user(call.query.uid, call.store)
    if user is None:
        return [_native(call, PASSWORD)]
    item = await _configured(call, user)
    if item.type == PASSWORD or not roles_of(user.roles, user.admin_type) & _ADMINISTRATORS:
        return [item]
    return [item, _native(call, PASSWORD)]


async def discovered_user(login: str, store: Store) -> StoredUser | None:
    """The user of a login. For one that no user can use, a made-up user of the company that it would belong to, so that
    the answer does not reveal which users exist; None without such a company."""
    user = await user_by_login(login, store)
    if user is not None and user.is_active is not False and not user.is_terminated:
        return user
    company = await _company_of(login.partition("@")[2].casefold(), store) if storable(login) else ""
    return typed(StoredUser, {"companyId": company, "roles": [Role.USER.value]}) if company else None


async def _company_of(domain: str, store: Store) -> str:
    """The company that a domain belongs to: all users of the domain are of the company, and all its users of the
    domain. Empty for a domain that companies share, and for a company with several."""
    present = Not(Is("isTerminated", True))
    first, last = await store.users.extremes("companyId", Is("loginDomain", domain), present) if domain else ("", "")
    if not first or first != last:
        return ""
    domains = await store.users.extremes("loginDomain", Is("companyId", first), present)
    return str(first) if domains == (domain, domain) else ""


async def _configured(call: Call[DiscoveryQuery], user: StoredUser) -> LoginUrl:
    """The configured login method of a user."""
    method, provider = await method_of(call, user)
    return await _federated(call, provider, method) if provider else _native(call, method)


async def method_of(call: AnyCall, user: StoredUser) -> tuple[str, Provider | None]:
    """The configured login method of a user, with its identity provider."""
    company = typed(StoredCompany, await call.store.companies.get(user.company_id or ""))
    method: str = user.authentication_type or "DEFAULT"
    if method == "DEFAULT" and company is not None:
        method = company.authentication_type or "DEFAULT"
    if method == PASSWORDLESS and PASSWORDLESS_FEATURE in (user.features or ()):
        return PASSWORDLESS, None
    if method == GLOBAL_OIDC:
        provider = await provider_for(call.store, call.service.settings, "")
        return (GLOBAL_OIDC, provider) if provider else (PASSWORD, None)
    if method in ("DEFAULT", OIDC) and company is not None:
        provider = await provider_for(call.store, call.service.settings, company.id)
        return (OIDC, provider) if provider else (PASSWORD, None)
    return PASSWORD, None


def _native(call: Call[DiscoveryQuery], type: str) -> LoginUrl:
    """A login method of the service itself."""
    base = call.headers.origin + BASE
    return LoginUrl(
        type=type,
        name=None,
        client_id=None,
        challenge=None,
        only_use_implicit_flow=False,
        use_web_view=False,
        use_backchannel=False,
        login_url=f"{base}/login",
        logout_url=f"{base}/logout",
    )


async def _federated(call: Call[DiscoveryQuery], provider: Provider, type: str) -> LoginUrl:
    """Login at an identity provider, with a new challenge and, if requested, a backchannel session."""
    challenge = call.service.ids.secret(44)
    session = call.service.ids.record() if call.query.use_backchannel_polling else ""
    path = "/oidc-client" if type == OIDC else "/global-sso/oidc"
    item = LoginUrl(
        type=type,
        name=provider.name,
        client_id=provider.client_id,
        challenge=challenge,
        only_use_implicit_flow=provider.only_use_implicit_flow,
        use_web_view=True,
        use_backchannel=bool(session),
        logout_url=f"{call.headers.origin}{BASE}{path}/logout",
        issuer=provider.issuer,
        discovery_url=provider.discovery_url,
    )
    await _add_endpoints(call, provider, item)
    if session:
        await write_ticket(call, BACKCHANNEL, session, SessionTicket(status="pending").wire())
        item.backchannel_session = BackchannelSession(id=session, token=_session_token(call, session))
    if not provider.only_use_implicit_flow:
        query = {"companyId": provider.company_id} if provider.company_id else {}
        item.login_url = with_query(f"{call.headers.origin}{BASE}{path}/login", **query, challenge=challenge)
    ticket = ChallengeTicket(
        company_id=provider.company_id,
        session=session,
        uid=call.query.uid,
        locales=call.query.ui_locales or "",
        address=call.headers.address,
        requested=call.now,
    )
    await write_ticket(call, CHALLENGE, challenge, ticket.wire())
    return item


async def _add_endpoints(call: Call[DiscoveryQuery], provider: Provider, item: LoginUrl) -> None:
    try:
        async with call.store.released():
            metadata = await call.service.openid.metadata(provider)
    except IdentityProviderError:
        # The login itself reports the error; other login methods must not depend on this one.
        return
    item.authorization_endpoint, item.jwks_uri = metadata["authorization_endpoint"], metadata["jwks_uri"]


def _session_token(call: Call[DiscoveryQuery], session: str) -> str:
    now = int(call.now.timestamp())
    return call.service.tokens.sign({"backchannel": session, "iat": now, "exp": now + _TOKEN_SECONDS})


@rule(declared.discover_logout_url)
async def discover_logout(call: Call) -> RuleResult:
    claims = call.claims
    if call.api_key is not None or claims.oauth:
        # These have no logout URL: the key or token is revoked instead.
        return {"data": {"useWebView": False}}
    if claims.oidc is not None:
        path = "/oidc-client/logout" if claims.oidc.get("companyId") else "/global-sso/oidc/logout"
    else:
        path = "/saml/logout" if claims.saml is not None else "/logout"
    return {"data": {"useWebView": path != "/logout", "logoutUrl": call.headers.origin + BASE + path}}


@rule(declared.login_saml)
async def login(call: Call[SamlLogin]) -> RuleResult:
    raise await _no_provider(call, call.query.company_id)


@rule(declared.saml_assert)
async def assertion(call: Call) -> RuleResult:
    raise await _no_provider(call, call.path["companyId"])


@rule(declared.saml_metadata)
async def metadata(call: Call) -> RuleResult:
    raise await _no_provider(call, call.path["companyId"])


@rule(declared.logout_saml)
async def logout(call: Call[LogoutQuery]) -> RuleResult:
    call.service.tokens.read(call.query.token or "", call.now)
    raise Refusal(Code.NO_SAML)


async def _no_provider(call: Call[Any], company_id: str) -> Refusal:
    """The refusal for a company without SAML, or for an unknown one."""
    known = await call.store.companies.get(company_id) is not None
    return Refusal(Code.NO_SAML) if known else not_found("Company", company_id)
