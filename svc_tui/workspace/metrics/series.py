"""Series of numbers over time, as table rows with their differences. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from svc_tui.interface.data import RecordData
from svc_tui.interface.metrics.values import flat_statistics
from svc_tui.language import _, number_text
from svc_tui.workspace.lists.held_rows import StaticRows

if TYPE_CHECKING:
    from svc_tui.interface.metrics.values import CounterPeriod

V = TypeVar("V")
_FORMS: dict[CounterPeriod, str] = {"hour": "%Y-%m-%d %H:%M", "day": "%Y-%m-%d", "month": "%Y-%m"}


@dataclass(frozen=True, slots=True)
class Slice:
    """One hour, day or month: its formatted start, and its numbers by name."""

    start: str
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CounterSlices:
    """The slices of one application, owner or company, oldest first."""

    name: str
    slices: tuple[Slice, ...]

    @property
    def totals(self) -> Counter[str]:
        """The sums of all slices by name, for numbers that can be added."""
        found: Counter[str] = Counter()
        for each in self.slices:
            found.update(each.numbers)
        return found


@dataclass(frozen=True, slots=True)
class Series:
    """One number for each slice; None where it is unknown. `additive`: their sum has a meaning."""

    name: str
    starts: tuple[str, ...]
    values: tuple[int | None, ...]
    additive: bool = True

    @property
    def highest(self) -> int:
        return max((value for value in self.values if value is not None), default=0)

    @property
    def total(self) -> int:
        """The sum of all values."""
        return sum(value for value in self.values if value is not None)


def usage(name: str, answer: RecordData, period: CounterPeriod, zone: str) -> CounterSlices:
    """The counters of a usage response; starts are in the time zone."""
    slices = []
    for each in _records(answer.get("data")):
        counters = _records(each.get("groupCounters"))
        numbers = {str(one.get("group")): int(one["count"]) for one in counters if isinstance(one.get("count"), int)}
        slices.append(Slice(_start(each.get("aggregationStartDate"), period, zone), numbers))
    return CounterSlices(name, tuple(slices))


def daily(name: str, answer: RecordData) -> CounterSlices:
    """The daily counters of a company."""
    return CounterSlices(
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
    """The numbers of statistics by flat name: `users_total`, `usages_chat`."""
    inner = {name: part for name, part in stats.items() if isinstance(part, Mapping)}
    return {
        name: value
        for name, value in flat_statistics(inner).items()
        if isinstance(value, int) and not isinstance(value, bool)
    }


def summed(counters: CounterSlices, groups: Sequence[str] = ()) -> Series:
    """The sum of all groups, or of some, for each slice."""
    values = tuple(
        sum(count for name, count in each.numbers.items() if not groups or name in groups) for each in counters.slices
    )
    return Series(counters.name, tuple(each.start for each in counters.slices), values)


def single(counters: CounterSlices, number: str) -> Series:
    """One number of each slice."""
    values = tuple(each.numbers.get(number) for each in counters.slices)
    return Series(counters.name, tuple(each.start for each in counters.slices), values, additive=False)


def aligned(series: Sequence[Series]) -> list[Series]:
    """The same series over all days of any of them: each row is one day."""
    starts = tuple(sorted({start for each in series for start in each.starts}))
    found = []
    for each in series:
        known = dict(zip(each.starts, each.values, strict=True))
        found.append(replace(each, starts=starts, values=tuple(known.get(start) for start in starts)))
    return found


def last_days(series: Series, days: int, *, back: int = 0) -> Series:
    """The newest slices, this many (0: all), or those that end `back` slices earlier."""
    end = len(series.starts) - back
    chosen = slice(max(0, end - days) if days else 0, max(0, end))
    return replace(series, starts=series.starts[chosen], values=series.values[chosen])


def percent(before: int | None, after: int | None) -> str:
    """The relative change: `+12.5 %`; empty where it cannot be computed."""
    if not before or after is None:
        return ""
    return f"{number_text((after - before) / before * 100, '+.1f')} %"


class NumberRows(StaticRows):
    """Rows of numbers. `columns` are the names of their fields, in order."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        super().__init__([{"id": str(place), **row} for place, row in enumerate(rows)])
        self.columns = tuple(columns)


def by_slice(series: Sequence[Series]) -> NumberRows:
    """A row for each slice: its start, the number of each series and, for two series, their difference."""
    names = _distinct([each.name for each in series])
    two = len(series) == 2
    # Months that are compared start on different days; series with the same starts share a column.
    of: dict[tuple[str, ...], str] = {}
    for each, name in zip(series, names, strict=True):
        of.setdefault(each.starts, name)
    start_columns = (
        _distinct([_("start of {name}").format(name=name) for name in of.values()]) if len(of) > 1 else ["start"]
    )
    rows = []
    for place in range(max((len(each.starts) for each in series), default=0)):
        row: dict[str, Any] = {column: _at(starts, place, "") for column, starts in zip(start_columns, of, strict=True)}
        values = [_at(each.values, place, None) for each in series]
        row |= dict(zip(names, values, strict=True))
        rows.append(row | (_between(values) if two else {}))
    return NumberRows([*start_columns, *names, *(["difference", "percent"] if two else [])], rows)


def _at(values: Sequence[V], place: int, default: V) -> V:
    return values[place] if place < len(values) else default


def by_name(
    counters: Sequence[Mapping[str, int]], names: Sequence[str], what: str, *, largest_first: bool = True
) -> NumberRows:
    """A row for each number: its name in the field `what`, and its value in each of the counters."""
    names = _distinct(names)
    two = len(names) == 2
    found = list(dict.fromkeys(name for each in counters for name in each))
    if largest_first:
        found.sort(key=lambda name: -sum(each.get(name, 0) for each in counters))
    rows = []
    for name in found:
        values = [each.get(name) for each in counters]
        row: dict[str, Any] = {what: name, **dict(zip(names, values, strict=True))}
        rows.append(row | (_between(values) if two else {}))
    return NumberRows([what, *names, *(["difference", "percent"] if two else [])], rows)


def named(rows: NumberRows, what: str, value: str) -> NumberRows:
    """The rows with a first column `what` of one value, so that a file names its numbers."""
    column = _distinct([*rows.columns, what])[-1]
    filled = [{**(rows.row(place) or {}), column: value} for place in range(rows.total)]
    return NumberRows([column, *rows.columns], filled)


def _between(values: Sequence[int | None]) -> dict[str, Any]:
    """The difference of the first to the second."""
    after, before = values
    difference = after - before if after is not None and before is not None else None
    return {"difference": difference, "percent": percent(before, after)}


def _distinct(names: Sequence[str]) -> list[str]:
    """Names as columns: unique, and not reserved for a row's own fields."""
    found: list[str] = []
    for name in names:
        unique, number = name or "?", 2
        while unique in (*found, "id", "difference", "percent"):
            unique, number = f"{name} ({number})", number + 1
        found.append(unique)
    return found


def _start(text: Any, period: CounterPeriod, zone: str) -> str:
    """The formatted start of a slice in a time zone; the text itself where it is not a time.

    Of two hours with the same name, where clocks are set back, each has the name of its time, as in `02:00 CEST`.
    """
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00")).astimezone(ZoneInfo(zone))
        twice = period == "hour" and moment.utcoffset() != moment.replace(fold=1 - moment.fold).utcoffset()
        return moment.strftime(_FORMS[period] + " %Z" * twice)
    except (ValueError, OverflowError):
        return str(text or "")


def _records(value: Any) -> list[RecordData]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
