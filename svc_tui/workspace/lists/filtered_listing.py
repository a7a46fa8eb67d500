"""A list that is filtered here: its rows are read, and those that match are shown.

Text without a column does not read a long list: the service is asked by the fields that it filters, and the rows that
are in the cache are checked.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress

from svc_tui.cache.cached import PAGE, CachedPage, RecordDict
from svc_tui.workspace.core.service import LARGEST_REQUEST, ReadError
from svc_tui.workspace.lists.expressions import TooSlow
from svc_tui.workspace.lists.field_results import MOST_SEARCHED, FieldResults
from svc_tui.workspace.lists.filters import FieldQuery
from svc_tui.workspace.lists.held_rows import MOST_ROWS, HeldRows
from svc_tui.workspace.lists.list_reader import ListReader
from svc_tui.workspace.lists.listing import FRESH_SECONDS, Listing, ReadFrom

_STEP = LARGEST_REQUEST // PAGE


class FilteredListing(Listing):
    """The rows of the service's list for which `predicate` is true, by their places in it.

    `total` counts the rows that match so far, `loaded` the rows checked, `unfiltered_total` all rows.
    With `questions`, a list of more than MOST_SEARCHED rows is not read: see `answers`.
    """

    def __init__(
        self,
        reader: ListReader,
        predicate: Callable[[RecordDict], bool],
        questions: Sequence[FieldQuery] = (),
        fresh_seconds: float = FRESH_SECONDS,
    ) -> None:
        super().__init__(reader, fresh_seconds)
        self.answers = FieldResults(reader, questions)
        self._predicate = predicate
        self._unfiltered_total: int | None = None
        # Of every page checked: places of the rows that match, number of rows, when it was read, whether live.
        self._found: dict[int, tuple[array[int], int, float, bool]] = {}
        self._places: array[int] = array("L")
        #: The rows that match, as far as they are in memory.
        self._rows = HeldRows(reader.kind.id_of)
        self._requested = range(0)
        self._reading = False
        self._scan: asyncio.Task[None] | None = None
        self._request_in_progress = False
        self._scanned = self._again = False
        #: Any row of the list.
        self._sample: RecordDict | None = None
        self._last_status = self._status()

    @property
    def unfiltered_total(self) -> int | None:
        return self._unfiltered_total

    @property
    def is_short(self) -> bool:
        return (self._unfiltered_total or 0) <= LARGEST_REQUEST

    @property
    def loaded(self) -> int:
        return sum(count for _, count, _, _ in self._found.values())

    @property
    def read_from(self) -> ReadFrom:
        if not self._found:
            return "none"
        return "live" if all(live for _, _, _, live in self._found.values()) else "cache"

    @property
    def asked(self) -> Sequence[str]:
        return self.answers.asked

    @property
    def cut(self) -> Sequence[str]:
        return self.answers.cut

    def row(self, index: int) -> RecordDict | None:
        if not 0 <= index < len(self._places) + len(self.answers):
            return None
        answer = self.answers.row(index)
        return answer if answer is not None else self._rows.get(self._places[self.answers.place(index)])

    def index_of(self, record_id: str) -> int | None:
        place = self._rows.place_of(record_id)
        if place is None:
            return self.answers.index_of(record_id)
        position = bisect_left(self._places, place)
        there = position < len(self._places) and self._places[position] == place
        return self.answers.index(position) if there else None

    def request(self, first: int, last: int) -> None:
        self._requested = range(max(first, 0), max(first, last, 0) + 1)[:MOST_ROWS]
        self._schedule()

    def read_cached(self, first: int = 0, last: int = PAGE - 1) -> bool:
        self._requested = range(max(first, 0), max(first, last, 0) + 1)
        cached = self._reader.read_cached(range(_STEP))
        self._unfiltered_total = cached.total
        try:
            self._take(cached.pages)
        except ReadError as error:
            self.error_message = error.sentence
        return bool(self._found)

    def invalidate(self) -> None:
        self._again = True
        self._schedule()

    def cancel_refresh(self) -> None:
        self._again = False
        if self._scan is not None:
            self._scan.cancel()

    def resume(self) -> None:
        if self.error_message or not self._scanned:
            self.invalidate()

    def reset(self) -> None:
        self._cancel_all()
        self._found.clear()
        self._rows.clear()
        self.answers.clear()
        self._unfiltered_total, self.error_message = None, ""
        self._arrange()
        self.invalidate()

    def record_changed(self, record_id: str, record: RecordDict | None) -> None:
        place = self._rows.place_of(record_id)
        index = self.index_of(record_id)
        if record is not None and index is not None:
            new = self._reader.as_row(record, self.row(index) or {})
            if place is None:
                self.answers.replace(record_id, new)
            else:
                with suppress(TooSlow):  # The list is read again, and shows the sentence.
                    if self._predicate(new):
                        self._rows.hold(place, new)
            self._notify(frozenset({index}))
        self.invalidate()

    def record_gone(self, record_id: str) -> None:
        place = self._rows.place_of(record_id)
        if place is not None and place // PAGE in self._found:
            self._rows.drop(place)
            places, count, fetched, live = self._found[place // PAGE]
            left = array("L", (other for other in places if other != place))
            self._found[place // PAGE] = (left, count, fetched, live)
            self._arrange()
        elif self.answers.remove(record_id):
            self._arrange()
        self.invalidate()

    async def rows(self) -> AsyncIterator[RecordDict]:
        if not self.answers.asked:
            async for row in super().rows():
                yield row
            return
        # The requested rows are shown; the rest of the list is not read for them.
        for page in sorted(self._found):
            places = self._found[page][0]
            cached = await self._reader.cached([page]) if places else None
            held = cached.pages.get(page) if cached else None
            for place in places if held else ():
                if held is not None and place % PAGE < len(held.rows):
                    yield held.rows[place % PAGE]
        for row in tuple(self.answers.rows):
            yield row

    def _matches(self, row: RecordDict) -> bool:
        return self._predicate(row)

    def shown(self) -> Iterable[RecordDict]:
        return list(self._rows.all())

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
        count = len(self._places) + len(self.answers)
        indexes = range(self._requested.start, min(self._requested.stop, count))
        places = (self._places[self.answers.place(index)] for index in indexes if self.answers.row(index) is None)
        return [place for place in places if place not in self._rows]

    async def _read_requested(self) -> None:
        """Read matching rows that were dropped from memory from the cache."""
        try:
            missing = self._missing()
            cached = await self._reader.cached(sorted({place // PAGE for place in missing}))
            for place in missing:
                page = cached.pages.get(place // PAGE)
                if page is not None and place % PAGE < len(page.rows):
                    self._rows.hold(place, page.rows[place % PAGE])
        finally:
            self._reading = False
        self._notify(frozenset(range(self._requested.start, min(self._requested.stop, self.total or 0))))

    # Scanning the list

    async def _scan_list(self, forced: bool) -> None:
        """Check the rows of the cache first, then those of the service, in large pages."""
        self._scanned = False
        try:
            await self._scan_cache()
            await self._scan_service(forced)
            self.error_message = ""
            self._scanned = True
        except ReadError as error:
            self.error_message = self._reader.error_sentence(error, bool(self._found))
        finally:
            self._request_in_progress = False
            self._notify()

    async def _scan_cache(self) -> None:
        first = 0
        while self._unfiltered_total is None or first * PAGE < self._unfiltered_total:
            cached = await self._reader.cached(range(first, first + _STEP))
            if cached.total is None:
                return
            self._unfiltered_total = cached.total if self._unfiltered_total is None else self._unfiltered_total
            newer = {page: one for page, one in cached.pages.items() if not self._is_newer(page, one.fetched)}
            self._show(newer, await self._checked(newer))
            first += _STEP

    def _is_newer(self, page: int, fetched: float) -> bool:
        known = self._found.get(page)
        return known is not None and known[3] and known[2] > fetched

    async def _scan_service(self, forced: bool) -> None:
        """Read the whole list, or ask the questions instead where it is too long for that."""
        questions = self.answers.questions
        if await self._read_list(forced):
            # Also a short list can be searched by fields that its rows do not have.
            known = self._sample
            questions = [each for each in questions if known and not each.record_id and each.field not in known]
        if questions and self._can_request():
            self._request_in_progress = True
            self._notify()
            try:
                await self.answers.ask(questions)
            finally:
                self._arrange()

    def _can_request(self) -> bool:
        if (obstacle := self._reader.obstacle(bool(self._found))) is not None:
            raise ReadError(obstacle)
        return True

    async def _read_list(self, forced: bool) -> bool:
        """Read all rows that are not fresh; False when the list is too long to be read for the questions."""
        first, total = 0, 1
        while first < total:
            if self.answers.questions and (self._unfiltered_total or 0) > MOST_SEARCHED:
                return False
            if not forced and self._is_fresh(first):
                self._mark_live(first)
                first, total = first + LARGEST_REQUEST, self._unfiltered_total or 0
                continue
            self._can_request()
            self._request_in_progress = True
            self._notify()
            fetched = await self._reader.fetch(first, LARGEST_REQUEST)
            # Written to the cache before it is shown: rows that do not fit into memory are read from there.
            await self._reader.keep(fetched)
            total = self._unfiltered_total = fetched.total
            self._drop_beyond(total)
            pages = range(0, max(len(fetched.rows), 1), PAGE)
            read = {
                first // PAGE + at // PAGE: CachedPage(fetched.rows[at : at + PAGE], fetched.fetched) for at in pages
            }
            self._show(read, await self._checked(read), live=True)
            if not fetched.rows:
                break
            first += LARGEST_REQUEST
        return True

    def _is_fresh(self, first: int) -> bool:
        """Whether these pages were read a moment ago, by another filter of the same list."""
        if not self._unfiltered_total:
            return False
        pages = range(first // PAGE, -(-min(first + LARGEST_REQUEST, self._unfiltered_total) // PAGE))
        now = self._reader.now()
        return all(page in self._found and 0 <= now - self._found[page][2] < self._fresh for page in pages)

    def _mark_live(self, first: int) -> None:
        """Rows that were read a moment ago are as good as those of a response, while the service responds."""
        if self._reader.obstacle(True) is None:
            for page in range(first // PAGE, (first + LARGEST_REQUEST) // PAGE):
                if page in self._found:
                    self._found[page] = (*self._found[page][:3], True)

    def _take(self, pages: dict[int, CachedPage]) -> None:
        """Check the rows of pages and show those that match."""
        self._show(pages, {number: self._places_in(number, page) for number, page in pages.items()})

    async def _checked(self, pages: dict[int, CachedPage]) -> dict[int, array[int]]:
        """The places of the rows that match in each page; keys are handled between the pages."""
        found: dict[int, array[int]] = {}
        for number, page in pages.items():
            found[number] = self._places_in(number, page)
            await asyncio.sleep(0)
        return found

    def _places_in(self, number: int, page: CachedPage) -> array[int]:
        return array("L", (at for at, row in enumerate(page.rows, number * PAGE) if self._predicate(row)))

    def _show(self, pages: dict[int, CachedPage], matching: dict[int, array[int]], *, live: bool = False) -> None:
        """Show the rows of pages that match, by their places."""
        changed: set[int] = set()
        for number, page in pages.items():
            self._drop_others(number, matching[number])
            for place in matching[number]:
                row = page.rows[place - number * PAGE]
                changed |= self._refresh_row(place, row)
                self.answers.listed.add(self._reader.kind.id_of(row))
            self._sample = self._sample or (page.rows[0] if page.rows else None)
            self._found[number] = (matching[number], len(page.rows), page.fetched, live)
        self._arrange(changed)

    def _drop_others(self, number: int, matching: array[int]) -> None:
        """Drop the rows of a page that do not match any longer."""
        before = self._found.get(number)
        for place in set(before[0]).difference(matching) if before else ():
            self._rows.drop(place)

    def _refresh_row(self, place: int, row: RecordDict) -> set[int]:
        """Keep a row that was just read, if there is room; its place when the row differs."""
        old = self._rows.get(place)
        if old is None and self._rows.full:
            return set()
        self._rows.hold(place, row)
        return set() if old == row or old == self._reader.without_secrets(row) else {place}

    def _drop_beyond(self, total: int) -> None:
        for page in [page for page in self._found if page * PAGE >= total]:
            del self._found[page]
        self._rows.drop_beyond(total)

    def _arrange(self, changed: set[int] | frozenset[int] = frozenset()) -> None:
        """Collect the places of all matching rows; `changed` are places whose row differs."""
        before, self._places = self._places, array("L")
        for page in sorted(self._found):
            self._places.extend(self._found[page][0])
        known = self.total is not None
        moved = self.answers.arrange(self._places, self._rows)
        self.total = len(self._places) + len(self.answers) if self._found or self.answers.asked else None
        # A first result without rows is a change too.
        if before != self._places or moved or known != (self.total is not None):
            self._notify(None)
        else:
            self._notify(frozenset(self.answers.index(bisect_left(self._places, place)) for place in changed))
