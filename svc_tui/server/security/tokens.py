"""User tokens: RS256 JWTs (2.2), signed with a key that is created once in the data folder, mode 0600."""

from __future__ import annotations

import os
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from joserfc.jws import JWSRegistry

from svc_tui.interface.errors import JWT_EXPIRED, Code
from svc_tui.server.refusal import Refusal

_ALGORITHM = "RS256"
#: The library's own limit would refuse tokens with long names.
_REGISTRY = JWSRegistry(algorithms=[_ALGORITHM])


def signing_key(folder: Path) -> RSAKey:
    """The key of this server, created at the first start. Several workers that start at once agree on one."""
    path = folder / "signing-key.pem"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        _write_new(path, RSAKey.generate_key(2048, private=True).as_pem(private=True))
    return _read(path.read_bytes())


@lru_cache(maxsize=1)
def _read(content: bytes) -> RSAKey:
    # Importing checks the numbers of the key, which is slow; a start does it twice.
    return RSAKey.import_key(content)


def _write_new(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        # Unlike a rename, a link does not replace: the first key stays.
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


class Tokens:
    """Signing and reading of tokens."""

    def __init__(self, key: RSAKey) -> None:
        self._key = key

    def sign(self, claims: dict[str, Any]) -> str:
        """A token with these claims."""
        return jwt.encode({"alg": _ALGORITHM, "typ": "JWT"}, claims, self._key, registry=_REGISTRY)

    def read(self, token: str, now: datetime) -> dict[str, Any]:
        """The claims of a valid token.

        Refusal 401202 when it is not signed by this server with RS256, or has expired (`jwt expired`).
        """
        try:
            claims = jwt.decode(token, self._key, algorithms=[_ALGORITHM], registry=_REGISTRY).claims
        except (JoseError, ValueError, TypeError, UnicodeError) as error:
            raise Refusal(Code.INVALID_TOKEN, "invalid token") from error
        expiry = claims.get("exp")
        if not isinstance(expiry, int):
            raise Refusal(Code.INVALID_TOKEN, "invalid token")
        if expiry <= now.timestamp():
            raise Refusal(Code.INVALID_TOKEN, JWT_EXPIRED)
        return claims
