"""User tokens: RS256 JWTs (2.2) signed with a key that is made once and kept in the data folder, mode 0600."""

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
#: A token of ours is a few hundred characters; the library's own bound would refuse long names.
_REGISTRY = JWSRegistry(algorithms=[_ALGORITHM])


def signing_key(folder: Path) -> RSAKey:
    """The key of this server; made at the first start. Several workers starting at once agree on one."""
    path = folder / "signing-key.pem"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        _write_new(path, RSAKey.generate_key(2048, private=True).as_pem(private=True))
    return _read(path.read_bytes())


@lru_cache(maxsize=1)
def _read(content: bytes) -> RSAKey:
    # Its numbers are checked, which takes long; a start asks twice.
    return RSAKey.import_key(content)


def _write_new(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        # A link fails where a rename would replace: the first key stays.
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


class Tokens:
    """Signs and reads tokens."""

    def __init__(self, key: RSAKey) -> None:
        self._key = key

    def sign(self, claims: dict[str, Any]) -> str:
        """A token with these claims."""
        return jwt.encode({"alg": _ALGORITHM, "typ": "JWT"}, claims, self._key, registry=_REGISTRY)

    def read(self, token: str, now: datetime) -> dict[str, Any]:
        """The claims of a token of ours that still lives.

        Refusal 401202 when it is not ours, is not signed with RS256, or is over (`jwt expired`).
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
