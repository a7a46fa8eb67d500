"""Scopes and flat names of statistics, and periods of usage counters with the limits of their ranges (2.18, 4.8),
without the records that have them.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from svc_tui.language import _

Scope = Literal["ec", "bp"]
SCOPES = {"ec": _("only the company"), "bp": _("the company and its customers")}
CounterPeriod = Literal["hour", "day", "month"]


#: Longest range of each period, also in words.
LONGEST: dict[CounterPeriod, tuple[timedelta, str]] = {
    "hour": (timedelta(days=7), _("7 days")),
    "day": (timedelta(days=93), _("3 months")),
    "month": (timedelta(days=3 * 366), _("3 years")),
}


#: Limits of any range, far enough from the ends of the calendar for every time zone.
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


def range_problem(start: datetime, end: datetime, period: CounterPeriod, zone: str = "UTC") -> str:
    """The problem of a range, with a possible period, if any. Empty when the range is valid.

    Days are those of the time zone, also where one has 23 or 25 hours.
    """
    if end <= start:
        return _("must end after it starts")
    if start < _FIRST or end > _LAST:
        return _("must be in the years {year} to {year_2}").format(year=_FIRST.year, year_2=_LAST.year)
    here = zoneinfo.ZoneInfo(zone)
    first, last = (moment.astimezone(here).replace(tzinfo=None) for moment in (start, end))
    length = min(end - start, last - first)
    longest, words = LONGEST[period]
    if length <= longest:
        return ""
    wider = next((name for name, (most, _) in LONGEST.items() if length <= most), "")
    return _("is longer than {words}, the limit for period {period}").format(words=words, period=period) + (
        _("; use {wider}").format(wider=wider) if wider else ""
    )


def zone_problem(name: str) -> str:
    """The problem of a time zone name. Empty when the name is known."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return _("is not a time zone such as UTC or Europe/Paris")
    return ""


def flat_statistics(numbers: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The numbers of nested objects under joined names: `users_total`, `usages_chat`."""
    found: dict[str, Any] = {}
    for name, value in numbers.items():
        # `_types` and `_clients` only group other names.
        key = "_".join(part for part in (prefix, "" if name in ("_types", "_clients") else name.strip("_")) if part)
        if isinstance(value, Mapping):
            found |= flat_statistics(value, key)
        else:
            found[key.replace("subscriptions_", "profiles_").removesuffix("Max")] = value
    return found
