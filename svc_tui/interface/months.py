"""Terms in whole months, and the days on which they end.

Terms are counted from the first day of the first one. A term that begins on the 29th to the 31st ends earlier in a
shorter month, and its day comes back in the next month that has it: of terms of a month from 31 January, the second
begins on 28 February and the third on 31 March.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from fractions import Fraction

_DAY = timedelta(days=1)


def months_after(day: date, months: int, anchor: int = 0) -> date:
    """The same day this number of months later (earlier when negative), or the last day of that month.

    `anchor` is the day of the month that comes back where `day` had to be earlier; 0 for that of `day`. ValueError or
    OverflowError beyond the calendar.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(anchor or day.day, monthrange(year, month + 1)[1]))


def last_day_of(starts: date, months: int, anchor: int = 0) -> date:
    """The last day of a term of whole months from a first day; `anchor` as in `months_after`."""
    return months_after(starts, months, anchor) - _DAY


def months_between(starts: date, last: date, anchor: int = 0) -> Fraction:
    """The months from a first to a last day, exactly: whole ones, and of the last one the part of its days.

    `anchor` as in `months_after`. 0 if the last day is before the first one.
    """
    after = last + _DAY
    whole = (after.year - starts.year) * 12 + after.month - starts.month
    if months_after(starts, whole, anchor) > after:
        whole -= 1
    begun, full = (months_after(starts, whole + more, anchor) for more in (0, 1))
    return max(whole + Fraction((after - begun).days, (full - begun).days), Fraction(0))


def returning_day(first: date, starts: date) -> int:
    """The day of the month on which terms begin that were first counted from `first`, if one of them is `starts`.

    It is later than `starts` only where the month of `starts` is too short; otherwise it is the day of `starts`.
    """
    is_short = starts.day == monthrange(starts.year, starts.month)[1]
    return max(first.day, starts.day) if is_short else starts.day
