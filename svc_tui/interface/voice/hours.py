"""Opening hours of a welcome service: its state at a moment, and the next change (2.17).

Hours are the `officehours` of a record: periods of seven days from Sunday, and exceptions. No value from a service
raises an error here: invalid periods are skipped, and hours in an unknown time zone are neither open nor closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from svc_tui.language import _

#: A day in minutes; a period may end there.
DAY = 24 * 60
_WEEK = timedelta(days=7)
#: In every time zone clocks change at a quarter of an hour.
_QUARTER = timedelta(minutes=15)
#: Moments nearer to the ends of the calendar are invalid in some time zones. Clients send the last one for 'for ever'.
_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
#: The most years until the next 29 February.
_LEAP = 8

#: The open minutes of a day, ordered and separate: `(510, 720)` is 8:30 to 12:00.
MinutePeriods = list[tuple[int, int]]


class OpeningReason(StrEnum):
    """The reason for a state."""

    HOURS = _("the office hours")
    EXCEPTION = _("an exception for this day")
    HAND = _("hand")
    #: Without hours it is always open.
    NO_HOURS = _("default, without office hours")
    #: The hours cannot be compared with the time.
    ZONE = _("this machine does not know its time zone")


class UnknownZone(LookupError):
    """A time zone that this machine does not know. The text is a sentence."""

    def __init__(self, name: object) -> None:
        super().__init__(_("The time zone {name} is unknown on this machine.").format(name=name))


@dataclass(frozen=True, slots=True)
class OpeningState:
    """The state at a moment, None when it is unknown, its reason, and the next change; None when none is known."""

    open: bool | None
    because: OpeningReason
    until: datetime | None

    @property
    def sentence(self) -> str:
        if self.open is None:
            return _("Open or closed is unknown: {because}").format(because=self.because)
        sentence = _("Open by {because}") if self.open else _("Closed by {because}")
        return sentence.format(because=self.because)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The hours, their time zone, and the manual mode."""

    hours: Mapping[str, Any] | None = None
    timezone: str | None = None
    manual: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for name in ("hours", "manual"):
            if not isinstance(getattr(self, name), Mapping):
                object.__setattr__(self, name, None)

    def at(self, moment: datetime) -> OpeningState:
        """The state at a moment (with a time zone)."""
        moment = moment.astimezone(UTC)
        now = self._now(moment)
        return OpeningState(
            *now, next((each for each in self._candidates(moment) if self._now(each)[0] != now[0]), None)
        )

    def _now(self, moment: datetime) -> tuple[bool | None, OpeningReason]:
        by_hand = _by_hand(self.manual, moment)
        if by_hand is not None:
            return by_hand, OpeningReason.HAND
        if not self.hours:
            return True, OpeningReason.NO_HOURS
        try:
            local = moment.astimezone(zone_of(self.timezone))
        except UnknownZone:
            return None, OpeningReason.ZONE
        minute = local.hour * 60 + local.minute
        open = any(start <= minute < end for start, end in periods_on(self.hours, local.date()))
        return open, OpeningReason.EXCEPTION if _exception(self.hours, local.date()) else OpeningReason.HOURS

    def _candidates(self, moment: datetime) -> Iterator[datetime]:
        """Every later moment at which the state can change, in order."""
        by_hand = [each for each in _bounds(self.manual) if each > moment]
        found = set(by_hand)
        if self.hours and (zone := known_zone(self.timezone)) is not None:
            starts = [moment, *by_hand]
            for day in sorted(_days(self.hours, {each.astimezone(zone).date() for each in starts})):
                found.update(_changes(self.hours, day, zone))
        yield from sorted(each for each in found if each > moment)


def zone_of(name: object) -> tzinfo:
    """The time zone of this name, UTC without a name. UnknownZone when this machine does not know it."""
    if name is None or name == "":
        return UTC
    try:
        return ZoneInfo(str(name))
    except (LookupError, ValueError, OSError):
        raise UnknownZone(name) from None


def known_zone(name: object) -> tzinfo | None:
    """As `zone_of`; None for an unknown one."""
    try:
        return zone_of(name)
    except UnknownZone:
        return None


def minutes(text: object) -> int | None:
    """`08:30` as minutes of the day; None for any other value. 24:00 is the end of the day."""
    if not isinstance(text, str):
        return None
    hour, _colon, minute = text.partition(":")
    if not all(part.isascii() and part.isdecimal() and len(part) == 2 for part in (hour, minute)):
        return None
    found = int(hour) * 60 + int(minute)
    return found if int(minute) < 60 and found <= DAY else None


