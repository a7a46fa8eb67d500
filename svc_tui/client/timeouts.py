"""Timeouts of requests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to connect, between two pieces of a response, and for a whole exchange.

    A request body adds time at the `slowest` bytes a second of a working connection.
    """

    connect: float = 6.0
    read: float = 30.0
    total: float = 120.0
    slowest: int = 32_000

    def whole(self, size: int) -> float:
        """Seconds for a whole exchange with a request body of this size."""
        return self.total + size / self.slowest
