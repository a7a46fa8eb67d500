"""Office hours as people write them and change them: `09:00-12:30, 13:30-18:00` on a day, `12-25 closed` (2.17)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from svc_tui.interface.voice.hours import DAY, Periods, clock_time, joined, without

#: The days as people count them, each with its place in `openhours`, which begins with Sunday.
DAYS = (("Monday", 1), ("Tuesday", 2), ("Wednesday", 3), ("Thursday", 4), ("Friday", 5), ("Saturday", 6), ("Sunday", 0))
CLOSED, ALL_DAY = "closed", "all day"

_PERIOD = re.compile(r"(\d{1,2})(?::?(\d{2}))?\s*(?:-|–|to)\s*(\d{1,2})(?::?(\d{2}))?")
_OTHER_DAY = re.compile(r"(?:(\d{4})-)?(\d{1,2})-(\d{1,2})\s+(open|closed)(?:\s+(.*))?", re.IGNORECASE)
#: A year that has every day there is, for days that come every year.
_LEAP_YEAR = 2024

Hours = Mapping[str, Any]


def periods_said(periods: Periods) -> str:
    """Periods as they are written: `09:00-12:30, 13:30-18:00`, `closed` or `all day`."""
    if periods == [(0, DAY)]:
        return ALL_DAY
    return ", ".join(f"{clock_time(start)}-{clock_time(end)}" for start, end in periods) or CLOSED


def periods_in_short(periods: Periods) -> str:
    """The same where there is little room: `9-12:30 13:30-18`."""
    if len(periods) == 0 or periods == [(0, DAY)]:
        return periods_said(periods)
    return " ".join(f"{_in_short(start)}-{_in_short(end)}" for start, end in periods)


def _in_short(minute: int) -> str:
    hours, minutes = divmod(minute, 60)
    return f"{hours}:{minutes:02}" if minutes else str(hours)


def read_periods(text: str) -> Periods:
    """The periods that are written, in order and joined where they meet. ValueError with a sentence for others."""
    plain = text.strip().casefold()
    if plain in ("", CLOSED):
        return []
    if plain in (ALL_DAY, "open"):
        return [(0, DAY)]
    return joined(_period(part.strip()) for part in re.split(r"[,;]", plain) if part.strip())


def _period(text: str) -> tuple[int, int]:
    found = _PERIOD.fullmatch(text)
    if found is None:
        raise ValueError(f"“{text}” is no period such as 09:00-12:30")
    start, end = (int(found[at]) * 60 + int(found[at + 1] or 0) for at in (1, 3))
    if any(int(found[at] or 0) > 59 for at in (2, 4)) or max(start, end) > DAY:
        raise ValueError(f"“{text}” is beyond 24:00, or has a minute beyond 59")
    if start >= end:
        raise ValueError(f"“{text}” does not end after its start; what passes midnight is two periods, of two days")
    return start, end


def exception_said(exception: Mapping[str, Any]) -> str:
    """A day that is different, as it is written: `2026-04-25 closed`, or `12-24 open 09:00-12:00` of every year."""
    periods = joined(exception.get("periods") or ())
    state = "open" if exception.get("open") else CLOSED
    return f"{day_said(exception)} {state}" + (f" {periods_said(periods)}" if periods else "")


def day_said(exception: Mapping[str, Any]) -> str:
    """Which day an exception is: `2026-04-25`, or `12-25` of every year."""
    year = f"{exception['year']}-" if exception.get("year") else ""
    month, mday = (str(exception.get(name) or "?").rjust(2, "0") for name in ("month", "mday"))
    return f"{year}{month}-{mday}"


def read_exception(text: str) -> dict[str, Any]:
    """The day that is written. ValueError with a sentence when it is none."""
    from svc_tui.interface.problems import problem_of
    from svc_tui.interface.voice.office_hours import HoursException

    found = _OTHER_DAY.fullmatch(text.strip())
    if found is None:
        raise ValueError("write a day and what it is: 12-25 closed, or 2026-12-24 open 09:00-12:00")
    year, month, mday, state, rest = found.groups()
    try:
        date(int(year or _LEAP_YEAR), int(month), int(mday))
    except ValueError:
        raise ValueError(f"there is no {text.split()[0]}: month and day, such as 12-25") from None
    if year and (problem := problem_of(HoursException, "year", int(year))):
        raise ValueError(f"the year {problem}")
    periods = read_periods(rest) if rest else []
    exception: dict[str, Any] = {"year": int(year)} if year else {}
    exception |= {"month": int(month), "mday": int(mday), "open": state.casefold() == "open"}
    return {**exception, "periods": _sent(periods)} if periods and periods != [(0, DAY)] else exception


def _sent(periods: Periods) -> list[list[str]]:
    return [[clock_time(start), clock_time(end)] for start, end in periods]


class Week:
    """Hours while they are changed. A day that nobody touches is sent as it came."""

    def __init__(self, hours: Hours | None) -> None:
        self._before = dict(hours) if isinstance(hours, Mapping) else {}
        week = self._before.get("openhours")
        #: Without a week it is open all the time.
        self._week: list[Any] = list(week) if isinstance(week, list) else [_sent([(0, DAY)])] * len(DAYS)
        self._week += [[]] * (len(DAYS) - len(self._week))
        self._touched = False
        different = self._before.get("exceptions")
        entries = different if isinstance(different, list) else []
        self._known = in_order([each for each in entries if isinstance(each, Mapping)])
        self.exceptions: list[Mapping[str, Any]] = list(self._known)

    def periods(self, index: int) -> Periods:
        """When it is open on a day; `index` counts from Sunday."""
        day = self._week[index]
        return joined(day) if isinstance(day, list) else []

    def set(self, index: int, periods: Periods) -> None:
        """Open a day in these periods."""
        if periods != self.periods(index):
            self._week[index] = _sent(periods)
            self._touched = True

    def paint(self, index: int, start: int, end: int, *, open: bool) -> None:
        """Open, or close, these minutes of a day."""
        old = self.periods(index)
        self.set(index, joined([*old, (start, end)]) if open else without(old, [(start, end)]))

    def value(self) -> dict[str, Any]:
        """The complete new hours."""
        new = dict(self._before)
        if self._touched:
            new["openhours"] = self._week[: len(DAYS)]
        if self.exceptions != self._known:
            new["exceptions"] = [dict(each) for each in self.exceptions]
        return new

    @property
    def changed(self) -> bool:
        return self.value() != self._before


def told(hours: Hours | None) -> dict[str, str]:
    """Hours by day, then the days that are different; empty where there are none."""
    if not isinstance(hours, Mapping):
        return {}
    week = Week(hours)
    found = {day: periods_said(week.periods(index)) for day, index in DAYS} if hours.get("openhours") else {}
    for exception in in_order(week.exceptions):
        found[day_said(exception)] = exception_said(exception).partition(" ")[2]
    return found


def in_order(exceptions: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Days that are different as they come in a year, those of every year before those of one."""
    return sorted(exceptions, key=lambda each: (bool(each.get("year")), day_said(each)))
