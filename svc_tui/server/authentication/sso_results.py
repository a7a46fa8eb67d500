"""How a client gets the result of a single sign-on (4.1): by polling a session, or in exchange for an id_token."""

from __future__ import annotations

import hashlib

from svc_tui.interface.authentication import single_sign_on as declared
from svc_tui.interface.authentication.single_sign_on import IdTokenLogin
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import typed
from svc_tui.server.authentication.tickets import NO_PROVIDER, UNKNOWN_LOGIN, ChallengeTicket, SessionTicket
from svc_tui.server.openid_connect import Provider, end_of
from svc_tui.server.provider_requests import IdentityProviderError
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import check_application_token, check_open, proven_application
from svc_tui.server.security.own_clients import check_client_version
from svc_tui.server.security.single_sign_on import BACKCHANNEL, CHALLENGE, ID_TOKEN, provider_for, user_of_claims
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication


@rule(declared.poll_backchannel_session)
async def poll(call: Call) -> RuleResult:
    id = call.path["sessionId"]
    scheme, _, token = call.headers.authorization.partition(" ")
    claims = call.service.tokens.read(token.strip() if scheme.lower() == "bearer" else "", call.now)
    if claims.get("backchannel") != id:
        raise Refusal(Code.INVALID_TOKEN, "this is not the token of this session")
    session = typed(SessionTicket, await call.store.tickets.read(BACKCHANNEL, id, now=call.now))
    if session is None:
        raise not_found("Session", id)
    if session.status == "pending":
        return {"data": {"status": "pending"}}
    if session.status == "denied":
        raise Refusal(Code.UNAUTHORIZED, "the login was denied in the browser")
    session = typed(SessionTicket, await call.store.tickets.take(BACKCHANNEL, id, now=call.now))
    user = await call.store.users.get(session.user_id) if session else None
    application = await call.store.applications.get(session.app_id) if session else None
    if session is None or user is None or application is None:
        raise not_found("Session", id)
    check_open(application)
    await logins.check_login(user, call.store, call.service)
    return await logins.complete_login(user, application, call.store, call.service, oidc=session.oidc)


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
    await check_client_version(call.headers, typed(StoredApplication, application).id, call.store)
    await _use(call, claims)
    oidc = {"companyId": provider.company_id}
    return await logins.complete_login(user, application, call.store, call.service, oidc=oidc)


async def _provider(call: Call[IdTokenLogin]) -> Provider:
    """The identity provider for which the challenge was issued. Refusal 401102, 404000."""
    issued = typed(ChallengeTicket, await call.store.tickets.take(CHALLENGE, call.query.challenge, now=call.now))
    await call.store.commit()
    if issued is None:
        raise Refusal(Code.UNAUTHORIZED, UNKNOWN_LOGIN)
    provider = await provider_for(call.store, call.service.settings, issued.company_id)
    if provider is None:
        raise Refusal(Code.NOT_FOUND, NO_PROVIDER)
    return provider


async def _verified(call: Call[IdTokenLogin], provider: Provider) -> Document:
    """The claims of the id_token. Refusal 401203."""
    try:
        async with call.store.released():
            return await call.service.openid.verified(provider, call.query.id_token, call.query.nonce)
    except IdentityProviderError as error:
        raise Refusal(Code.ID_TOKEN_NOT_VERIFIED, str(error)) from error


async def _use(call: Call[IdTokenLogin], claims: Document) -> None:
    """Refuse (401203) an id_token that was exchanged before, at any server. It is remembered until it has expired."""
    # Without the signature, which can be written in several ways.
    signed = hashlib.sha256(call.query.id_token.rpartition(".")[0].encode()).hexdigest()
    if not await call.store.tickets.add(ID_TOKEN, signed, now=call.now, expires=end_of(claims), document={}):
        raise Refusal(Code.ID_TOKEN_NOT_VERIFIED, "the id_token was used before")
