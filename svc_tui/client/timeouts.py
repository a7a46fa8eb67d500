"""How long is waited for the service."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, between two pieces of an answer, and for a whole exchange."""

    connect: float = 6.0
    read: float = 30.0
    total: float = 120.0
