"""Ranges of a filter over dates and numbers: `>2026-01`, `<=5`, `2026-01..2026-03`. Pure functions."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeVar

from svc_tui.language import local_moment, read_number

#: A year, month, day or moment. A shorter date is the whole period.
_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d(?::\d\d(?::\d\d)?)?)?)?)?")
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d|$)")
#: A text that begins with a day, as dates and times are shown.
BEGINS_WITH_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_RANGE = re.compile(r"(>=|<=|>|<)(.*)|(.*?)\.\.(.*)", re.DOTALL)
#: A number in a text of the service, perhaps with separators of thousands.
_STORED_NUMBER = re.compile(r"-?\d{1,3}(?:[,\u00a0\u202f ]\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
#: What can be a number in the language of the user.
_SHOWN_NUMBER = re.compile(r"-?\d[\d.,\u00a0\u202f]*\d|-?\d")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ValueRange:
    """From one value to another; an empty end is open. With `strict` the ends are outside."""

    first: str = ""
    last: str = ""
    strict: bool = False

    def holds(self, value: Any, texts: Sequence[str] = ()) -> bool:
        """Whether a value is in the range; `texts` are those by which it is found, and decide where one is a date."""
        if isinstance(value, list):
            return any(self.holds(each, (in_local_time(each),) if isinstance(each, str) else ()) for each in value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._holds_number(float(value))
        dates = [text for each in texts if _ISO.match(text := each.strip().replace(" ", "T"))]
        if dates:
            finest = max(len(self.first), len(self.last))
            return self._holds_date(next((text for text in dates if len(text) >= finest), dates[0]))
        number = _stored_number(value) if isinstance(value, str) else _shown_number(next(iter(texts), ""))
        return number is not None and self._holds_number(number)

    def _holds_number(self, value: float) -> bool:
        ends = [None if (number := read_number(end)) is None else float(number) for end in (self.first, self.last)]
        if any(end is None and text for end, text in zip(ends, (self.first, self.last), strict=True)):
            return False
        return self._holds(ends[0], ends[1], lambda end: value - end)

    def _holds_date(self, value: str) -> bool:
        if not all(_DATE.fullmatch(end) for end in (self.first, self.last) if end):
            return False
        # The beginning of an ISO date is its period: 2026-01-15 is in 2026-01, not after it.
        first, last = (end.replace(" ", "T") or None for end in (self.first, self.last))
        return self._holds(first, last, lambda end: (value[: len(end)] > end) - (value[: len(end)] < end))

    def _holds(self, first: T | None, last: T | None, compared: Callable[[T], float]) -> bool:
        if self.strict:
            return (first is None or compared(first) > 0) and (last is None or compared(last) < 0)
        return (first is None or compared(first) >= 0) and (last is None or compared(last) <= 0)


def _stored_number(text: str) -> float | None:
    found = _STORED_NUMBER.search(text)
    return float(re.sub(r"[^\d.-]", "", found[0])) if found else None


def _shown_number(text: str) -> float | None:
    """The first number of a text as it is shown, in the language of the user."""
    found = _SHOWN_NUMBER.search(text)
    number = read_number(found[0]) if found else None
    return None if number is None else float(number)


def in_local_time(text: str) -> str:
    """An ISO 8601 time as `2026-11-20 09:30:15` in the zone of the user; another text as it is."""
    local = local_moment(text)
    return local.replace(tzinfo=None).isoformat(" ", "seconds") if local else text


def days_of(text: str) -> tuple[date | None, date | None]:
    """The first and the last day that dates in a range or period can have, with a day on either side; None: open.

    The dates that are shown are those of the local time, and of the service those of UTC. An unclear range is open.
    """
    try:
        found = range_of(text) or ValueRange(text, text)
    except ValueError:
        return None, None
    first, last = (_days(end) if _ISO.match(end) else None for end in (found.first, found.last))
    # With `>` a whole period is left out, with `<` as well.
    after = (first[1] if found.strict else first[0]) if first else None
    before = (last[0] if found.strict else last[1]) if last else None
    return _moved(after, -1), _moved(before, 1)


def _moved(day: date | None, days: int) -> date | None:
    try:
        return day + timedelta(days) if day else None
    except OverflowError:
        return None


def _days(text: str) -> tuple[date, date] | None:
    """The first and the last day of a month, day or moment; None where it is no date."""
    try:
        if len(text) > len("2026-01"):
            day = date.fromisoformat(text[: len("2026-01-01")])
            return day, day
        year, month = (int(part) for part in text.split("-"))
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    except ValueError:
        return None


def range_of(text: str) -> ValueRange | None:
    """The range that a text describes; None without one. ValueError with the end that is no date and no number.

    Numbers are those of the language: `>1.000` is more than a thousand in German.
    """
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    sign, end, first, last = found.groups()
    ends = [end] if sign else [each for each in (first, last) if each]
    wrong = [each for each in ends if not (read_number(each) is not None or _DATE.fullmatch(each))]
    if wrong:
        if not sign and len(wrong) == len(ends):
            # Two dots between words are text.
            return None
        raise ValueError(wrong[0])
    if not ends:
        return None
    if not sign:
        return ValueRange(first, last)
    return ValueRange(end, "", sign == ">") if sign[0] == ">" else ValueRange("", end, sign == "<")
