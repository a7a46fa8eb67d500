"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SetClock:
    """Time as a test wants it."""

    def __init__(self) -> None:
        self._now = datetime(2026, 11, 20, 10, 0, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self._now

    def set(self, moment: datetime) -> None:
        """Make it this moment."""
        self._now = moment

    def forward(self, **by: float) -> None:
        """Let time pass: `forward(minutes=5)`."""
        self._now += timedelta(**by)
