"""Spans of whole days: their names, the span before another, and the shortest possible period. Pure functions."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from svc_tui.interface.metrics.values import LONGEST, CounterPeriod, range_problem, zone_problem
from svc_tui.interface.value_words import word
from svc_tui.language import ENGLISH, _, current, day_text

#: Examples of typed spans.
HINT = _("2026, 2026-10, 2026-10-05, or 2026-10-05 2026-10-12")
#: The longest span of each period, in one line.
RULES = ", ".join(
    _("by {period} up to {said}").format(period=word(period), said=said) for period, (__, said) in LONGEST.items()
)
#: The span that is shown first.
DEFAULT_SPAN = _("last 30 days")
_EARLIEST = 1970
_DATE = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?")
#: A day or a month with points, as many languages write them: `05.10.2026`, `10.2026`.
_LOCAL_DATE = re.compile(r"(?:(?P<day>\d{1,2})\.)?(?P<month>\d{1,2})\.(?P<year>\d{4})")
#: A month and a day without a year.
_NO_YEAR = re.compile(r"\d{1,2}-\d{1,2}")
#: The word between the ends of a span.
_TO = re.escape(_("to"))
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to before `until`. `name` is the usual name, empty without one."""

    first: date
    until: date
    name: str = ""

    def __str__(self) -> str:
        last = self.until - _DAY
        if self.whole_months == 1:
            return f"{self.first:%Y-%m}"
        if (self.first.month, self.first.day) == (1, 1) and self.whole_months == 12:
            return f"{self.first.year}"
        first, until = day_text(str(self.first)), day_text(str(last))
        if last.year == self.first.year and current() == ENGLISH:
            until = until[5:]
        return first if last == self.first else f"{first} – {until}"

    @property
    def days(self) -> int:
        return (self.until - self.first).days

    @property
    def whole_months(self) -> int:
        """Number of whole calendar months; 0 when it starts or ends within a month."""
        if self.first.day != 1 or self.until.day != 1:
            return 0
        return (self.until.year - self.first.year) * 12 + self.until.month - self.first.month

    def moments(self, zone: str) -> tuple[datetime, datetime]:
        """Start and end in a time zone, as UTC times."""
        here = zoneinfo.ZoneInfo(zone)
        first, last = (datetime.combine(day, time(), here).astimezone(UTC) for day in (self.first, self.until))
        return first, last

    def before(self) -> Span:
        """The span that ends at the start of this one: the same number of months, or of days without whole months."""
        if months := self.whole_months:
            return Span(_months_later(self.first, -months), self.first)
        return Span(self.first - timedelta(days=self.days), self.first)

    @property
    def weeks(self) -> int:
        """Number of weeks, rounded up."""
        return -(-self.days // 7)

    def same_weekdays(self) -> Span:
        """The latest earlier span with the same number of days and the same weekdays."""
        back = timedelta(days=7 * self.weeks)
        return Span(self.first - back, self.until - back)

    def year_before(self) -> Span:
        """The same days a year earlier."""
        return Span(_months_later(self.first, -12), _months_later(self.until, -12))

    def counterpart(self, other: Span, reference: Span) -> Span | None:
        """The span related to this one as `reference` is to `other`; None without a named relation."""
        for relation in (Span.before, Span.same_weekdays, Span.year_before):
            if (found := relation(other)).first == reference.first and found.until == reference.until:
                return relation(self)
        return None

    def problem(self, period: CounterPeriod) -> str:
        """Why its counters cannot be requested by this period; empty when they can, in every time zone."""
        return range_problem(*self.moments("UTC"), period)

    def possible_period(self, preferred: CounterPeriod) -> CounterPeriod:
        """The preferred period, or the next longer one that can be requested."""
        periods = list(LONGEST)
        fitting = [period for period in periods[periods.index(preferred) :] if not self.problem(period)]
        return fitting[0] if fitting else periods[-1]


def today(zone: str, now: datetime) -> date:
    """The current day in a time zone."""
    return now.astimezone(zoneinfo.ZoneInfo(zone)).date()


def common_spans(day: date) -> Sequence[Span]:
    """The most common spans relative to a day; spans in progress end with the day."""
    month, tomorrow = day.replace(day=1), day + _DAY
    last_month = _months_later(month, -1)
    return (
        Span(day, tomorrow, "today"),
        Span(day - _DAY, day, "yesterday"),
        Span(day - timedelta(days=6), tomorrow, _("last 7 days")),
        Span(day - timedelta(days=27), tomorrow, _("last 4 weeks")),
        Span(day - timedelta(days=29), tomorrow, DEFAULT_SPAN),
        Span(month, tomorrow, _("this month")),
        Span(last_month, month, _("last month")),
        Span(_months_later(month, -2), _months_later(month, -1), _("the month before last")),
        Span(_months_later(month, -3), month, _("last 3 months")),
        Span(_months_later(month, -12), month, _("last 12 months")),
        Span(day.replace(month=1, day=1), tomorrow, _("this year")),
        Span(_months_later(month, -36), month, _("last 3 years")),
    )


def parse_span(text: str) -> Span:
    """A typed span, including its last day. ValueError with a sentence when it is not valid."""
    words = [word for word in re.split(rf"\.\.|\s+(?:to|{_TO})\s+|\s+-\s+|–|\s+", text.strip()) if word]
    if not 1 <= len(words) <= 2:
        raise ValueError(_("Type {hint}.").format(hint=HINT))
    ends = [_parse_date(words[0])]
    # As it is shown, the last day has no year of its own: `2026-10-05 – 10-12`.
    ends += [_parse_date(f"{ends[0].first.year}-{word}" if _NO_YEAR.fullmatch(word) else word) for word in words[1:]]
    span = Span(ends[0].first, ends[-1].until)
    if span.days < 1:
        raise ValueError(_("The end is before the start."))
    if problem := span.problem("month"):
        raise ValueError(_("The span {problem}.").format(problem=problem))
    return span


def problem_of(text: str) -> str:
    """Why a text is not a valid span; empty when it is."""
    try:
        parse_span(text)
    except ValueError as error:
        return str(error)
    return ""


@cache
def zones() -> tuple[str, ...]:
    """The time zones of this machine, UTC first."""
    return ("UTC", *sorted(name for name in zoneinfo.available_timezones() if "/" in name and not zone_problem(name)))


def _parse_date(word: str) -> Span:
    found = _DATE.fullmatch(word) or _LOCAL_DATE.fullmatch(word)
    if found is None:
        raise ValueError(_("{word} is not a date. Type {hint}.").format(word=word, hint=HINT))
    parts = found.groupdict()
    year, month, day = (int(parts[name] or 0) for name in ("year", "month", "day"))
    try:
        first = date(year, month or 1, day or 1)
        if year < _EARLIEST:
            raise ValueError
        if day:
            return Span(first, first + _DAY)
        return Span(first, _months_later(first, 1 if month else 12))
    except (ValueError, OverflowError):
        raise ValueError(
            _("{word} is not a valid date. The first year is {earliest}.").format(word=word, earliest=_EARLIEST)
        ) from None


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
