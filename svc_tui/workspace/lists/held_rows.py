"""Rows in memory: of a filtered list, a bounded number, those that are kept longest are dropped first; rows that never
change; and the sorting of rows that the service does not sort.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any

from svc_tui.cache.cached import RecordDict

#: Most rows in memory; the others are read from the cache again when they are shown.
MOST_ROWS = 4000


class HeldRows:
    """Rows by their places in the list of the service. A place has one record, and a record one place."""

    def __init__(self, id_of: Callable[[RecordDict], str], most: int = MOST_ROWS) -> None:
        self._id_of, self._most = id_of, most
        self._rows: OrderedDict[int, RecordDict] = OrderedDict()
        self._places: dict[str, int] = {}

    def __contains__(self, place: int) -> bool:
        return place in self._rows

    @property
    def full(self) -> bool:
        """Whether another row drops the first one."""
        return len(self._rows) >= self._most

    def get(self, place: int) -> RecordDict | None:
        return self._rows.get(place)

    def all(self) -> Iterable[RecordDict]:
        return self._rows.values()

    def place_of(self, record_id: str) -> int | None:
        return self._places.get(record_id)

    def hold(self, place: int, row: RecordDict) -> None:
        """Keep a row, in place of the one that was there."""
        if place in self._rows:
            self._forget(place, self._rows[place])
        self._rows[place] = row
        self._places[self._id_of(row)] = place
        while len(self._rows) > self._most:
            self._forget(*self._rows.popitem(last=False))

    def drop(self, place: int) -> None:
        """Drop a row that is no longer there, if it is in memory."""
        row = self._rows.pop(place, None)
        if row is not None:
            self._forget(place, row)

    def drop_beyond(self, total: int) -> None:
        """Drop the rows beyond the end of the list."""
        for place in [place for place in self._rows if place >= total]:
            self.drop(place)

    def clear(self) -> None:
        self._rows.clear()
        self._places.clear()

    def _forget(self, place: int, row: RecordDict) -> None:
        """Forget the place of a record, unless it has another one by now."""
        record_id = self._id_of(row)
        if self._places.get(record_id) == place:
            del self._places[record_id]


class StaticRows:
    """Rows with their identifier under `id`."""

    refreshing = False

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = [dict(row) for row in rows]
        self._places = {str(row["id"]): place for place, row in enumerate(self._rows)}

    @property
    def total(self) -> int:
        return len(self._rows)

    def row(self, index: int) -> dict[str, Any] | None:
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def request(self, first: int, last: int) -> None:
        """Nothing to load."""

    def index_of(self, record_id: str) -> int | None:
        return self._places.get(record_id)

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Static rows never change."""
        return lambda: None

    async def ids(self) -> AsyncIterator[str]:
        for record_id in self._places:
            yield record_id

    async def rows(self) -> AsyncIterator[dict[str, Any]]:
        """All rows, for an export."""
        for row in self._rows:
            yield row


def ordered(rows: Iterable[RecordDict], field: str, *, descending: bool = False) -> list[RecordDict]:
    """Rows sorted by a field: numbers by value, texts without regard to case; empty values are last either way."""
    filled: list[RecordDict] = []
    empty: list[RecordDict] = []
    for row in rows:
        (empty if row.get(field) in (None, "") else filled).append(row)
    return [*sorted(filled, key=lambda row: _rank(row[field]), reverse=descending), *empty]


def precedes(one: RecordDict, other: RecordDict, field: str, *, descending: bool = False) -> bool:
    """Whether a row is before another in the order of `ordered`."""
    first, second = _row_rank(one, field), _row_rank(other, field)
    if first[0] or second[0]:
        return not first[0] and second[0]
    return first > second if descending else first < second


def _row_rank(row: RecordDict, field: str) -> tuple[bool, bool, float, str]:
    """The rank of a row among others; one without a value is the last."""
    value = row.get(field)
    return (value in (None, ""), *_rank(value))


def _rank(value: object) -> tuple[bool, float, str]:
    number = isinstance(value, int | float)
    return not number, float(value) if isinstance(value, int | float) else 0.0, "" if number else str(value).casefold()
