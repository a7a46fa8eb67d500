"""A list that is filtered here, because the service has no such filter: all rows are read, matching rows are shown."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable

from svc_tui.cache.cached import PAGE, CachedPage, RecordDict
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.listing import FRESH_SECONDS, DataSource, Listing
from svc_tui.workspace.lists.source import LARGEST_REQUEST, ListSource

#: Most rows in memory; the others are read from the cache again when they are shown.
MOST_ROWS = 4000
_STEP = LARGEST_REQUEST // PAGE


class FilteredListing(Listing):
    """The rows of the service's list for which `predicate` is true, by their places in it.

    `total` counts the rows that match so far, `loaded` the rows checked, `unfiltered_total` all rows.
    """

    def __init__(
        self, source: ListSource, predicate: Callable[[RecordDict], bool], fresh_seconds: float = FRESH_SECONDS
    ) -> None:
        super().__init__(source, fresh_seconds)
        self._predicate = predicate
        self._unfiltered_total: int | None = None
        # Of every page checked: places of the rows that match, number of rows, when it was read, whether live.
        self._found: dict[int, tuple[array[int], int, float, bool]] = {}
        self._places: array[int] = array("L")
        self._rows: OrderedDict[int, RecordDict] = OrderedDict()
        self._ids: dict[str, int] = {}
        self._requested = range(0)
        self._reading = False
        self._scan: asyncio.Task[None] | None = None
        self._request_in_progress = False
        self._scanned = self._again = False
        self._last_status = self._status()

    @property
    def unfiltered_total(self) -> int | None:
        return self._unfiltered_total

    @property
    def loaded(self) -> int:
        return sum(count for _, count, _, _ in self._found.values())

    @property
    def source(self) -> DataSource:
        if not self._found:
            return "none"
        return "live" if all(live for _, _, _, live in self._found.values()) else "cache"

    def row(self, index: int) -> RecordDict | None:
        return self._rows.get(self._places[index]) if 0 <= index < len(self._places) else None

    def index_of(self, record_id: str) -> int | None:
        place = self._ids.get(record_id)
        if place is None:
            return None
        index = bisect_left(self._places, place)
        return index if index < len(self._places) and self._places[index] == place else None

    def request(self, first: int, last: int) -> None:
        self._requested = range(max(first, 0), max(first, last, 0) + 1)[:MOST_ROWS]
        self._schedule()

    def peek(self, first: int = 0, last: int = PAGE - 1) -> bool:
        self._requested = range(max(first, 0), max(first, last, 0) + 1)
        cached = self._source.peek(range(_STEP))
        self._unfiltered_total = cached.total
        self._take(cached.pages)
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
        self._unfiltered_total, self.trouble = None, ""
        self._arrange()
        self.invalidate()

    def record_changed(self, record_id: str, record: RecordDict | None) -> None:
        place = self._ids.get(record_id)
        index = self.index_of(record_id)
        if record is not None and place is not None and index is not None:
            new = self._source.as_row(record, self._rows.get(place, {}))
            if self._predicate(new):
                self._rows[place] = new
                self._notify(frozenset({index}))
        self.invalidate()

    def record_gone(self, record_id: str) -> None:
        place = self._ids.pop(record_id, None)
        if place is not None and place // PAGE in self._found:
            places, count, fetched, live = self._found[place // PAGE]
            left = array("L", (other for other in places if other != place))
            self._found[place // PAGE] = (left, count, fetched, live)
            self._arrange()
        self.invalidate()

    def _matches(self, row: RecordDict) -> bool:
        return self._predicate(row)

    def shown(self) -> Iterable[RecordDict]:
        return list(self._rows.values())

    def _requesting(self) -> bool:
        return self._request_in_progress

    def _oldest(self) -> float | None:
        return min((fetched for _, _, fetched, _ in self._found.values()), default=None)

    def _start_requests(self) -> None:
        scanning = self._scan is not None and not self._scan.done()
        if self._again and scanning and self._scan is not None:
            self._scan.cancel()
        if self._again or self._scan is None:
            forced, self._again = self._again, False
            self._scan = self._start(self._scan_list(forced))
        if not self._reading and self._missing():
            self._reading = True
            self._start(self._read_requested())

    def _missing(self) -> list[int]:
        requested = self._places[self._requested.start : self._requested.stop] if self._requested else array("L")
        return [place for place in requested if place not in self._rows]

    async def _read_requested(self) -> None:
        """Read matching rows that were dropped from memory from the cache."""
        try:
            missing = self._missing()
            cached = await self._source.cached(sorted({place // PAGE for place in missing}))
            for place in missing:
                page = cached.pages.get(place // PAGE)
                if page is not None and place % PAGE < len(page.rows):
                    self._hold(place, page.rows[place % PAGE])
        finally:
            self._reading = False
        self._notify(frozenset(range(self._requested.start, min(self._requested.stop, len(self._places)))))

    # Scanning the list

    async def _scan_list(self, forced: bool) -> None:
        """Check the rows of the cache first, then those of the service, in large pages."""
        self._scanned = False
        await self._scan_cache()
        try:
            await self._scan_service(forced)
            self.trouble = ""
            self._scanned = True
        except ReadError as error:
            self.trouble = self._source.error_sentence(error, bool(self._found))
        finally:
            self._request_in_progress = False
            self._notify()

    async def _scan_cache(self) -> None:
        first = 0
        while self._unfiltered_total is None or first * PAGE < self._unfiltered_total:
            cached = await self._source.cached(range(first, first + _STEP))
            if cached.total is None:
                return
            self._unfiltered_total = cached.total if self._unfiltered_total is None else self._unfiltered_total
            self._take({page: one for page, one in cached.pages.items() if not self._is_newer(page, one.fetched)})
            first += _STEP

    def _is_newer(self, page: int, fetched: float) -> bool:
        known = self._found.get(page)
        return known is not None and known[3] and known[2] > fetched

    async def _scan_service(self, forced: bool) -> None:
        first, total = 0, 1
        while first < total:
            if not forced and self._is_fresh(first):
                first, total = first + LARGEST_REQUEST, self._unfiltered_total or 0
                continue
            if (obstacle := self._source.obstacle(bool(self._found))) is not None:
                raise ReadError(obstacle)
            self._request_in_progress = True
            self._notify()
            fetched = await self._source.fetch(first, LARGEST_REQUEST)
            # Written to the cache before it is shown: rows that do not fit into memory are read from there.
            await self._source.keep(fetched)
            total = self._unfiltered_total = fetched.total
            self._drop_beyond(total)
            pages = range(0, max(len(fetched.rows), 1), PAGE)
            self._take(
                {first // PAGE + at // PAGE: CachedPage(fetched.rows[at : at + PAGE], fetched.fetched) for at in pages},
                live=True,
            )
            if not fetched.rows:
                return
            first += LARGEST_REQUEST

    def _is_fresh(self, first: int) -> bool:
        """Whether these pages were read a moment ago, by another filter of the same list."""
        if not self._unfiltered_total:
            return False
        pages = range(first // PAGE, -(-min(first + LARGEST_REQUEST, self._unfiltered_total) // PAGE))
        now = self._source.now()
        return all(page in self._found and 0 <= now - self._found[page][2] < self._fresh for page in pages)

    def _take(self, pages: dict[int, CachedPage], *, live: bool = False) -> None:
        """Check the rows of pages and show those that match."""
        changed: set[int] = set()
        for number, page in pages.items():
            places = array("L", (at for at, row in enumerate(page.rows, number * PAGE) if self._predicate(row)))
            for place in places:
                changed |= self._refresh_row(place, page.rows[place - number * PAGE])
            self._found[number] = (places, len(page.rows), page.fetched, live)
        self._arrange(changed)

    def _refresh_row(self, place: int, row: RecordDict) -> set[int]:
        """Keep a row that was just read, if there is room; its place when the row differs."""
        old = self._rows.get(place)
        if old is None and len(self._rows) >= MOST_ROWS:
            return set()
        self._hold(place, row)
        return set() if old == row or old == self._source.without_secrets(row) else {place}

    def _hold(self, place: int, row: RecordDict) -> None:
        self._rows[place] = row
        self._ids[self._source.kind.id_of(row)] = place
        while len(self._rows) > MOST_ROWS:
            _, dropped = self._rows.popitem(last=False)
            self._ids.pop(self._source.kind.id_of(dropped), None)

    def _drop_beyond(self, total: int) -> None:
        for page in [page for page in self._found if page * PAGE >= total]:
            del self._found[page]

    def _arrange(self, changed: set[int] | frozenset[int] = frozenset()) -> None:
        """Collect the places of all matching rows; `changed` are places whose row differs."""
        before, self._places = self._places, array("L")
        for page in sorted(self._found):
            self._places.extend(self._found[page][0])
        known = self.total is not None
        self.total = len(self._places) if self._found else None
        # A first result without rows is a change too.
        if before != self._places or known != (self.total is not None):
            self._notify(None)
        else:
            self._notify(frozenset(bisect_left(self._places, place) for place in changed))
