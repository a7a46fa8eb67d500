"""Moments on the wire, terms in whole months with the days on which they end, and what follows a term (4.6).

Moments are `2017-02-17T13:35:27.427Z`, always in UTC, to the millisecond. Terms are counted from the first day of the
first one. A term that begins on the 29th to the 31st ends earlier in a shorter month, and its day comes back in the
next month that has it: of terms of a month from 31 January, the second begins on 28 February and the third on 31 March.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any


def stamp(moment: datetime) -> str:
    """The wire's text for a moment. A moment without a time zone is taken as UTC.

    A moment that its time zone pushes beyond the calendar becomes the calendar's first or last moment.
    """
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        edge = datetime.max if moment.year > 1 else datetime.min
        moment = edge.replace(tzinfo=UTC)
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def moment(text: str) -> datetime:
    """The moment behind a stamp. ValueError for a text that is none."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def day(text: str) -> date:
    """The day of a date, or of a stamp. ValueError for a text that is neither."""
    return date.fromisoformat(text[:10])


_DAY = timedelta(days=1)
#: Days before an end that is soon: wherever an end is shown, it is a warning from then on.
SOON = 30


def is_soon(end: object, today: date) -> bool:
    """Whether a day, or that of a stamp, is today or at most `SOON` days ahead; False for anything else."""
    try:
        return 0 <= (day(str(end)) - today).days <= SOON
    except ValueError:
        return False


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


def continues_monthly(subscription: Mapping[str, Any]) -> bool:
    """Whether it continues month by month after its term, independent of its other renewal settings."""
    return bool(subscription.get("autoRenewToMonthly") and subscription.get("prepaidDuration"))


def renewal_months(subscription: Mapping[str, Any]) -> int:
    """The months of the next term. 0 when the subscription ends, or continues month by month."""
    present = int(subscription.get("prepaidDuration") or 0)
    renews = subscription.get("autoRenew") or subscription.get("autoRenewOneTime")
    if not present or not renews or continues_monthly(subscription):
        return 0
    if subscription.get("renewalTerm"):
        return int(subscription["renewalTerm"])
    return 12 if subscription.get("renewalTermOption") == "1_year" else present
