"""A list read in pages: from the cache immediately, then from the service; events name only the rows that differ."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial

from svc_tui.cache.cached import PAGE, CachedList, RecordDict
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.list_reader import FetchedRows, ListReader
from svc_tui.workspace.lists.listing import FRESH_SECONDS, Listing, ReadFrom
from svc_tui.workspace.lists.pages import LoadedPage, Pages

#: Most requests in progress for one list; on a slow link one, for what is on the screen.
MOST_REQUESTS = 2
#: Most pages of one request; no screen shows more rows at once.
MOST_REQUESTED_PAGES = 8


class WindowedListing(Listing):
    """A list that the service filters and sorts; the pages on the screen are held here."""

    def __init__(self, reader: ListReader, fresh_seconds: float = FRESH_SECONDS) -> None:
        super().__init__(reader, fresh_seconds)
        self._pages = Pages(reader.kind.id_of)
        self._requested = range(0)
        self._fetching: dict[int, asyncio.Task[None]] = {}
        self._reading: set[int] = set()
        self._failed: dict[int, float] = {}
        # A page is read at most once in a round, even when the total changes several times.
        self._round = 0
        # Counts changes made here: a response to an earlier request does not include them.
        self._changes = 0
        self._last_status = self._status()

    @property
    def unfiltered_total(self) -> int | None:
        return self.total

    @property
    def loaded(self) -> int:
        return len(self._pages)

    @property
    def is_read(self) -> bool:
        return all(page in self._pages and not self._due(page) for page in self._requested_pages())

    @property
    def read_from(self) -> ReadFrom:
        held = self._shown()
        if not held:
            return "none"
        return "live" if all(page.live for page in held) else "cache"

    def row(self, index: int) -> RecordDict | None:
        return self._pages.row(index)

    def index_of(self, record_id: str) -> int | None:
        return self._pages.index_of(record_id)

    def request(self, first: int, last: int) -> None:
        requested = _pages_of(first, last)
        if requested != self._requested:
            self._requested = requested
            self._round += 1
        self._schedule()

    def read_cached(self, first: int = 0, last: int = PAGE - 1) -> bool:
        self._requested = _pages_of(first, last)
        self._from_cache(self._reader.read_cached(self._requested))
        return bool(self._shown())

    def invalidate(self) -> None:
        self._round += 1
        self._changes += 1
        self._failed.clear()
        for held in self._pages.all():
            held.stale = True
        self._schedule()

    def cancel_refresh(self) -> None:
        for page, task in self._fetching.items():
            self._failed[page] = self._reader.now()
            task.cancel()

    def resume(self) -> None:
        self._failed.clear()
        self._schedule()

    def reset(self) -> None:
        self._cancel_all()
        self._pages.clear()
        self._failed.clear()
        self._changes += 1
        self.total, self.error_message = None, ""
        self._notify(None)
        self._schedule()

    def record_changed(self, record_id: str, record: RecordDict | None) -> None:
        self._changes += 1
        index = self._pages.index_of(record_id)
        if index is None or record is None:
            # It may be new in the list, or its changes are not known.
            self.invalidate()
            return
        old = self._pages.row(index) or {}
        new = self._reader.as_row(record, old)
        if old != new:
            self._pages.replace_row(index, new)
            self._notify(frozenset({index}))
            if self._reader.can_move({name for name in new if new[name] != old.get(name)}):
                self.invalidate()

    def record_gone(self, record_id: str) -> None:
        if self._pages.remove(record_id) and self.total:
            self.total -= 1
            self._notify(None)
        self.invalidate()

    def shown(self) -> Iterable[RecordDict]:
        return [row for page in self._shown() for row in page.rows]

    def _requesting(self) -> bool:
        return bool(self._fetching)

    def _oldest(self) -> float | None:
        return min((page.fetched for page in self._shown()), default=None)

    def _shown(self) -> list[LoadedPage]:
        return [held for page in self._requested if (held := self._pages.get(page)) is not None]

    def _requested_pages(self) -> Iterable[int]:
        """The requested pages that exist; of an empty list the first, to check that it is still empty."""
        if self.total is None:
            return self._requested
        end = max(1, -(-self.total // PAGE))
        return [page for page in self._requested if page < end]

    def _start_requests(self) -> None:
        missing = [page for page in self._requested_pages() if page not in self._pages and page not in self._reading]
        if missing:
            self._reading.update(missing)
            self._start(self._read_cache(missing))
        self._fetch_next()

    async def _read_cache(self, pages: list[int]) -> None:
        try:
            cached = await self._reader.cached(pages)
        finally:
            self._reading.difference_update(pages)
        self._from_cache(cached)
        if not self._closed:
            self._fetch_next()
            self._notify()

    def _from_cache(self, cached: CachedList) -> None:
        changed: set[int] = set()
        for number, page in cached.pages.items():
            if number not in self._pages:
                changed |= self._pages.put(number, LoadedPage(page.rows, page.fetched, False, -1, page.stale))
        self._pages.use(self._requested)
        if self.total is None and cached.total is not None:
            self.total = cached.total
            self._notify(None)
        elif changed:
            self._notify(frozenset(changed))

    def _fetch_next(self) -> None:
        """Start the requests that are due, as far as allowed; requests for other pages are cancelled for them."""
        self._pages.use(self._requested)
        due = [
            page
            for page in self._requested_pages()
            if page not in self._fetching and page not in self._reading and self._due(page)
        ]
        if not due:
            return
        if (obstacle := self._reader.obstacle(bool(self._shown()))) is not None:
            self.error_message = obstacle
            return
        room = max(0, (1 if self._reader.service.frugal else MOST_REQUESTS) - len(self._fetching))
        for page in due[:room]:
            task = self._fetching[page] = self._start(self._fetch(page, self._round))
            task.add_done_callback(partial(self._fetch_ended, page))
        if due[room:]:
            for page, task in self._fetching.items():
                if page not in self._requested:
                    task.cancel()

    def _fetch_ended(self, page: int, task: asyncio.Task[None]) -> None:
        """Forget a request that was cancelled before it began; all others forget themselves."""
        if self._fetching.get(page) is task:
            del self._fetching[page]
            self._schedule()

    def _due(self, page: int) -> bool:
        now = self._reader.now()
        failed = self._failed.get(page)
        if failed is not None and 0 <= now - failed < self._fresh:
            return False
        held = self._pages.get(page)
        return held is None or held.stale or not 0 <= now - held.fetched < self._fresh

    async def _fetch(self, page: int, round: int) -> None:
        fetched: FetchedRows | None = None
        changes = self._changes
        try:
            fetched = await self._reader.fetch(page * PAGE, PAGE)
            if changes != self._changes:
                fetched = None
        except ReadError as error:
            self._failed[page] = self._reader.now()
            self.error_message = self._reader.error_sentence(error, bool(self._shown()))
        except Exception:
            # An internal error must not be repeated for ever.
            self._failed[page] = self._reader.now()
            raise
        finally:
            self._fetching.pop(page, None)
            if not self._closed:
                if fetched is not None:
                    self._show_fetched(page, fetched, round)
                self._fetch_next()
                self._notify()
        if fetched is not None:
            await self._reader.keep(fetched)

    def _show_fetched(self, page: int, fetched: FetchedRows, round: int) -> None:
        self.error_message = ""
        # Until it is shown: a page that causes an internal error must not be requested again immediately.
        self._failed[page] = self._reader.now()
        old = self._pages.get(page)
        changed = self._pages.put(page, LoadedPage(fetched.rows, fetched.fetched, True, round))
        if old is not None and not old.live:
            changed -= self._only_secrets_differ(page, old, fetched)
        if fetched.total != self.total:
            self.total = fetched.total
            self._pages.cut(fetched.total)
            for held in self._pages.all():
                held.stale = held.stale or held.round < round
            self._notify(None)
        elif changed:
            self._notify(frozenset(changed))
        del self._failed[page]

    def _only_secrets_differ(self, page: int, old: LoadedPage, fetched: FetchedRows) -> set[int]:
        """Rows that look the same: the cache holds no secrets, so a secret is no visible difference."""
        return {
            page * PAGE + place
            for place, (before, now) in enumerate(zip(old.rows, fetched.rows, strict=False))
            if before != now and before == self._reader.without_secrets(now)
        }


def _pages_of(first: int, last: int) -> range:
    return range(max(first, 0) // PAGE, max(first, last, 0) // PAGE + 1)[:MOST_REQUESTED_PAGES]
