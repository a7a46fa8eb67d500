"""The claims of a user token (section 2.2), read without verification: only the service can verify it."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any


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
