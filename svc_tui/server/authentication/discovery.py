"""How a user can log in and out (4.1): discovery of login URLs with their fallbacks, and of the logout URL."""

from __future__ import annotations

from svc_tui.interface.access import Role, roles_of
from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import (
    GLOBAL_OIDC,
    OIDC,
    PASSWORD,
    PASSWORDLESS,
    DiscoveryQuery,
)
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.errors import Code
from svc_tui.server.authentication.login import by_login
from svc_tui.server.openid_connect import IdentityProviderError, Provider
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security.single_sign_on import BACKCHANNEL, CHALLENGE, provider_for, with_query, write_ticket
from svc_tui.server.store.tables import Document

BASE = "/api/svc/authentication/v1.0"
PASSWORDLESS_FEATURE = "SECURITY_PASSWORDLESS"
#: A session's token outlives the session, so that its end is a 404 and not a 401.
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
    user = await by_login(call.query.uid, call.store)
    # Who does not exist, or may not log in, gets what most users get.
    if user is None or user.get("isActive") is False or user.get("isTerminated"):
        return {"data": [_native(call, PASSWORD)]}
    company = await call.store.companies.get(str(user.get("companyId") or "")) or {}
    items = [await _configured(call, user, company)]
    if items[0]["type"] != PASSWORD and roles_of(user.get("roles") or [], user.get("adminType")) & _ADMINISTRATORS:
        items.append(_native(call, PASSWORD))
    return {"data": items}


async def _configured(call: Call[DiscoveryQuery], user: Document, company: Document) -> Document:
    own = user.get("authenticationType") or "DEFAULT"
    chosen = company.get("authenticationType") or "DEFAULT" if own == "DEFAULT" else own
    if chosen == PASSWORDLESS and PASSWORDLESS_FEATURE in (user.get("features") or ()):
        return _native(call, PASSWORDLESS)
    if chosen == GLOBAL_OIDC:
        provider = await provider_for(call.store, call.service.settings, "")
        return await _federated(call, provider, GLOBAL_OIDC) if provider else _native(call, PASSWORD)
    if chosen in ("DEFAULT", OIDC) and company:
        provider = await provider_for(call.store, call.service.settings, str(company["id"]))
        return await _federated(call, provider, OIDC) if provider else _native(call, PASSWORD)
    return _native(call, PASSWORD)


def _native(call: Call[DiscoveryQuery], type: str) -> Document:
    base = call.headers.origin + BASE
    urls = {"loginUrl": f"{base}/login", "logoutUrl": f"{base}/logout"}
    return {"type": type, "useWebView": False, "useBackchannel": False, **urls}


async def _federated(call: Call[DiscoveryQuery], provider: Provider, type: str) -> Document:
    challenge = call.service.ids.secret(44)
    session = call.service.ids.record() if call.query.use_backchannel_polling else ""
    path = "/oidc-client" if type == OIDC else "/global-sso/oidc"
    item: Document = {
        "type": type,
        "name": provider.name,
        "clientId": provider.client_id,
        "challenge": challenge,
        "onlyUseImplicitFlow": provider.only_use_implicit_flow,
        "useWebView": True,
        "useBackchannel": bool(session),
        "logoutUrl": f"{call.headers.origin}{BASE}{path}/logout",
        "issuer": provider.issuer,
        "discoveryUrl": provider.discovery_url,
        **await _published(call, provider),
    }
    if session:
        await write_ticket(call, BACKCHANNEL, session, {"status": "pending"})
        item["backchannelSession"] = {"id": session, "token": _session_token(call, session)}
    if not provider.only_use_implicit_flow:
        query = {"companyId": provider.company_id} if provider.company_id else {}
        item["loginUrl"] = with_query(f"{call.headers.origin}{BASE}{path}/login", **query, challenge=challenge)
    hints = {"uid": call.query.uid, "locales": call.query.ui_locales or ""}
    await write_ticket(call, CHALLENGE, challenge, {"companyId": provider.company_id, "session": session, **hints})
    return item


async def _published(call: Call[DiscoveryQuery], provider: Provider) -> Document:
    try:
        found = await call.service.openid.metadata(provider)
    except IdentityProviderError:
        # The login itself will say what is wrong; other ways to log in must not wait for this one.
        return {}
    return {"authorizationEndpoint": found["authorization_endpoint"], "jwksUri": found["jwks_uri"]}


def _session_token(call: Call[DiscoveryQuery], session: str) -> str:
    now = int(call.now.timestamp())
    return call.service.tokens.sign({"backchannel": session, "iat": now, "exp": now + _TOKEN_SECONDS})


@rule(declared.discover_logout_url)
async def discover_logout(call: Call) -> RuleResult:
    if call.api_key is not None or call.claims.get("oauth"):
        # Such a login has no logout URL: the key or token is revoked instead.
        return {"data": {"useWebView": False}}
    how = call.claims.get("oidc")
    if how is not None:
        path = "/oidc-client/logout" if how.get("companyId") else "/global-sso/oidc/logout"
    else:
        path = "/saml/logout" if "saml" in call.claims else "/logout"
    return {"data": {"useWebView": path != "/logout", "logoutUrl": call.headers.origin + BASE + path}}