def clock_time(minute: int) -> str:
    """Minutes of the day as text: 510 is 08:30."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def joined(periods: Iterable[Any]) -> MinutePeriods:
    """Periods from pairs of texts or minutes: ordered, merged where they meet, without invalid ones."""
    found: MinutePeriods = []
    for start, end in sorted(_pairs(periods)):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _pairs(periods: Iterable[Any]) -> Iterator[tuple[int, int]]:
    for period in periods:
        if not isinstance(period, (list, tuple)) or len(period) != 2:
            continue
        start, end = (each if isinstance(each, int) else minutes(each) for each in period)
        if start is not None and end is not None and 0 <= start < end <= DAY:
            yield start, end


def without(periods: MinutePeriods, closed: MinutePeriods) -> MinutePeriods:
    """Periods without the closed ones."""
    for shut_from, shut_to in closed:
        periods = [
            part
            for start, end in periods
            for part in ((start, min(end, shut_from)), (max(start, shut_to), end))
            if part[0] < part[1]
        ]
    return periods


def periods_on(hours: Mapping[str, Any], day: date) -> MinutePeriods:
    """The open periods of a day. Hours without a week are open all day, except for their exceptions."""
    week = hours.get("openhours")
    usual: MinutePeriods = [(0, DAY)]
    if isinstance(week, list):
        # Seven days from Sunday; Python counts from Monday.
        index = (day.weekday() + 1) % 7
        usual = joined(week[index]) if index < len(week) and isinstance(week[index], list) else []
    exception = _exception(hours, day)
    if exception is None:
        return usual
    periods = exception.get("periods")
    given = joined(periods if isinstance(periods, list) else ())
    if exception.get("open"):
        return given or [(0, DAY)]
    return without(usual, given) if given else []


def _exception(hours: Mapping[str, Any], day: date) -> Mapping[str, Any] | None:
    """The exception for this day: one of this year before one of every year."""
    of_day = [
        each
        for each in _exceptions(hours)
        if (each.get("month"), each.get("mday")) == (day.month, day.day) and each.get("year") in (None, day.year)
    ]
    return min(of_day, key=lambda each: each.get("year") is None, default=None)


def _exceptions(hours: Mapping[str, Any]) -> list[Any]:
    found = hours.get("exceptions")
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _by_hand(manual: Mapping[str, Any] | None, moment: datetime) -> bool | None:
    mode = (manual or {}).get("mode")
    if manual is None or mode not in ("open", "closed"):
        return None
    start, end = _moment(manual.get("startDate")), _moment(manual.get("endDate"))
    in_force = (start is None or start <= moment) and (end is None or moment < end)
    return mode == "open" if in_force else None


def _bounds(manual: Mapping[str, Any] | None) -> list[datetime]:
    found = (_moment((manual or {}).get(wire)) for wire in ("startDate", "endDate"))
    return [each for each in found if each is not None]


def _moment(value: object) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return max(_FIRST, min(value if value.tzinfo else value.replace(tzinfo=UTC), _LAST))


def _days(hours: Mapping[str, Any], starts: set[date]) -> set[date]:
    """Every day that can differ from the day before: a week from each start, and from each later exception."""
    first = min(starts)
    for each in _exceptions(hours):
        years = [each["year"]] if each.get("year") is not None else range(first.year, first.year + _LEAP + 1)
        for year in years:
            try:
                day = date(year, each.get("month"), each.get("mday"))
            except (TypeError, ValueError, OverflowError):
                continue
            if day >= first:
                starts = starts | {day}
    return {day + timedelta(days=ahead) for day in starts if day.year < 9999 for ahead in range(_WEEK.days + 2)}


def _changes(hours: Mapping[str, Any], day: date, zone: tzinfo) -> Iterator[datetime]:
    """The moments of a day, in UTC, at which it can open or close."""
    midnight, next_midnight = _wall(day, 0, zone), _wall(day, DAY, zone)
    yield from (midnight, next_midnight)
    for period in periods_on(hours, day):
        for minute in period:
            # When clocks are set back, an hour occurs twice: both count.
            yield from (_wall(day, minute, zone), _wall(day, minute, zone, fold=1))
    moment = midnight
    while next_midnight - midnight != timedelta(minutes=DAY) and moment < next_midnight:
        yield moment
        moment += _QUARTER


def _wall(day: date, minute: int, zone: tzinfo, fold: int = 0) -> datetime:
    """A local time as UTC: times of one time zone would be compared by their digits."""
    local = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)
    return local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
