"""Terms in whole months, and the days on which they end."""

from __future__ import annotations

from calendar import monthrange
from datetime import date


def months_after(day: date, months: int) -> date:
    """The same day this number of months later (earlier when negative), or the last day of that month. ValueError or
    OverflowError beyond the calendar."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
