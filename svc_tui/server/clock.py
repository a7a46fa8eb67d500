"""Time and identifiers, passed in everywhere so that tests and demos are repeatable."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Protocol


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
