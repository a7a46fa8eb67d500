"""How long is waited for the service."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, between two pieces of an answer, and for a whole exchange.

    What is sent takes time of its own: at the `slowest` bytes a second that are thought of as a working connection.
    """

    connect: float = 6.0
    read: float = 30.0
    total: float = 120.0
    slowest: int = 32_000

    def whole(self, size: int) -> float:
        """Seconds for a whole exchange in which so many bytes are sent."""
        return self.total + size / self.slowest
