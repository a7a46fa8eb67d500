"""Headers with credentials (sections 4.1 and 5): created for every attempt, never stored; and the claims of a user
token (section 2.2), read without verification: only the service can verify it.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class DecodedToken:
    """The payload of a token. Times in epoch seconds of the service's clock; 0: unknown."""

    user_id: str = ""
    login: str = ""
    app_id: str = ""
    issued: float = 0.0
    expires: float = 0.0
    renewed: int = 0
    most_renewals: int = 0
    limited: bool = False
    oauth: bool = False
    #: The ID of the OAuth grant that the token belongs to, where the service names it.
    grant_id: str = ""
    sso: str = ""

    @property
    def lifetime(self) -> float:
        """Seconds from issue to expiry."""
        return max(0.0, self.expires - self.issued)

    @property
    def renewals_left(self) -> int:
        """Number of remaining renewals; 0 for OAuth and limited tokens."""
        return 0 if self.oauth or self.limited else max(0, self.most_renewals - self.renewed)


def decode_token(token: str) -> DecodedToken:
    """The claims of a token. All are empty when it cannot be read."""
    try:
        payload = token.split(".")[1]
        values = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (IndexError, ValueError, binascii.Error, RecursionError):
        return DecodedToken()
    if not isinstance(values, dict):
        return DecodedToken()
    user, app = _object(values.get("user")), _object(values.get("app"))
    return DecodedToken(
        user_id=str(user.get("id") or ""),
        login=str(user.get("loginEmail") or ""),
        app_id=str(app.get("id") or ""),
        issued=_number(values.get("iat")),
        expires=_number(values.get("exp")),
        renewed=int(_number(values.get("countRenewed"))),
        most_renewals=int(_number(values.get("maxTokenRenew"))),
        limited="mfaType" in values,
        oauth="oauth" in values,
        grant_id=str(_object(values.get("oauth")).get("id") or ""),
        sso=next((kind for kind in ("oidc", "saml") if kind in values), ""),
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and abs(value) < 1e12 else 0.0
