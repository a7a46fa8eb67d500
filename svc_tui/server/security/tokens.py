"""User tokens: RS256 JWTs (2.2)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from joserfc.jws import JWSRegistry
from pydantic_core import from_json, to_json

from svc_tui.interface.errors import JWT_EXPIRED, Code
from svc_tui.server.refusal import Refusal
from svc_tui.server.security.signing_keys import KeyRing

_ALGORITHM = "RS256"
#: The library's own limit would refuse tokens with long names.
_REGISTRY = JWSRegistry(algorithms=[_ALGORITHM])
#: Tokens whose signature is not checked again. Their expiry, and everything about their user, is.
_MOST_CHECKED = 2048


class Tokens:
    """Signing and reading of tokens."""

    def __init__(self, keys: KeyRing) -> None:
        self.keys = keys
        #: The key and the claims, as JSON, of tokens whose signature was checked, the oldest first.
        self._checked: dict[str, tuple[RSAKey, bytes]] = {}

    def sign(self, claims: dict[str, Any]) -> str:
        """A token with these claims."""
        return jwt.encode({"alg": _ALGORITHM, "typ": "JWT"}, claims, self.keys.signing(), registry=_REGISTRY)

    def read(self, token: str, now: datetime) -> dict[str, Any]:
        """The claims of a valid token.

        Refusal 401202 when it is not signed by this service with RS256, or has expired (`jwt expired`).
        """
        claims = self._signed(token)
        expiry = claims.get("exp")
        if not isinstance(expiry, int):
            raise Refusal(Code.INVALID_TOKEN, "invalid token")
        if expiry <= now.timestamp():
            raise Refusal(Code.INVALID_TOKEN, JWT_EXPIRED)
        return claims

    def _signed(self, token: str) -> dict[str, Any]:
        keys = self.keys.verifying()
        known = self._checked.get(token)
        if known is not None and any(key is known[0] for key in keys):
            claims: dict[str, Any] = from_json(known[1])
            return claims
        for key in keys:
            try:
                claims = jwt.decode(token, key, algorithms=[_ALGORITHM], registry=_REGISTRY).claims
            except (JoseError, ValueError, TypeError, UnicodeError):
                continue
            if len(self._checked) >= _MOST_CHECKED:
                del self._checked[next(iter(self._checked))]
            self._checked[token] = (key, to_json(claims))
            return claims
        raise Refusal(Code.INVALID_TOKEN, "invalid token")
