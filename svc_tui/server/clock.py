"""Time and identifiers. They are passed in everywhere, so that tests and demos are repeatable."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """The source of the current time."""

    def now(self) -> datetime:
        """The current time, in UTC."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Ids(Protocol):
    """The source of new identifiers and secrets."""

    def record(self) -> str:
        """A record identifier: 24 hexadecimal characters."""
        ...

    def secret(self, characters: int = 32) -> str:
        """A secret of this many hexadecimal characters."""
        ...


class RandomIds:
    """Identifiers and secrets that cannot be guessed."""

    def record(self) -> str:
        return secrets.token_hex(12)

    def secret(self, characters: int = 32) -> str:
        return secrets.token_hex((characters + 1) // 2)[:characters]
