"""Office hours as text, and their changes: `09:00-12:30, 13:30-18:00` for a day, `12-25 closed` (2.17)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from svc_tui.interface import catalogue
from svc_tui.interface.data import RecordData
from svc_tui.interface.problems import problem_of
from svc_tui.interface.voice.hours import DAY, MinutePeriods, clock_time, joined, without
from svc_tui.language import _

#: The days from Monday, each with its index in `openhours`, which begins with Sunday.
DAYS = (
    (_("Monday"), 1),
    (_("Tuesday"), 2),
    (_("Wednesday"), 3),
    (_("Thursday"), 4),
    (_("Friday"), 5),
    (_("Saturday"), 6),
    (_("Sunday"), 0),
)
OPEN, CLOSED, ALL_DAY = _("open"), _("closed"), _("all day")

_PERIOD = re.compile(r"(\d{1,2})(?:[:.]?(\d{2}))?\s*(?:-|–|to)\s*(\d{1,2})(?:[:.]?(\d{2}))?")
#: The words of an exception, in English and in the language of the process.
_OPEN, _CLOSED = ("open", OPEN.casefold()), ("closed", CLOSED.casefold())
_ONE_DAY = r"(?:(\d{4})-)?(\d{1,2})-(\d{1,2})"
_OTHER_DAYS = re.compile(
    rf"{_ONE_DAY}(?:\s*(?:\.\.|–|to)\s*{_ONE_DAY})?\s+({'|'.join(_OPEN + _CLOSED)})(?:\s+(.*))?", re.IGNORECASE
)
#: A year with a 29 February, for exceptions of every year.
_LEAP_YEAR = 2024
#: The most days of one entry.
_MOST_DAYS = 366


def periods_text(periods: MinutePeriods) -> str:
    """Periods as text: `09:00-12:30, 13:30-18:00`, `closed` or `all day`."""
    if periods == [(0, DAY)]:
        return ALL_DAY
    return ", ".join(f"{clock_time(start)}-{clock_time(end)}" for start, end in periods) or CLOSED


def short_periods_text(periods: MinutePeriods) -> str:
    """Periods as short text: `9-12:30 13:30-18`."""
    if len(periods) == 0 or periods == [(0, DAY)]:
        return periods_text(periods)
    return " ".join(f"{_in_short(start)}-{_in_short(end)}" for start, end in periods)


def _in_short(minute: int) -> str:
    hours, minutes = divmod(minute, 60)
    return f"{hours}:{minutes:02}" if minutes else str(hours)


def read_periods(text: str) -> MinutePeriods:
    """The periods of a text, ordered, and merged where they meet. ValueError with a sentence for any other text."""
    plain = text.strip().casefold()
    if plain in ("", *_CLOSED):
        return []
    if plain in (ALL_DAY.casefold(), "all day", *_OPEN):
        return [(0, DAY)]
    return joined(_period(part.strip()) for part in re.split(r"[,;]", plain) if part.strip())


def _period(text: str) -> tuple[int, int]:
    found = _PERIOD.fullmatch(text)
    if found is None:
        raise ValueError(_("“{text}” is not a period such as 09:00-12:30").format(text=text))
    start, end = (int(found[at]) * 60 + int(found[at + 1] or 0) for at in (1, 3))
    if any(int(found[at] or 0) > 59 for at in (2, 4)) or max(start, end) > DAY:
        raise ValueError(_("“{text}” has a time after 24:00, or a minute above 59").format(text=text))
    if start >= end:
        raise ValueError(
            _("“{text}” does not end after its start. Split a period at midnight: one part for each day").format(
                text=text
            )
        )
    return start, end


#: Exceptions of days that follow each other, with the same hours: one entry of an editor.
Span = list[Mapping[str, Any]]


def exception_text(span: Sequence[Mapping[str, Any]]) -> str:
    """An entry of exceptions as text: `2026-04-25 closed`, `12-24..01-02 closed`, or `12-24 open 09:00-12:00`.

    Without a year it is for every year.
    """
    periods = joined(span[0].get("periods") or ())
    state = OPEN if span[0].get("open") else CLOSED
    return f"{days_text(span)} {state}" + (f" {periods_text(periods)}" if periods else "")


def days_text(span: Sequence[Mapping[str, Any]]) -> str:
    """The days of an entry: `2026-04-25`, `12-24..01-02`."""
    return "..".join(dict.fromkeys((day_text(span[0]), day_text(span[-1]))))


def day_text(exception: Mapping[str, Any]) -> str:
    """The day of an exception: `2026-04-25`, or `12-25` for every year."""
    year = f"{exception['year']}-" if exception.get("year") else ""
    month, mday = (str(exception.get(name) or "?").rjust(2, "0") for name in ("month", "mday"))
    return f"{year}{month}-{mday}"


def is_day(year: int | None, month: int, mday: int) -> bool:
    """Whether the month has this day. Without a year it may be 29 February."""
    try:
        date(year or _LEAP_YEAR, month, mday)
    except ValueError:
        return False
    return True


def read_exceptions(text: str) -> Span:
    """The exceptions of an entry, one for each day. ValueError with a sentence for any other text."""
    found = _OTHER_DAYS.fullmatch(text.strip())
    if found is None:
        raise ValueError(
            _("enter days and their hours: 12-25 closed, 12-24..01-02 closed, 2026-12-24 open 09:00-12:00")
        )
    *ends, state, rest = found.groups()
    days = _days(_day_of(ends[:3]), _day_of(ends[3:]) if ends[4] else None)
    declared = catalogue.record_at("get_office_hours", "officehours.exceptions")
    for year in {day.get("year") for day in days} - {None}:
        if problem := problem_of(declared, "year", year):
            raise ValueError(_("the year {problem}").format(problem=problem))
    periods = read_periods(rest) if rest else []
    hours: dict[str, Any] = {"open": state.casefold() in _OPEN}
    if periods and periods != [(0, DAY)]:
        hours["periods"] = _sent(periods)
    return [{**day, **hours} for day in days]


def _day_of(parts: Sequence[str | None]) -> dict[str, int]:
    """The day of an exception: its year, if there is one, month and day."""
    year, month, mday = (int(part) if part else 0 for part in parts)
    if not is_day(year or None, month, mday):
        day = f"{month:02}-{mday:02}"
        raise ValueError(_("{split} is not a day. Enter month and day, such as 12-25").format(split=day))
    return {**({"year": year} if year else {}), "month": month, "mday": mday}


def _days(first: dict[str, int], last: dict[str, int] | None) -> list[dict[str, int]]:
    """The days from the first to the last. Those of every year may go over its end: 12-24 to 01-02."""
    if last is None:
        return [first]
    if "year" not in first and "year" in last:
        raise ValueError(_("write the year of the first day too"))
    start, end = _date(first), _date({**first, **last})
    if start and end and end < start and "year" not in last:
        end = _date({**last, "year": end.year + 1})
    if start is None or end is None or not timedelta() <= end - start < timedelta(days=_MOST_DAYS):
        raise ValueError(_("the last day must follow the first, within a year"))
    days = [start + timedelta(days=at) for at in range((end - start).days + 1)]
    with_year = "year" in first
    return [{**({"year": day.year} if with_year else {}), "month": day.month, "mday": day.day} for day in days]


def _date(exception: Mapping[str, Any]) -> date | None:
    """The day of an exception, in a leap year if it is for every year; None for values that are no day."""
    try:
        return date(exception.get("year") or _LEAP_YEAR, exception["month"], exception["mday"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def spans(exceptions: Sequence[Mapping[str, Any]]) -> list[Span]:
    """Exceptions in order, those of days that follow each other with the same hours as one entry."""
    found: list[Span] = []
    for each in in_order(exceptions):
        if found and _follows(found[-1][-1], each):
            found[-1].append(each)
        else:
            found.append([each])
    # The last day of every year is followed by its first.
    last = next((span for span in reversed(found) if not span[0].get("year")), None)
    if last and last is not found[0] and _is_new_year(last[-1], found[0][0]) and _same_hours(last[-1], found[0][0]):
        last += found.pop(0)
    return found


def _follows(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the day after an exception has the same hours."""
    before, after = _date(one), _date(other)
    if before is None or after is None or bool(one.get("year")) != bool(other.get("year")):
        return False
    return after - before == timedelta(days=1) and _same_hours(one, other)


