"""The application of a request: the proof of its secret (5.3) and its optional token; and the caller of an API key: the
key, a unique challenge, and the proof of the application for it (5.1).
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from urllib.parse import unquote_plus

from svc_tui.interface.authentication.proof import application_token, parse_basic, proves
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Code
from svc_tui.server.auditing import RefusedAttempts
from svc_tui.server.http.parsing import storable
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

CLOSED_STATES = ("stopped", "blocked", "deleted")


async def proven_application(app_auth: str, text: str, store: Store) -> Document | None:
    """The application that proves its secret for the text (password or challenge). None without a valid proof.

    `app_auth` is the header x-svc-app-auth, with its `Basic `.
    """
    app_id, said = parse_basic(app_auth) or ("", "")
    application = await store.applications.get(app_id) if storable(app_id) else None
    secret = str(application.get("appSecret") or "") if application else ""
    fits = proves(said, secret, text)
    # An application without a secret cannot prove one.
    return application if fits and secret else None


def application_credentials(headers: Headers) -> tuple[str, str]:
    """Id and secret of an application in the header `authorization` (RFC 6749, 2.3.1); empty without them."""
    # Both parts are encoded as in a form.
    id, secret = (unquote_plus(part) for part in parse_basic(headers.authorization) or ("", ""))
    return id, secret


def check_open(application: Document) -> None:
    """Refuse (401102) an application that is not in use."""
    if application.get("state") in CLOSED_STATES:
        raise Refusal(Code.UNAUTHORIZED, f"the application is {application['state']}")


def check_application_token(headers: Headers, application: Document | None) -> None:
    """Refuse (403) the token of another application, or without an application. The token is optional."""
    if not headers.application_token:
        return
    known = application or {}
    expected = application_token(str(known.get("id")), str(known.get("appSecret") or "")) if known else ""
    if not hmac.compare_digest(headers.application_token.encode(), expected.encode()):
        raise Refusal(Code.ROLE_MISSING, "the application token does not match")


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
