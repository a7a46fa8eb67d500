"""Grants of users to applications in the store, and their tokens (5.5)."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from svc_tui.interface.authentication.oauth import SCOPE, OAuthToken
from svc_tui.interface.authentication.proof import ACCESS_SECONDS, REFRESH_SECONDS
from svc_tui.interface.dates import stamp
from svc_tui.interface.fields import field
from svc_tui.interface.typed_access import all_typed, typed
from svc_tui.server.rules import AnyCall
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost, Is
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApiKey, StoredApplication, StoredUser

#: Ticket kinds: codes, codes that were used, and refresh tokens that were replaced.
CODE, USED_CODE, USED_REFRESH = "oauth-code", "oauth-used-code", "oauth-used-refresh"


class StoredOAuthToken(OAuthToken):
    id: str = field(...)
    user_id: str = field(...)
    app_id: str = field(...)
    refresh_hash: str | None = field(None)


def hash_of(token: str) -> str:
    """The stored form of a code or refresh token. Both are long and random."""
    return hashlib.sha256(token.encode()).hexdigest()


async def new_grant(
    call: AnyCall, user: StoredUser, application: StoredApplication, *, refreshable: bool
) -> tuple[Document, Document] | None:
    """A new grant in the store, and its tokens. None if the sessions of the user were ended since the user was read."""
    await call.store.lock(f"oauth:{user.id}:{application.id}")
    await call.store.lock(f"user:{user.id}")
    present = typed(StoredUser, await call.store.users.get(user.id))
    if present is None or present.sessions_ended != user.sessions_ended:
        return None
    tokens = call.store.oauth_tokens
    await tokens.remove_all(AtMost("expires", call.stamp))
    if refreshable and application.enable_oauth_allow_several_refresh_tokens is False:
        await tokens.remove_all(Is("userId", user.id), Is("appId", application.id))
    grant = {
        "id": call.service.ids.record(),
        "appId": application.id,
        "appName": application.name,
        "userId": user.id,
        "scope": SCOPE,
        "creationDate": call.stamp,
    }
    refresh = call.service.ids.secret(64) if refreshable else ""
    issued = _renew(call, grant, user, application, refresh)
    await tokens.add(grant)
    return grant, issued


async def renewed(
    call: AnyCall, grant: Document, user: StoredUser, application: StoredApplication, refresh: str
) -> Document | None:
    """New tokens of a grant, which is stored. None if it was revoked since it was read: it stays so."""
    issued = _renew(call, grant, user, application, refresh)
    return issued if await call.store.oauth_tokens.replace(grant) else None


def _renew(call: AnyCall, grant: Document, user: StoredUser, application: StoredApplication, refresh: str) -> Document:
    """A new access token of a grant; with a new refresh token, its time starts again. Changes the grant."""
    now = call.now
    ends = stamp(now + timedelta(seconds=ACCESS_SECONDS))
    grant.update(accessTokenIssuedAt=stamp(now), accessTokenExpiresAt=ends, expires=ends)
    if refresh:
        until = stamp(now + timedelta(seconds=REFRESH_SECONDS))
        grant.update(refreshTokenIssuedAt=stamp(now), refreshTokenExpiresAt=until, refreshHash=hash_of(refresh))
    grant["expires"] = max(ends, grant.get("refreshTokenExpiresAt") or "")
    tokens = {
        "access_token": _access_token(grant["id"], user, application, call.service),
        "expires_in": ACCESS_SECONDS,
        "token_type": "Bearer",
        "scope": SCOPE,
    }
    return {**tokens, "refresh_token": refresh} if refresh else tokens


def _access_token(grant_id: str, user: StoredUser, application: StoredApplication, service: Service) -> str:
    now = int(service.clock.now().timestamp())
    return service.tokens.sign(
        {
            "user": {"id": user.id, "loginEmail": user.login_email},
            "app": {"id": application.id, "name": application.name},
            "oauth": {"type": "access_token", "scope": SCOPE, "id": grant_id},
            "iat": now,
            "exp": now + ACCESS_SECONDS,
            # Two tokens of the same second differ.
            "jti": service.ids.record(),
        }
    )


async def grant_of_refresh(call: AnyCall, refresh: str, application: StoredApplication) -> StoredOAuthToken | None:
    """The grant of a valid refresh token of the application, locked. A replaced one revokes its grant."""
    hashed = hash_of(refresh)
    await call.store.lock(f"oauth-refresh:{hashed}")
    used = await call.store.tickets.read(USED_REFRESH, hashed, now=call.now)
    if used is not None:
        if used["appId"] == application.id:
            await end_grant(call, used["id"])
        return None
    grant = typed(StoredOAuthToken, await call.store.oauth_tokens.one(Is("refreshHash", hashed)))
    if grant is None or grant.app_id != application.id or grant.refresh_token_expires_at is None:
        return None
    return grant if grant.refresh_token_expires_at > call.now else None


async def replace_refresh(call: AnyCall, grant: StoredOAuthToken) -> None:
    """Note that the refresh token of a grant is replaced, as long as it would have been valid."""
    if grant.refresh_hash is None or grant.refresh_token_expires_at is None:
        return
    await call.store.tickets.add(
        USED_REFRESH,
        grant.refresh_hash,
        now=call.now,
        expires=grant.refresh_token_expires_at,
        document={"id": grant.id, "appId": grant.app_id},
    )


async def revoke_code(call: AnyCall, hashed: str) -> None:
    """Revoke the grant of a used code: one of its two users has stolen it."""
    used = await call.store.tickets.read(USED_CODE, hashed, now=call.now)
    if used is not None:
        await end_grant(call, used["id"])


async def end_grant(call: AnyCall, id: str) -> bool:
    """Remove a grant with the API keys that were made with it; False when it is gone already. Its user gets a new
    messaging password: the application may know the present one."""
    grant = await call.store.oauth_tokens.get(id)
    if grant is None or not await call.store.oauth_tokens.remove(id):
        return False
    keys = (await call.store.api_keys.find(Is("userId", grant["userId"]))).documents
    for key in all_typed(StoredApiKey, keys):
        if key.grant_id == id:
            await call.store.api_keys.remove(key.id)
    await call.store.users.renew_messaging(grant["userId"])
    return True
