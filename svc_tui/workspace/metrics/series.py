"""Series of numbers in the order of time, beside each other as rows, with what lies between them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from svc_tui.interface.data import RecordData
from svc_tui.interface.metrics.flat import flattened
from svc_tui.interface.metrics.records import Period
from svc_tui.workspace.lists.static_rows import StaticRows

V = TypeVar("V")
_FORMS: dict[Period, str] = {"hour": "%Y-%m-%d %H:%M", "day": "%Y-%m-%d", "month": "%Y-%m"}


@dataclass(frozen=True, slots=True)
class Slice:
    """One hour, day or month: when it begins, as people read it, and its numbers by name."""

    start: str
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Counted:
    """The slices of one application, owner or company, oldest first."""

    name: str
    slices: tuple[Slice, ...]

    @property
    def totals(self) -> Counter[str]:
        """All slices together, by name; for what can be added up."""
        found: Counter[str] = Counter()
        for each in self.slices:
            found.update(each.numbers)
        return found


@dataclass(frozen=True, slots=True)
class Series:
    """One number for each slice; None where nobody counted. `adds`: their sum means something."""

    name: str
    starts: tuple[str, ...]
    values: tuple[int | None, ...]
    adds: bool = True

    @property
    def highest(self) -> int:
        return max((value for value in self.values if value is not None), default=0)

    @property
    def whole(self) -> int:
        """All of them together."""
        return sum(value for value in self.values if value is not None)


def usage(name: str, answer: RecordData, period: Period, zone: str) -> Counted:
    """The counters of a usage answer; begins are those of the time zone."""
    slices = []
    for each in _records(answer.get("data")):
        counters = _records(each.get("groupCounters"))
        numbers = {str(one.get("group")): int(one["count"]) for one in counters if isinstance(one.get("count"), int)}
        slices.append(Slice(_start(each.get("aggregationStartDate"), period, zone), numbers))
    return Counted(name, tuple(slices))


def daily(name: str, answer: RecordData) -> Counted:
    """The days of a company."""
    return Counted(
        name,
        tuple(
            Slice(
                str(each.get("date") or "")[:10],
                numbers_of({part: each.get(part) for part in ("users", "systems", "usages")}),
            )
            for each in _records(answer.get("dailyStats"))
        ),
    )


def numbers_of(stats: RecordData) -> dict[str, int]:
    """The numbers of statistics by their flat names: `users_total`, `usages_chat`."""
    inner = {name: part for name, part in stats.items() if isinstance(part, Mapping)}
    return {
        name: value
        for name, value in flattened(inner).items()
        if isinstance(value, int) and not isinstance(value, bool)
    }


def together(counted: Counted, groups: Sequence[str] = ()) -> Series:
    """All groups, or only some, added up for each slice."""
    values = tuple(
        sum(count for name, count in each.numbers.items() if not groups or name in groups) for each in counted.slices
    )
    return Series(counted.name, tuple(each.start for each in counted.slices), values)


def one(counted: Counted, number: str) -> Series:
    """One number of each slice."""
    values = tuple(each.numbers.get(number) for each in counted.slices)
    return Series(counted.name, tuple(each.start for each in counted.slices), values, adds=False)


def aligned(series: Sequence[Series]) -> list[Series]:
    """The same series over all days of any of them: what stands beside each other is of one day."""
    starts = tuple(sorted({start for each in series for start in each.starts}))
    found = []
    for each in series:
        known = dict(zip(each.starts, each.values, strict=True))
        found.append(replace(each, starts=starts, values=tuple(known.get(start) for start in starts)))
    return found


def last_days(series: Series, days: int, *, back: int = 0) -> Series:
    """The newest so many slices (0: all), or those that end so many before."""
    end = len(series.starts) - back
    chosen = slice(max(0, end - days) if days else 0, max(0, end))
    return replace(series, starts=series.starts[chosen], values=series.values[chosen])


def percent(before: int | None, after: int | None) -> str:
    """How much more it became: `+12.5 %`; empty where that cannot be said."""
    if not before or after is None:
        return ""
    return f"{(after - before) / before * 100:+.1f} %"


class NumberRows(StaticRows):
    """Rows of numbers. `columns` are the names of their fields, in order."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        super().__init__([{"id": str(place), **row} for place, row in enumerate(rows)])
        self.columns = tuple(columns)


def by_slice(series: Sequence[Series]) -> NumberRows:
    """A row for each slice: its begin, the number of each series and, of two, how much more the first one has."""
    names = _distinct([each.name for each in series])
    two = len(series) == 2
    # Months that are compared begin on different days; what begins together shares a column.
    of: dict[tuple[str, ...], str] = {}
    for each, name in zip(series, names, strict=True):
        of.setdefault(each.starts, name)
    begins = _distinct([f"start of {name}" for name in of.values()]) if len(of) > 1 else ["start"]
    rows = []
    for place in range(max((len(each.starts) for each in series), default=0)):
        row: dict[str, Any] = {begin: _at(starts, place, "") for begin, starts in zip(begins, of, strict=True)}
        values = [_at(each.values, place, None) for each in series]
        row |= dict(zip(names, values, strict=True))
        rows.append(row | (_between(values) if two else {}))
    return NumberRows([*begins, *names, *(["difference", "percent"] if two else [])], rows)


def _at(values: Sequence[V], place: int, beyond: V) -> V:
    return values[place] if place < len(values) else beyond


def by_name(
    counted: Sequence[Mapping[str, int]], names: Sequence[str], what: str, *, largest_first: bool = True
) -> NumberRows:
    """A row for each counted thing: its name in the field `what`, and how much of it each one has."""
    names = _distinct(names)
    two = len(names) == 2
    found = list(dict.fromkeys(name for each in counted for name in each))
    if largest_first:
        found.sort(key=lambda name: -sum(each.get(name, 0) for each in counted))
    rows = []
    for name in found:
        values = [each.get(name) for each in counted]
        row: dict[str, Any] = {what: name, **dict(zip(names, values, strict=True))}
        rows.append(row | (_between(values) if two else {}))
    return NumberRows([what, *names, *(["difference", "percent"] if two else [])], rows)


def _between(values: Sequence[int | None]) -> dict[str, Any]:
    """What the first of two has more than the second."""
    after, before = values
    by = after - before if after is not None and before is not None else None
    return {"difference": by, "percent": percent(before, after)}


def _distinct(names: Sequence[str]) -> list[str]:
    """Names as columns: each once, and none that a row uses for itself."""
    found: list[str] = []
    for name in names:
        wanted, number = name or "?", 2
        while wanted in (*found, "id", "difference", "percent"):
            wanted, number = f"{name} ({number})", number + 1
        found.append(wanted)
    return found


def _start(text: Any, period: Period, zone: str) -> str:
    """When a slice begins in a time zone; the text itself where it is no moment."""
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
        return moment.astimezone(ZoneInfo(zone)).strftime(_FORMS[period])
    except (ValueError, OverflowError):
        return str(text or "")


def _records(value: Any) -> list[RecordData]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
