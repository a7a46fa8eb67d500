"""Spans of whole days: how people name them, which one lies before another, and the period that suits them. Pure."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from svc_tui.interface.metrics.ranges import LONGEST, range_problem, zone_problem
from svc_tui.interface.metrics.records import Period

#: How a span is typed.
HINT = "2026, 2026-10, 2026-10-05, or 2026-10-05 2026-10-12"
#: The rules of all periods in one line.
RULES = ", ".join(f"by {period} up to {said}" for period, (_, said) in LONGEST.items())
#: What is looked at first.
USUAL = "last 30 days"
_EARLIEST = 1970
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` on, `until` no longer among them. `name` is how people call it, empty where they do not."""

    first: date
    until: date
    name: str = ""

    def __str__(self) -> str:
        last = self.until - _DAY
        if self.whole_months == 1:
            return f"{self.first:%Y-%m}"
        if (self.first.month, self.first.day) == (1, 1) and self.whole_months == 12:
            return f"{self.first.year}"
        if last.year == self.first.year:
            return f"{self.first}" if last == self.first else f"{self.first} – {last:%m-%d}"
        return f"{self.first} – {last}"

    @property
    def days(self) -> int:
        return (self.until - self.first).days

    @property
    def whole_months(self) -> int:
        """How many calendar months it is exactly; 0 when it begins or ends within one."""
        if self.first.day != 1 or self.until.day != 1:
            return 0
        return (self.until.year - self.first.year) * 12 + self.until.month - self.first.month

    def moments(self, zone: str) -> tuple[datetime, datetime]:
        """When it begins and ends in a time zone, in UTC."""
        here = zoneinfo.ZoneInfo(zone)
        first, last = (datetime.combine(day, time(), here).astimezone(UTC) for day in (self.first, self.until))
        return first, last

    def before(self) -> Span:
        """The span that ends where this begins: as many months, or as many days where it is not whole months."""
        if months := self.whole_months:
            return Span(_months_later(self.first, -months), self.first)
        return Span(self.first - timedelta(days=self.days), self.first)

    @property
    def weeks(self) -> int:
        """How many whole weeks it takes, one that is begun too."""
        return -(-self.days // 7)

    def same_weekdays(self) -> Span:
        """The nearest span of as many days that ends before this begins, each day on the same day of the week."""
        back = timedelta(days=7 * self.weeks)
        return Span(self.first - back, self.until - back)

    def year_before(self) -> Span:
        """The same days a year earlier."""
        return Span(_months_later(self.first, -12), _months_later(self.until, -12))

    def as_far_from(self, other: Span, against: Span) -> Span | None:
        """What lies before this as `against` lies before the other one; None where people have no word for it."""
        for relation in (Span.before, Span.same_weekdays, Span.year_before):
            if (found := relation(other)).first == against.first and found.until == against.until:
                return relation(self)
        return None

    def problem(self, period: Period) -> str:
        """Why its counters cannot be had by this period; empty when they can. The zone makes no difference."""
        return range_problem(*self.moments("UTC"), period)

    def suited(self, wanted: Period) -> Period:
        """The wanted period, or the next longer one in which it can be asked for."""
        periods = list(LONGEST)
        fitting = [period for period in periods[periods.index(wanted) :] if not self.problem(period)]
        return fitting[0] if fitting else periods[-1]


def today(zone: str, now: datetime) -> date:
    """Which day it is in a time zone."""
    return now.astimezone(zoneinfo.ZoneInfo(zone)).date()


def usual(day: date) -> Sequence[Span]:
    """What people ask for most, seen from a day; what is not over yet ends with it."""
    month, tomorrow = day.replace(day=1), day + _DAY
    last_month = _months_later(month, -1)
    return (
        Span(day, tomorrow, "today"),
        Span(day - _DAY, day, "yesterday"),
        Span(day - timedelta(days=6), tomorrow, "last 7 days"),
        Span(day - timedelta(days=27), tomorrow, "last 4 weeks"),
        Span(day - timedelta(days=29), tomorrow, USUAL),
        Span(month, tomorrow, "this month"),
        Span(last_month, month, "last month"),
        Span(_months_later(month, -2), _months_later(month, -1), "the month before last"),
        Span(_months_later(month, -3), month, "last 3 months"),
        Span(_months_later(month, -12), month, "last 12 months"),
        Span(day.replace(month=1, day=1), tomorrow, "this year"),
        Span(_months_later(month, -36), month, "last 3 years"),
    )


def read(text: str) -> Span:
    """A typed span; the last day that is named belongs to it. ValueError with a sentence when it is none."""
    words = [word for word in re.split(r"\.\.|\s+to\s+|–|\s+", text.strip()) if word]
    if not 1 <= len(words) <= 2:
        raise ValueError(f"Type {HINT}.")
    ends = [_read_one(word) for word in words]
    span = Span(ends[0].first, ends[-1].until)
    if span.days < 1:
        raise ValueError("It ends before it begins.")
    if problem := span.problem("month"):
        raise ValueError(f"It {problem}.")
    return span


def problem_of(text: str) -> str:
    """Why a text is no span; empty when it is one."""
    try:
        read(text)
    except ValueError as error:
        return str(error)
    return ""


@cache
def zones() -> tuple[str, ...]:
    """The time zones that this machine knows, UTC first."""
    return ("UTC", *sorted(name for name in zoneinfo.available_timezones() if "/" in name and not zone_problem(name)))


def _read_one(word: str) -> Span:
    found = _DATE.fullmatch(word)
    if found is None:
        raise ValueError(f"{word} is no date: type {HINT}.")
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        first = date(year, month or 1, day or 1)
        if year < _EARLIEST:
            raise ValueError
        if day:
            return Span(first, first + _DAY)
        return Span(first, _months_later(first, 1 if month else 12))
    except (ValueError, OverflowError):
        raise ValueError(f"There is no {word} in the calendar of these numbers.") from None


def _months_later(day: date, months: int) -> date:
    """The same day of another month, or its last day where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for number in range(day.day, 27, -1):
        try:
            return date(year, month + 1, number)
        except ValueError:
            if not 1 <= year <= 9999:
                raise
    return date(year, month + 1, day.day)
