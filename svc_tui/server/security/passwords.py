"""Hashes of passwords and recovery codes: argon2, in a thread, and equally slow for unknown users."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

T = TypeVar("T")


class Passwords:
    """Hashing and verifying. `cheap` makes weak, fast hashes, for tests and demos."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1) if cheap else PasswordHasher()
        # Their own threads: no other work, however long, keeps a login waiting.
        self._executor = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "passwords")
        #: Verified for an unknown user: that takes as long as a wrong password.
        self._placeholder = self._hasher.hash("the password of no user")

    def hash(self, password: str) -> str:
        """The hash to store. Slow by design."""
        return self._hasher.hash(password)

    async def hash_in_thread(self, password: str) -> str:
        """The hash to store, made in a thread."""
        return await self._in_thread(self.hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Whether a password matches its stored hash. Without a stored hash it takes as long and is false."""
        return await self._in_thread(self._verify, password, stored)

    async def _in_thread(self, work: Callable[..., T], *values: str | None) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, *values)

    def _verify(self, password: str, stored: str | None) -> bool:
        try:
            return self._hasher.verify(stored or self._placeholder, password) and stored is not None
        except (VerificationError, InvalidHashError):
            return False
