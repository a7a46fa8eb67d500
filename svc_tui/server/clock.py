"""Time and identifiers, passed in everywhere so that tests and demos are repeatable."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from typing import Protocol

from svc_tui.interface.timestamps import moment, stamp

__all__ = ["Clock", "Ids", "RandomIds", "SeededIds", "SystemClock", "moment", "stamp"]


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...


class SystemClock:
    """The clock on the wall."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Ids(Protocol):
    """Where new identifiers and secrets come from."""

    def record(self) -> str:
        """A record identifier: 24 hexadecimal characters."""
        ...

    def secret(self, characters: int = 32) -> str:
        """A secret of this many hexadecimal characters."""
        ...


class RandomIds:
    """Identifiers and secrets that nobody can guess."""

    def record(self) -> str:
        return secrets.token_hex(12)

    def secret(self, characters: int = 32) -> str:
        return secrets.token_hex((characters + 1) // 2)[:characters]


class SeededIds:
    """The same identifiers in the same order at each start. Never where a secret must be one."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def record(self) -> str:
        return self.secret(24)

    def secret(self, characters: int = 32) -> str:
        self._count += 1
        text = ""
        part = 0
        while len(text) < characters:
            text += hashlib.sha256(f"{self._seed}/{self._count}/{part}".encode()).hexdigest()
            part += 1
        return text[:characters]
