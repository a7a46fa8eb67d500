"""Periods by name, for example last week, and the query for their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta

from svc_tui.language import _

ANY_TIME = _("any time")
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)

Days = tuple[date, date]


def _week_of(day: date) -> Days:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + _WEEK - _DAY


def _month_of(day: date) -> Days:
    first = day.replace(day=1)
    return first, (first + 31 * _DAY).replace(day=1) - _DAY


#: Name -> first and last day, counted from today. Weeks start on Monday.
PERIODS: Mapping[str, Callable[[date], Days]] = {
    "today": lambda today: (today, today),
    "yesterday": lambda today: (today - _DAY, today - _DAY),
    "this week": _week_of,
    "last week": lambda today: _week_of(today - _WEEK),
    "last 7 days": lambda today: (today - 6 * _DAY, today),
    "this month": _month_of,
    "last month": lambda today: _month_of(today.replace(day=1) - _DAY),
    "last 30 days": lambda today: (today - 29 * _DAY, today),
}


def within(first: date, last: date) -> dict[str, str]:
    """The query for two days and all days between, in local time."""
    start = datetime.combine(first, time.min).astimezone(UTC)
    end = datetime.combine(last + _DAY, time.min).astimezone(UTC) - timedelta(milliseconds=1)
    return {"fromDate": _stamp(start), "toDate": _stamp(end)}


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
