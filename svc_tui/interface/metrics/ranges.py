"""How long a range of usage counters may be, by period: one rule for both sides (4.8)."""

from __future__ import annotations

import zoneinfo
from datetime import datetime, timedelta

from svc_tui.interface.metrics.records import Period

#: Longest range of each period, and how people call it.
LONGEST: dict[Period, tuple[timedelta, str]] = {
    "hour": (timedelta(days=7), "7 days"),
    "day": (timedelta(days=93), "3 months"),
    "month": (timedelta(days=3 * 366), "3 years"),
}


def range_problem(start: datetime, end: datetime, period: Period) -> str:
    """What is wrong with a range, with what would be right; empty when it is fine."""
    if end <= start:
        return "ends before it begins"
    longest, said = LONGEST[period]
    if end - start <= longest:
        return ""
    wider = next((name for name, (most, _) in LONGEST.items() if end - start <= most), "")
    return f"is longer than {said}, the most for the period {period}" + (f"; ask for {wider}" if wider else "")


def zone_problem(name: str) -> str:
    """What is wrong with the name of a time zone; empty when it is known."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return "is no time zone such as UTC or Europe/Paris"
    return ""
