"""Tokens of OAuth 2.0: exchange, refresh, and the list of a user (4.1, 5.5)."""

from __future__ import annotations

import base64
import hashlib
import hmac

from svc_tui.interface.authentication import oauth as declared
from svc_tui.interface.authentication.oauth import OAuthToken, OAuthTokenQuery, OAuthTokenRequest
from svc_tui.interface.authentication.proof import CODE_SECONDS
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.auditing import RefusedAttempts
from svc_tui.server.authentication.oauth_flow import CodeTicket, keep_ticket
from svc_tui.server.authentication.oauth_grants import (
    CODE,
    USED_CODE,
    StoredOAuthToken,
    end_grant,
    grant_of_refresh,
    hash_of,
    new_grant,
    renewed,
    replace_refresh,
    revoke_code,
)
from svc_tui.server.http.parsing import storable
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, SecretResult, page_of, rule
from svc_tui.server.security.application_proof import CLOSED_STATES, application_credentials
from svc_tui.server.security.callers import check_state
from svc_tui.server.store.conditions import AtLeast, Is
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication, StoredUser

_TokenCall = Call[Nothing, OAuthTokenRequest]
_INVALID_REFRESH = "the refresh token is unknown, used, expired or revoked"


@rule(declared.oauth_token)
async def exchange(call: _TokenCall) -> RuleResult:
    application = await _client(call)
    if application is None:
        call.service.part(RefusedAttempts).wrong_secret("applications")
        return SecretResult(
            {"error": "invalid_client", "error_description": "the application or its secret is wrong"},
            401,
            {"www-authenticate": 'Basic realm="svc"'},
        )
    # Errors are results: what a used code or token revokes must stay revoked.
    match call.body.grant_type:
        case "authorization_code":
            return await _by_code(call, application)
        case "refresh_token":
            return await _by_refresh(call, application)
        case None | "":
            return _error("invalid_request", "grant_type is required")
        case _:
            return _error("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")


async def _client(call: _TokenCall) -> StoredApplication | None:
    """The application that proves its secret, if it is in use."""
    id, secret = application_credentials(call.headers)
    found = typed(StoredApplication, await call.store.applications.get(id)) if storable(id) else None
    known = (found.app_secret if found else None) or ""
    right = hmac.compare_digest(secret.encode(), known.encode()) and bool(known)
    return found if right and found is not None and found.state not in CLOSED_STATES else None


def _error(error: str, description: str) -> SecretResult:
    return SecretResult({"error": error, "error_description": description}, 400)


async def _by_code(call: _TokenCall, application: StoredApplication) -> RuleResult:
    if not call.body.code:
        return _error("invalid_request", "code is required")
    hashed = hash_of(call.body.code)
    await call.store.lock(f"oauth-code:{hashed}")
    ticket = typed(CodeTicket, await call.store.tickets.read(CODE, hashed, now=call.now))
    if ticket is None or ticket.app_id != application.id:
        await revoke_code(call, hashed)
        call.service.part(RefusedAttempts).wrong_secret("oauthtokens", application_id=application.id)
        return _error("invalid_grant", "the code is unknown, used or expired")
    await call.store.tickets.take(CODE, hashed, now=call.now)
    if call.body.redirect_uri != ticket.redirect_uri and (call.body.redirect_uri or ticket.redirect_given):
        return _error("invalid_grant", "the code was issued for another redirect_uri")
    if not _verifies(call.body.code_verifier or "", ticket.challenge):
        call.service.part(RefusedAttempts).wrong_secret("oauthtokens", application_id=application.id)
        return _error("invalid_grant", "the code_verifier does not match the code_challenge")
    user = await _active_user(call, ticket.user_id)
    if user is None or user.sessions_ended != ticket.sessions_ended:
        return _error("invalid_grant", "the user of this code cannot log in")
    granted = await new_grant(call, user, application, refreshable=True)
    if granted is None:
        return _error("invalid_grant", "the user of this code cannot log in")
    grant, tokens = granted
    await keep_ticket(call, USED_CODE, hashed, {"id": grant["id"]}, seconds=CODE_SECONDS)
    return SecretResult(tokens)


def _verifies(verifier: str, challenge: str) -> bool:
    """Whether the verifier belongs to the challenge (PKCE, S256). Without a challenge there must be none."""
    if not challenge:
        return not verifier
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return hmac.compare_digest(digest, challenge.encode())


async def _by_refresh(call: _TokenCall, application: StoredApplication) -> RuleResult:
    sent = call.body.refresh_token
    if not sent:
        return _error("invalid_request", "refresh_token is required")
    grant = await grant_of_refresh(call, sent, application)
    if grant is None:
        call.service.part(RefusedAttempts).wrong_secret("oauthtokens", application_id=application.id)
        return _error("invalid_grant", _INVALID_REFRESH)
    user = await _active_user(call, grant.user_id)
    if user is None:
        return _error("invalid_grant", "the user of this refresh token cannot log in")
    if application.enable_oauth_refresh_token_rotation is False:
        tokens = await renewed(call, document_of(grant), user, application, "")
        return SecretResult({**tokens, "refresh_token": sent}) if tokens else _error("invalid_grant", _INVALID_REFRESH)
    await replace_refresh(call, grant)
    tokens = await renewed(call, document_of(grant), user, application, call.service.ids.secret(64))
    return SecretResult(tokens) if tokens else _error("invalid_grant", _INVALID_REFRESH)


async def _active_user(call: _TokenCall, id: str) -> StoredUser | None:
    user = await call.store.users.get(id)
    if user is None:
        return None
    try:
        await check_state(call.store, user, call.service)
    except Refusal:
        return None
    return typed(StoredUser, user)


@rule(declared.list_oauth_tokens)
async def list_tokens(call: Call[OAuthTokenQuery]) -> RuleResult:
    valid = (Is("userId", call.user.id), AtLeast("expires", call.stamp))
    return await page_of(call, call.store.oauth_tokens, OAuthToken, call.query, *valid)


@rule(declared.get_oauth_token)
async def get(call: Call) -> RuleResult:
    return {"data": _in_full(await _own(call))}


@rule(declared.revoke_oauth_token)
async def revoke(call: Call) -> RuleResult:
    grant = await _own(call, Code.NOT_FOUND_DELETE)
    if not await end_grant(call, grant.id):
        raise not_found("OAuth token", grant.id, Code.NOT_FOUND_DELETE)
    return {"status": f"OAuth token {grant.id} successfully deleted", "data": _in_full(grant)}


def _in_full(grant: StoredOAuthToken) -> Document:
    return OAuthToken.answered(document_of(grant), "full")


async def _own(call: AnyCall, code: Code = Code.NOT_FOUND) -> StoredOAuthToken:
    """The grant of the path. Refusal 404 for an unknown or expired one, 403000 for one of another user. To an OAuth
    token, only its own grant is known: it may end itself."""
    id = call.path["tokenId"]
    if call.claims.oauth and call.claims.oauth.get("id") != id:
        raise Refusal(Code.ROLE_MISSING, "an OAuth token reaches its own grant only")
    grant = await call.store.oauth_tokens.get(id)
    if grant is None or grant["expires"] < call.stamp:
        raise not_found("OAuth token", id, code)
    if grant["userId"] != call.user.id:
        raise Refusal(Code.ROLE_MISSING, "only the user who granted access can do this")
    return typed(StoredOAuthToken, grant)
