"""A list whose rows are picked here, by a filter that the service does not have: all is read, what matches is shown."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable

from svc_tui.cache.shapes import PAGE, KeptPage, Row
from svc_tui.workspace.lists.listing import FRESH_SECONDS, Listing, Source
from svc_tui.workspace.lists.source import LARGEST, ListSource, NotRead

#: Rows held in memory; the others are read from the cache again when they are looked at.
MOST_ROWS = 4000
_STEP = LARGEST // PAGE


class PickedListing(Listing):
    """Rows of the service's list for which `picks` is true, by their places in it.

    `total` counts what matches so far, `loaded` what was looked at, `of` what there is.
    """

    def __init__(self, source: ListSource, picks: Callable[[Row], bool], fresh_seconds: float = FRESH_SECONDS) -> None:
        super().__init__(source, fresh_seconds)
        self._picks_row = picks
        self._of: int | None = None
        # Of every page looked at: places of the rows that match, number of rows, when it was read, whether live.
        self._found: dict[int, tuple[array[int], int, float, bool]] = {}
        self._places: array[int] = array("L")
        self._rows: OrderedDict[int, Row] = OrderedDict()
        self._ids: dict[str, int] = {}
        self._wanted = range(0)
        self._reading = False
        self._scan: asyncio.Task[None] | None = None
        self._asking = False
        self._scanned = self._again = False
        self._told = self._status()

    @property
    def of(self) -> int | None:
        return self._of

    @property
    def loaded(self) -> int:
        return sum(count for _, count, _, _ in self._found.values())

    @property
    def source(self) -> Source:
        if not self._found:
            return "none"
        return "live" if all(live for _, _, _, live in self._found.values()) else "cache"

    def row(self, index: int) -> Row | None:
        return self._rows.get(self._places[index]) if 0 <= index < len(self._places) else None

    def index_of(self, record_id: str) -> int | None:
        place = self._ids.get(record_id)
        if place is None:
            return None
        index = bisect_left(self._places, place)
        return index if index < len(self._places) and self._places[index] == place else None

    def want(self, first: int, last: int) -> None:
        self._wanted = range(max(first, 0), max(first, last, 0) + 1)[:MOST_ROWS]
        self._schedule()

    def peek(self, first: int = 0, last: int = PAGE - 1) -> bool:
        self._wanted = range(max(first, 0), max(first, last, 0) + 1)
        kept = self._source.peek(range(_STEP))
        self._of = kept.total
        self._take(kept.pages)
        return bool(self._found)

    def invalidate(self) -> None:
        self._again = True
        self._schedule()

    def resume(self) -> None:
        if self.trouble or not self._scanned:
            self.invalidate()

    def reset(self) -> None:
        self._found.clear()
        self._rows.clear()
        self._ids.clear()
        self._of, self.trouble = None, ""
        self._arrange()
        self.invalidate()

    def record_changed(self, record_id: str, record: Row | None) -> None:
        place = self._ids.get(record_id)
        index = self.index_of(record_id)
        if record is not None and place is not None and index is not None:
            new = self._source.as_row(record, self._rows.get(place, {}))
            if self._picks_row(new):
                self._rows[place] = new
                self._tell(frozenset({index}))
        self.invalidate()

    def record_gone(self, record_id: str) -> None:
        place = self._ids.pop(record_id, None)
        if place is not None and place // PAGE in self._found:
            places, count, fetched, live = self._found[place // PAGE]
            left = array("L", (other for other in places if other != place))
            self._found[place // PAGE] = (left, count, fetched, live)
            self._arrange()
        self.invalidate()

    def _picks(self, row: Row) -> bool:
        return self._picks_row(row)

    def shown(self) -> Iterable[Row]:
        return list(self._rows.values())

    def _asks(self) -> bool:
        return self._asking

    def _oldest(self) -> float | None:
        return min((fetched for _, _, fetched, _ in self._found.values()), default=None)

    def _turn(self) -> None:
        scanning = self._scan is not None and not self._scan.done()
        if self._again and scanning and self._scan is not None:
            self._scan.cancel()
        if self._again or self._scan is None:
            forced, self._again = self._again, False
            self._scan = self._start(self._look_through(forced))
        if not self._reading and self._missing():
            self._reading = True
            self._start(self._read_wanted())

    def _missing(self) -> list[int]:
        wanted = self._places[self._wanted.start : self._wanted.stop] if self._wanted else array("L")
        return [place for place in wanted if place not in self._rows]

    async def _read_wanted(self) -> None:
        """Rows that match but left the memory, from the cache."""
        try:
            missing = self._missing()
            kept = await self._source.kept(sorted({place // PAGE for place in missing}))
            for place in missing:
                page = kept.pages.get(place // PAGE)
                if page is not None and place % PAGE < len(page.rows):
                    self._hold(place, page.rows[place % PAGE])
        finally:
            self._reading = False
        self._tell(frozenset(range(self._wanted.start, min(self._wanted.stop, len(self._places)))))

    # Looking through the list

    async def _look_through(self, forced: bool) -> None:
        """First what the cache has, then what the service says, in large pages."""
        self._scanned = False
        await self._through_cache()
        try:
            await self._through_service(forced)
            self.trouble = ""
            self._scanned = True
        except NotRead as problem:
            self.trouble = self._source.sentence_of(problem, bool(self._found))
        finally:
            self._asking = False
            self._tell()

    async def _through_cache(self) -> None:
        first = 0
        while self._of is None or first * PAGE < self._of:
            kept = await self._source.kept(range(first, first + _STEP))
            if kept.total is None:
                return
            self._of = kept.total if self._of is None else self._of
            self._take({page: one for page, one in kept.pages.items() if not self._is_newer(page, one.fetched)})
            first += _STEP

    def _is_newer(self, page: int, fetched: float) -> bool:
        known = self._found.get(page)
        return known is not None and known[3] and known[2] > fetched

    async def _through_service(self, forced: bool) -> None:
        first, total = 0, 1
        while first < total:
            if not forced and self._is_fresh(first):
                first, total = first + LARGEST, self._of or 0
                continue
            if (obstacle := self._source.obstacle(bool(self._found))) is not None:
                raise NotRead(obstacle)
            self._asking = True
            self._tell()
            arrived = await self._source.fetch(first, LARGEST)
            # In the cache before it is shown: rows that memory has no room for are read from there.
            await self._source.keep(arrived)
            total = self._of = arrived.total
            self._drop_beyond(total)
            pages = range(0, max(len(arrived.rows), 1), PAGE)
            self._take(
                {first // PAGE + at // PAGE: KeptPage(arrived.rows[at : at + PAGE], arrived.fetched) for at in pages},
                live=True,
            )
            if not arrived.rows:
                return
            first += LARGEST

    def _is_fresh(self, first: int) -> bool:
        """Whether these pages were read a moment ago, by another filter over the same list."""
        if not self._of:
            return False
        pages = range(first // PAGE, -(-min(first + LARGEST, self._of) // PAGE))
        now = self._source.now()
        return all(page in self._found and 0 <= now - self._found[page][2] < self._fresh for page in pages)

    def _take(self, pages: dict[int, KeptPage], *, live: bool = False) -> None:
        """Look at pages: which of their rows match, and what that changes."""
        changed: set[int] = set()
        for number, page in pages.items():
            places = array("L", (at for at, row in enumerate(page.rows, number * PAGE) if self._picks_row(row)))
            for place in places:
                changed |= self._refresh_row(place, page.rows[place - number * PAGE])
            self._found[number] = (places, len(page.rows), page.fetched, live)
        self._arrange(changed)

    def _refresh_row(self, place: int, row: Row) -> set[int]:
        """Hold a row that was just read, if there is room; its place when that is another row than before."""
        old = self._rows.get(place)
        if old is None and len(self._rows) >= MOST_ROWS:
            return set()
        self._hold(place, row)
        return set() if old == row or old == self._source.without_secrets(row) else {place}

    def _hold(self, place: int, row: Row) -> None:
        self._rows[place] = row
        self._ids[self._source.kind.id_of(row)] = place
        while len(self._rows) > MOST_ROWS:
            _, dropped = self._rows.popitem(last=False)
            self._ids.pop(self._source.kind.id_of(dropped), None)

    def _drop_beyond(self, total: int) -> None:
        for page in [page for page in self._found if page * PAGE >= total]:
            del self._found[page]

    def _arrange(self, changed: set[int] | frozenset[int] = frozenset()) -> None:
        """Line the places up anew; `changed` are places whose row is another one."""
        before, self._places = self._places, array("L")
        for page in sorted(self._found):
            self._places.extend(self._found[page][0])
        known = self.total is not None
        self.total = len(self._places) if self._found else None
        # That nothing matches is news too, for who did not know yet.
        if before != self._places or known != (self.total is not None):
            self._tell(None)
        else:
            self._tell(frozenset(bisect_left(self._places, place) for place in changed))
