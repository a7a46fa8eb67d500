"""The caller of an API key (5.1): the key, a unique challenge, and the proof of the application for it."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Code
from svc_tui.server.auditing import RefusedAttempts
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.security.application_proof import proven_application
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

_LONGEST_CHALLENGE = 255
_APPLICATION = "x-svc-app-auth does not prove an application for this challenge"


def hash_of(api_key: str) -> str:
    """The stored form of a key. Keys are long and random, so a slow hash would add no protection."""
    return hashlib.sha256(api_key.encode()).hexdigest()


async def by_api_key(headers: Headers, store: Store, service: Service) -> tuple[Document, Document]:
    """The records of the key and the application (5.1).

    Refusal 401500 for a wrong application id or secret (5.6), 401102 for a wrong key or challenge. The application is
    checked first: who cannot prove one learns nothing about a key.
    """
    challenge = headers.challenge
    if not challenge or len(challenge) > _LONGEST_CHALLENGE:
        raise Refusal(Code.UNAUTHORIZED, "x-svc-challenge is missing or too long")
    application = await proven_application(headers.app_auth, challenge, store)
    attempts = service.part(RefusedAttempts)
    if application is None:
        attempts.wrong_secret("applications")
        raise Refusal(Code.WRONG_CREDENTIALS if headers.app_auth else Code.UNAUTHORIZED, _APPLICATION)
    key = await store.api_keys.one(Is("keyHash", hash_of(headers.api_key)))
    if key is None or not await _usable(key, store, service):
        attempts.wrong_secret("apikeys", str(key["id"]) if key else "", str(application["id"]))
        raise Refusal(Code.UNAUTHORIZED)
    await _use_challenge(challenge, store, service)
    return key, application


async def _usable(key: Document, store: Store, service: Service) -> bool:
    expires, grant = key.get("expirationDate"), key.get("grantId")
    if grant and await store.oauth_tokens.get(str(grant)) is None:
        return False
    return bool(key.get("isActive")) and (not expires or moment(str(expires)) > service.clock.now())


async def _use_challenge(challenge: str, store: Store, service: Service) -> None:
    now = service.clock.now()
    id = hashlib.sha256(challenge.encode()).hexdigest()
    expires = now + timedelta(seconds=service.settings.challenge_memory)
    fresh = await store.tickets.add("challenge", id, now=now, expires=expires, document={})
    # Committed first: a refused request has used its challenge, too.
    await store.commit()
    if not fresh:
        raise Refusal(Code.UNAUTHORIZED, "this challenge was used before")
