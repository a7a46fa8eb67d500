"""How a program gets the result of a single sign-on (4.1): by polling a session, or for an id_token it got itself."""

from __future__ import annotations

from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import IdTokenLogin
from svc_tui.interface.errors import Code
from svc_tui.server.openid_connect import IdentityProviderError, Provider
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import check_application_token, check_open, proven_application
from svc_tui.server.security.callers import check_state
from svc_tui.server.security.client_version import check_client_version
from svc_tui.server.security.single_sign_on import BACKCHANNEL, CHALLENGE, provider_for, user_of_claims
from svc_tui.server.store.tables import Document


@rule(declared.poll_backchannel_session)
async def poll(call: Call) -> RuleResult:
    id = call.path["sessionId"]
    scheme, _, token = call.headers.authorization.partition(" ")
    claims = call.service.tokens.read(token.strip() if scheme.lower() == "bearer" else "", call.now)
    if claims.get("backchannel") != id:
        raise Refusal(Code.INVALID_TOKEN, "this is not the token of this session")
    session = await call.store.tickets.read(BACKCHANNEL, id, now=call.now)
    if session is None:
        raise not_found("Session", id)
    if session["status"] == "pending":
        return {"data": {"status": "pending"}}
    session = await call.store.tickets.take(BACKCHANNEL, id, now=call.now)
    user = await call.store.users.get(str(session["userId"])) if session else None
    application = await call.store.applications.get(str(session["appId"])) if session else None
    if session is None or user is None or application is None:
        raise not_found("Session", id)
    check_open(application)
    await check_state(call.store, user, call.service)
    return await logins.complete_login(user, application, call.store, call.service, oidc=session["oidc"])


@rule(declared.oidc_id_token_login)
async def exchange(call: Call[IdTokenLogin]) -> RuleResult:
    application = await proven_application(call.headers.app_auth, call.query.challenge, call.store)
    if application is None:
        raise Refusal(Code.WRONG_CREDENTIALS)
    check_application_token(call.headers, application)
    check_open(application)
    provider = await _provider(call)
    claims = await _verified(call, provider)
    user = await user_of_claims(call.store, call, claims, provider)
    await check_client_version(call.headers, str(application["id"]), call.store)
    how = {"companyId": provider.company_id}
    return await logins.complete_login(user, application, call.store, call.service, oidc=how)


async def _provider(call: Call[IdTokenLogin]) -> Provider:
    issued = await call.store.tickets.take(CHALLENGE, call.query.challenge, now=call.now)
    await call.store.commit()
    company_id = issued["companyId"] if issued else None
    if company_id is None:
        raise Refusal(Code.UNAUTHORIZED, "this login was not begun here, is over, or took too long")
    provider = await provider_for(call.store, call.service.settings, company_id)
    if provider is None:
        raise Refusal(Code.NOT_FOUND, "this company has no OpenID Connect login here")
    return provider


async def _verified(call: Call[IdTokenLogin], provider: Provider) -> Document:
    try:
        return await call.service.openid.verified(provider, call.query.id_token, call.query.nonce)
    except IdentityProviderError as trouble:
        raise Refusal(Code.ID_TOKEN_NOT_VERIFIED, str(trouble)) from trouble