def _is_new_year(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (one.get("month"), one.get("mday"), other.get("month"), other.get("mday")) == (12, 31, 1, 1)


def _same_hours(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    def hours(exception: Mapping[str, Any]) -> tuple[bool, MinutePeriods]:
        return bool(exception.get("open")), joined(exception.get("periods") or ())

    return hours(one) == hours(other)


def _sent(periods: MinutePeriods) -> list[list[str]]:
    return [[clock_time(start), clock_time(end)] for start, end in periods]


class WeekEdit:
    """Hours in an editor. Unchanged days keep their stored form."""

    def __init__(self, hours: RecordData | None) -> None:
        self._before = dict(hours) if isinstance(hours, Mapping) else {}
        week = self._before.get("openhours")
        #: Without a week it is always open.
        self._week: list[Any] = list(week) if isinstance(week, list) else [_sent([(0, DAY)])] * len(DAYS)
        self._week += [[]] * (len(DAYS) - len(self._week))
        self._changed_week = False
        different = self._before.get("exceptions")
        entries = different if isinstance(different, list) else []
        self._known = in_order([each for each in entries if isinstance(each, Mapping)])
        self.exceptions: list[Span] = spans(self._known)

    def periods(self, index: int) -> MinutePeriods:
        """The open periods of a day; `index` counts from Sunday."""
        day = self._week[index]
        return joined(day) if isinstance(day, list) else []

    def set(self, index: int, periods: MinutePeriods) -> None:
        """Set the open periods of a day."""
        if periods != self.periods(index):
            self._week[index] = _sent(periods)
            self._changed_week = True

    def paint(self, index: int, start: int, end: int, *, open: bool) -> None:
        """Open or close these minutes of a day."""
        old = self.periods(index)
        self.set(index, joined([*old, (start, end)]) if open else without(old, [(start, end)]))

    def value(self) -> dict[str, Any]:
        """The complete new hours."""
        new = dict(self._before)
        if self._changed_week:
            new["openhours"] = self._week[: len(DAYS)]
        exceptions = in_order([each for span in self.exceptions for each in span])
        if exceptions != self._known:
            new["exceptions"] = [dict(each) for each in exceptions]
        return new

    @property
    def changed(self) -> bool:
        return self.value() != self._before


def hours_by_day(hours: RecordData | None) -> dict[str, str]:
    """The hours of each day, then the exceptions; empty without hours."""
    if not isinstance(hours, Mapping):
        return {}
    week = WeekEdit(hours)
    found = {day: periods_text(week.periods(index)) for day, index in DAYS} if hours.get("openhours") else {}
    for span in week.exceptions:
        found[days_text(span)] = exception_text(span).partition(" ")[2]
    return found


def in_order(exceptions: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Exceptions by date, those of every year before those of one year."""
    return sorted(exceptions, key=lambda each: (bool(each.get("year")), day_text(each)))


def with_exceptions(own: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Exceptions, and those of other office hours, which replace the own ones of the same day."""
    replaced = {day_text(each) for each in others}
    return in_order([*(each for each in own if day_text(each) not in replaced), *others])
