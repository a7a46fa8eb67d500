"""Passwords and recovery codes at rest: argon2, in a thread, and never quicker for a user that does not exist."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Passwords:
    """Hashes and checks. `cheap` is for tests and demos: the same work, next to no cost."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1) if cheap else PasswordHasher()
        #: Checked against when there is nothing to check: what is unknown takes as long as what is wrong.
        self._nobody = self._hasher.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """The hash to store. Slow by intention."""
        return self._hasher.hash(password)

    async def hash_in_thread(self, password: str) -> str:
        """The hash to store, made beside the event loop."""
        return await asyncio.to_thread(self.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Whether a password is the stored one; without a stored one the same work is done for nothing."""
        return await asyncio.to_thread(self._verify, password, stored)

    def _verify(self, password: str, stored: str | None) -> bool:
        try:
            return self._hasher.verify(stored or self._nobody, password) and stored is not None
        except (VerificationError, InvalidHashError):
            return False
