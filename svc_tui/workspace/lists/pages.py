"""The pages of a list in memory: a bounded number, the least recently used are dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from svc_tui.cache.cached import PAGE, RecordDict

#: Most pages in memory for one list: 4,000 rows, whatever its length.
MOST_PAGES = 40


@dataclass(slots=True)
class LoadedPage:
    """A page in memory. `live`: read from the service, not from the cache; `round`: the round in which it was read."""

    rows: list[RecordDict]
    fetched: float
    live: bool
    round: int
    stale: bool = False


class Pages:
    """Rows by index, and indexes by record id, of the pages in memory."""

    def __init__(self, id_of: Callable[[RecordDict], str], most: int = MOST_PAGES) -> None:
        self._id_of, self._most = id_of, most
        self._held: OrderedDict[int, LoadedPage] = OrderedDict()
        self._index: dict[str, int] = {}

    def __len__(self) -> int:
        """Rows in memory."""
        return sum(len(held.rows) for held in self._held.values())

    def __contains__(self, page: int) -> bool:
        return page in self._held

    def get(self, page: int) -> LoadedPage | None:
        return self._held.get(page)

    def all(self) -> Iterable[LoadedPage]:
        return self._held.values()

    def row(self, index: int) -> RecordDict | None:
        held = self._held.get(index // PAGE)
        place = index % PAGE
        return held.rows[place] if held is not None and index >= 0 and place < len(held.rows) else None

    def index_of(self, record_id: str) -> int | None:
        return self._index.get(record_id)

    def put(self, page: int, new: LoadedPage) -> set[int]:
        """Replace a page; the indexes of the rows that differ."""
        old = self._held.get(page)
        before = old.rows if old else []
        self._forget_ids(page, before)
        self._held[page] = new
        self._number(page)
        return {
            page * PAGE + place
            for place in range(max(len(before), len(new.rows)))
            if place >= len(before) or place >= len(new.rows) or before[place] != new.rows[place]
        }

    def replace_row(self, index: int, row: RecordDict) -> None:
        """Replace the row of a changed record."""
        self._held[index // PAGE].rows[index % PAGE] = row

    def remove(self, record_id: str) -> bool:
        """Remove a row and move up the following ones in memory. Whether the row was in memory."""
        index = self._index.pop(record_id, None)
        if index is None:
            return False
        page = index // PAGE
        rows = self._held[page].rows
        del rows[index % PAGE]
        while page in self._held:
            following = self._held.get(page + 1)
            if following is not None and following.rows:
                self._held[page].rows.append(following.rows.pop(0))
            self._number(page)
            page += 1
        return True

    def cut(self, total: int) -> None:
        """Drop the rows beyond the end of the list."""
        for page in [page for page in self._held if page * PAGE >= total]:
            self._drop(page)
        last = self._held.get(total // PAGE)
        if last is not None and len(last.rows) > total % PAGE:
            self._forget_ids(total // PAGE, last.rows)
            del last.rows[total % PAGE :]
            self._number(total // PAGE)

    def use(self, pages: Iterable[int]) -> None:
        """Mark these pages as used now, and drop the least recently used ones above the limit."""
        used = [page for page in pages if page in self._held]
        for page in used:
            self._held.move_to_end(page)
        while len(self._held) > max(self._most, len(used)):
            self._drop(next(iter(self._held)))

    def clear(self) -> None:
        self._held.clear()
        self._index.clear()

    def _number(self, page: int) -> None:
        for place, row in enumerate(self._held[page].rows):
            self._index[self._id_of(row)] = page * PAGE + place

    def _drop(self, page: int) -> None:
        self._forget_ids(page, self._held.pop(page).rows)

    def _forget_ids(self, page: int, rows: list[RecordDict]) -> None:
        for row in rows:
            record_id = self._id_of(row)
            if self._index.get(record_id, -1) // PAGE == page:
                del self._index[record_id]
