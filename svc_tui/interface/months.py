"""Terms are counted in whole months: the days that they lead to."""

from __future__ import annotations

from calendar import monthrange
from datetime import date


def months_after(day: date, months: int) -> date:
    """The same day so many months later (earlier when negative), or the last one of that month. ValueError,
    OverflowError beyond the calendar."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
