"""The rows of a filtered list in memory: a bounded number, those that are kept longest are dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable

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
