"""SCRAM (RFC 5802): its formats and its arithmetic, which the two sides share."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from dataclasses import dataclass

#: Mechanism -> its hash, the strongest first.
HASHES = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-1": "sha1"}
#: Iterations that a server asks for; the lowest of RFC 7677. Message passwords are 128 random bits.
ITERATIONS = 4096


@dataclass(frozen=True)
class Keys:
    """What a password becomes with a salt. `stored_key` is the hash of `client_key`."""

    hash: str
    client_key: bytes
    server_key: bytes

    @property
    def stored_key(self) -> bytes:
        return hashlib.new(self.hash, self.client_key).digest()

    def proof(self, spoken: str) -> bytes:
        """The proof of the client for the messages spoken so far."""
        return exclusive_or(self.client_key, _mac(self.hash, self.stored_key, spoken.encode()))

    def signature(self, spoken: str) -> bytes:
        """The signature of the server for the messages spoken so far."""
        return _mac(self.hash, self.server_key, spoken.encode())


def keys(hash: str, password: str, salt: bytes, iterations: int) -> Keys:
    """The keys of a password."""
    prepared = unicodedata.normalize("NFKC", password).encode()
    salted = hashlib.pbkdf2_hmac(hash, prepared, salt, iterations)
    return Keys(hash, _mac(hash, salted, b"Client Key"), _mac(hash, salted, b"Server Key"))


def fields(message: str) -> dict[str, str]:
    """The fields of a message, `r=…,s=…,i=…`. ValueError for anything else."""
    found: dict[str, str] = {}
    for part in message.split(","):
        name, equals, value = part.partition("=")
        if len(name) != 1 or not equals or name in found:
            raise ValueError("not a SCRAM message")
        found[name] = value
    return found


def escaped(name: str) -> str:
    """A user name as it stands in a message."""
    return name.replace("=", "=3D").replace(",", "=2C")


def unescaped(name: str) -> str:
    """The user name of a message."""
    return name.replace("=2C", ",").replace("=3D", "=")


def exclusive_or(one: bytes, other: bytes) -> bytes:
    """Bit by bit; both have the same length."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def _mac(hash: str, key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hash).digest()
