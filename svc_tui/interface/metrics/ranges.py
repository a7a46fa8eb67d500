"""How long a range of usage counters may be, by period: one rule for both sides (4.8)."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta

from svc_tui.interface.metrics.records import Period

#: Longest range of each period, and how people call it.
LONGEST: dict[Period, tuple[timedelta, str]] = {
    "hour": (timedelta(days=7), "7 days"),
    "day": (timedelta(days=93), "3 months"),
    "month": (timedelta(days=3 * 366), "3 years"),
}


#: Nothing was counted before, and nobody asks for what comes later: in any time zone there are days beside them.
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


def range_problem(start: datetime, end: datetime, period: Period) -> str:
    """What is wrong with a range, with what would be right; empty when it is fine."""
    if end <= start:
        return "ends before it begins"
    if start < _FIRST or end > _LAST:
        return f"lies outside the years {_FIRST.year} to {_LAST.year}"
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
