"""Hashes of passwords and recovery codes: argon2, in a thread, and equally slow for unknown users."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Passwords:
    """Hashing and verifying. `cheap` makes weak, fast hashes, for tests and demos."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1) if cheap else PasswordHasher()
        #: Verified for an unknown user: that takes as long as a wrong password.
        self._placeholder = self._hasher.hash("the password of no user")

    def hash(self, password: str) -> str:
        """The hash to store. Slow by design."""
        return self._hasher.hash(password)

    async def hash_in_thread(self, password: str) -> str:
        """The hash to store, made in a thread."""
        return await asyncio.to_thread(self.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Whether a password matches its stored hash. Without a stored hash it takes as long and is false."""
        return await asyncio.to_thread(self._verify, password, stored)

    def _verify(self, password: str, stored: str | None) -> bool:
        try:
            return self._hasher.verify(stored or self._placeholder, password) and stored is not None
        except (VerificationError, InvalidHashError):
            return False
