"""Headers with credentials (sections 4.1 and 5): created for every attempt, never stored."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from svc_tui import __version__
from svc_tui.client.profile import Profile
from svc_tui.interface.authentication import proof

CLIENT_NAME = "svc-tui"

#: Makes the credential headers of one attempt.
Signer = Callable[[], Mapping[str, str]]


def new_correlation() -> str:
    """A correlation id, the same for all attempts of a request: 16 random characters."""
    return secrets.token_hex(8)


def common(profile: Profile, correlation: str) -> dict[str, str]:
    """The headers of every request."""
    headers = {
        "accept": "application/json",
        "user-agent": f"{CLIENT_NAME}/{__version__}",
        proof.CLIENT: CLIENT_NAME,
        proof.CLIENT_VERSION: __version__,
        proof.CORRELATION: correlation,
    }
    if profile.app_id:
        headers[proof.CLIENT_ID] = profile.app_id
    if profile.app_token:
        headers[proof.APPLICATION_TOKEN] = profile.app_token
    return headers


def none() -> Mapping[str, str]:
    """No credentials."""
    return {}


def bearer(token: str) -> Signer:
    """The token of a user or of a backchannel session."""
    return lambda: {"authorization": f"Bearer {token}"}


def login(profile: Profile, identifier: str, password: str) -> Signer:
    """Login and password, the proof of the application with the password, and the application to trust."""
    return lambda: {
        "authorization": proof.basic(identifier, password),
        proof.APP_AUTH: proof.app_auth(profile.app_id, profile.app_secret, password),
        proof.TRUSTED_APP: profile.app_id,
    }


def application(profile: Profile) -> Signer:
    """ID and secret of the application."""
    headers = {"authorization": proof.basic(profile.app_id, profile.app_secret)}
    return lambda: headers


def api_key(profile: Profile, key: str) -> Signer:
    """An API key with a challenge, used once, and the proof for it."""

    def sign() -> Mapping[str, str]:
        challenge = proof.new_challenge()
        return {
            proof.API_KEY: key,
            proof.CHALLENGE: challenge,
            proof.APP_AUTH: proof.app_auth(profile.app_id, profile.app_secret, challenge),
        }

    return sign
