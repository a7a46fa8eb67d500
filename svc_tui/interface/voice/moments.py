"""Moments as text: `Sun 10:00`, `tomorrow 9:30`, `18:00`, `2026-12-24 13:00`; and the retention of recordings (8): the
days of the company, or two months; very short recordings are never stored.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from svc_tui.interface.voice.hours import DAY
from svc_tui.interface.voice.week import DAYS
from svc_tui.language import _, day_text

_TIME = re.compile(r"(\d{1,2})(?:[:.]?(\d{2}))?")
_WEEK = 7
#: Near the ends of the calendar some time zones lack moments.
_FIRST_YEAR, _LAST_YEAR = 1970, 2999
_NOT_READ = _("enter a time: 18:00, Sun 10:00, tomorrow 9:30 or 2026-12-24 13:00")


def read_moment(text: str, now: datetime, zone: tzinfo) -> datetime:
    """The moment of a text in a time zone; an empty text is now. ValueError with a sentence for any other text.

    A weekday is the next one, including today. Without a day it is today, without a time midnight. 24:00 is the end of
    the day, and a time may be written with a point: 18.30.
    """
    words = text.casefold().split()
    if words in ([], ["now"], [_("now").casefold()]):
        return now
    today = now.astimezone(zone).date()
    day = _day(words[0], today)
    rest = words if day is None else words[1:]
    if len(rest) > 1 or (day is None and not rest):
        raise ValueError(_NOT_READ)
    minute = _minute(rest[0]) if rest else 0
    midnight = datetime.combine(day or today, datetime.min.time(), zone)
    return midnight + timedelta(minutes=minute)


def _day(word: str, today: date) -> date | None:
    if word in (near := {"today": 0, "tomorrow": 1, _("today"): 0, _("tomorrow"): 1}):
        return today + timedelta(days=near[word])
    weekdays = [name.casefold() for name, __ in DAYS]
    if len(word) > 1 and (found := [at for at, name in enumerate(weekdays) if name.startswith(word)]):
        return today + timedelta(days=(found[0] - today.weekday()) % _WEEK)
    try:
        day = date.fromisoformat(word)
    except ValueError:
        return None
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise ValueError(
            _("enter a year from {first_year} to {last_year}").format(first_year=_FIRST_YEAR, last_year=_LAST_YEAR)
        )
    return day


def _minute(word: str) -> int:
    found = _TIME.fullmatch(word)
    if found is None:
        raise ValueError(_NOT_READ)
    minute = int(found[1]) * 60 + int(found[2] or 0)
    if int(found[2] or 0) > 59 or minute > DAY:
        raise ValueError(_("{word} is not a time of day").format(word=word))
    return minute


def moment_text(moment: datetime, zone: tzinfo) -> str:
    """A moment in a time zone: `Fri 2026-11-20 15:30`."""
    there = moment.astimezone(zone)
    return f"{DAYS[there.weekday()][0][:3]} {day_text(str(there.date()))} {there:%H:%M}"


# --- retention ---------------------------------------------------------------------------------------------------

#: The default retention in calendar months.
MONTHS = 2
_A_YEAR = 12


def expiry_of(date: datetime, days: int | None) -> datetime:
    """The expiry of a recording of this date. `days` is the company's `cloudPbxRecordingRetention`."""
    return date + timedelta(days=days) if days else _add_months(date, MONTHS)


def retained_since(now: datetime, days: int | None) -> datetime:
    """The earliest date that is not expired now."""
    return now - timedelta(days=days) if days else _add_months(now, -MONTHS)


def _add_months(moment: datetime, months: int) -> datetime:
    """The same day and time in another month; for a day that the month lacks, the first moment after the month.

    So a later recording never expires before an earlier one.
    """
    moment = moment.astimezone(UTC)
    year, month = divmod(moment.year * _A_YEAR + moment.month - 1 + months, _A_YEAR)
    try:
        return moment.replace(year=year, month=month + 1)
    except ValueError:
        # Never December: it has 31 days.
        return datetime(year, month + 2, 1, tzinfo=UTC)
