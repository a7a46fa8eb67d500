"""The application's proof, the headers of authentication and the lifetimes of OAuth 2.0 (5.3, 5.5)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets

APP_AUTH = "x-svc-app-auth"
API_KEY = "x-svc-api-key"
CHALLENGE = "x-svc-challenge"
CLIENT_VERSION = "x-svc-client-version"
CLIENT = "x-svc-client"
CLIENT_ID = "x-svc-client-id"
RESOURCE = "x-svc-resource"
TRUSTED_APP = "x-svc-trusted-appid"
CORRELATION = "x-svc-correlation-id"
REQUEST_ID = "x-svc-request-id"
APPLICATION_TOKEN = "APIKey"
#: Lifetimes in seconds: of codes, access tokens and refresh tokens.
CODE_SECONDS, ACCESS_SECONDS, REFRESH_SECONDS = 600, 3600, 90 * 86_400


def basic(name: str, secret: str) -> str:
    """`Basic base64(name:secret)`."""
    return "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode("ascii")


def parse_basic(header: str) -> tuple[str, str] | None:
    """Name and secret of a Basic header; None if it is not a Basic header."""
    scheme, _, value = header.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(value.strip(), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    name, colon, secret = text.partition(":")
    return (name, secret) if colon else None


def proof(app_secret: str, text: str) -> str:
    """sha256hex(appSecret + text); the text is the password at login, the challenge otherwise."""
    return hashlib.sha256((app_secret + text).encode()).hexdigest()


def app_auth(app_id: str, app_secret: str, text: str) -> str:
    """The x-svc-app-auth header."""
    return basic(app_id, proof(app_secret, text))


def application_token(app_id: str, app_secret: str) -> str:
    """The value of the `APIKey` header of an application. The public form is not known; this one is our choice."""
    return proof(app_secret, app_id)


def proves(header_proof: str, app_secret: str, text: str) -> bool:
    """Whether a proof is correct, compared in constant time."""
    return hmac.compare_digest(header_proof.lower().encode(), proof(app_secret, text).encode())


def new_challenge() -> str:
    """A fresh x-svc-challenge: 22 random characters."""
    return secrets.token_urlsafe(16)
