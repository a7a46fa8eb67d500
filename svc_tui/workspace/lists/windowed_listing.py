"""A list read in windows: a page from the cache at once, then from the service, and only what differs is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from svc_tui.cache.shapes import PAGE, KeptList, Row
from svc_tui.workspace.lists.listing import FRESH_SECONDS, Listing, Source
from svc_tui.workspace.lists.pages import Held, Pages
from svc_tui.workspace.lists.source import Arrived, ListSource, NotRead

#: Requests under way for one list.
MOST_REQUESTS = 2
#: Pages of one wish; nobody sees more rows at once.
MOST_WANTED = 8


class WindowListing(Listing):
    """The service's own list: it filters and sorts, we hold the pages that are looked at."""

    def __init__(self, source: ListSource, fresh_seconds: float = FRESH_SECONDS) -> None:
        super().__init__(source, fresh_seconds)
        self._pages = Pages(source.kind.id_of)
        self._wanted = range(0)
        self._fetching: dict[int, asyncio.Task[None]] = {}
        self._reading: set[int] = set()
        self._failed: dict[int, float] = {}
        # A page is read at most once in a round, however often the total changes meanwhile.
        self._round = 0
        # Counts changes made here: an answer that was asked for before one of them does not know of it.
        self._changes = 0
        self._told = self._status()

    @property
    def of(self) -> int | None:
        return self.total

    @property
    def loaded(self) -> int:
        return len(self._pages)

    @property
    def source(self) -> Source:
        held = self._shown()
        if not held:
            return "none"
        return "live" if all(page.live for page in held) else "cache"

    def row(self, index: int) -> Row | None:
        return self._pages.row(index)

    def index_of(self, record_id: str) -> int | None:
        return self._pages.index_of(record_id)

    def want(self, first: int, last: int) -> None:
        wanted = _pages_of(first, last)
        if wanted != self._wanted:
            self._wanted = wanted
            self._round += 1
        self._schedule()

    def peek(self, first: int = 0, last: int = PAGE - 1) -> bool:
        self._wanted = _pages_of(first, last)
        self._from_cache(self._source.peek(self._wanted))
        return bool(self._shown())

    def invalidate(self) -> None:
        self._round += 1
        self._changes += 1
        self._failed.clear()
        for held in self._pages.all():
            held.stale = True
        self._schedule()

    def resume(self) -> None:
        self._failed.clear()
        self._schedule()

    def reset(self) -> None:
        self._pages.clear()
        self._failed.clear()
        self._changes += 1
        self.total, self.trouble = None, ""
        self._tell(None)
        self._schedule()

    def record_changed(self, record_id: str, record: Row | None) -> None:
        self._changes += 1
        index = self._pages.index_of(record_id)
        if index is None or record is None:
            # It may have come into the list, or changed in a way that nobody told.
            self.invalidate()
            return
        old = self._pages.row(index) or {}
        new = self._source.as_row(record, old)
        if old != new:
            self._pages.replace_row(index, new)
            self._tell(frozenset({index}))
            if self._source.may_move({name for name in new if new[name] != old.get(name)}):
                self.invalidate()

    def record_gone(self, record_id: str) -> None:
        if self._pages.remove(record_id) and self.total:
            self.total -= 1
            self._tell(None)
        self.invalidate()

    def shown(self) -> Iterable[Row]:
        return [row for page in self._shown() for row in page.rows]

    def _asks(self) -> bool:
        return bool(self._fetching)

    def _oldest(self) -> float | None:
        return min((page.fetched for page in self._shown()), default=None)

    def _shown(self) -> list[Held]:
        return [held for page in self._wanted if (held := self._pages.get(page)) is not None]

    def _wishes(self) -> Iterable[int]:
        """The wanted pages that the list has; of an empty one the first, to see whether it still is."""
        if self.total is None:
            return self._wanted
        end = max(1, -(-self.total // PAGE))
        return [page for page in self._wanted if page < end]

    def _turn(self) -> None:
        missing = [page for page in self._wishes() if page not in self._pages and page not in self._reading]
        if missing:
            self._reading.update(missing)
            self._start(self._read_cache(missing))
        self._fetch_next()

    async def _read_cache(self, pages: list[int]) -> None:
        try:
            kept = await self._source.kept(pages)
        finally:
            self._reading.difference_update(pages)
        self._from_cache(kept)
        if not self._closed:
            self._fetch_next()
            self._tell()

    def _from_cache(self, kept: KeptList) -> None:
        changed: set[int] = set()
        for number, page in kept.pages.items():
            if number not in self._pages:
                changed |= self._pages.put(number, Held(page.rows, page.fetched, False, -1, page.stale))
        self._pages.use(self._wanted)
        if self.total is None and kept.total is not None:
            self.total = kept.total
            self._tell(None)
        elif changed:
            self._tell(frozenset(changed))

    def _fetch_next(self) -> None:
        """Start what is due and has room; what is no longer wanted makes room."""
        self._pages.use(self._wanted)
        due = [
            page
            for page in self._wishes()
            if page not in self._fetching and page not in self._reading and self._due(page)
        ]
        if not due:
            return
        if (obstacle := self._source.obstacle(bool(self._shown()))) is not None:
            self.trouble = obstacle
            return
        room = max(0, MOST_REQUESTS - len(self._fetching))
        for page in due[:room]:
            self._fetching[page] = self._start(self._fetch(page, self._round))
        if due[room:]:
            for page, task in self._fetching.items():
                if page not in self._wanted:
                    task.cancel()

    def _due(self, page: int) -> bool:
        now = self._source.now()
        failed = self._failed.get(page)
        if failed is not None and 0 <= now - failed < self._fresh:
            return False
        held = self._pages.get(page)
        return held is None or held.stale or not 0 <= now - held.fetched < self._fresh

    async def _fetch(self, page: int, round: int) -> None:
        arrived: Arrived | None = None
        changes = self._changes
        try:
            arrived = await self._source.fetch(page * PAGE, PAGE)
            if changes != self._changes:
                arrived = None
        except NotRead as problem:
            self._failed[page] = self._source.now()
            self.trouble = self._source.sentence_of(problem, bool(self._shown()))
        except Exception:
            # A fault of ours must not be repeated for ever.
            self._failed[page] = self._source.now()
            raise
        finally:
            self._fetching.pop(page, None)
            if not self._closed:
                if arrived is not None:
                    self._arrived(page, arrived, round)
                self._fetch_next()
                self._tell()
        if arrived is not None:
            await self._source.keep(arrived)

    def _arrived(self, page: int, arrived: Arrived, round: int) -> None:
        self.trouble = ""
        self._failed.pop(page, None)
        old = self._pages.get(page)
        changed = self._pages.put(page, Held(arrived.rows, arrived.fetched, True, round))
        if old is not None and not old.live:
            changed -= self._only_secrets_differ(page, old, arrived)
        if arrived.total != self.total:
            self.total = arrived.total
            self._pages.cut(arrived.total)
            for held in self._pages.all():
                held.stale = held.stale or held.round < round
            self._tell(None)
        elif changed:
            self._tell(frozenset(changed))

    def _only_secrets_differ(self, page: int, old: Held, arrived: Arrived) -> set[int]:
        """Rows that look the same: the cache keeps no secrets, so theirs are no change."""
        return {
            page * PAGE + place
            for place, (before, now) in enumerate(zip(old.rows, arrived.rows, strict=False))
            if before != now and before == self._source.without_secrets(now)
        }


def _pages_of(first: int, last: int) -> range:
    return range(max(first, 0) // PAGE, max(first, last, 0) // PAGE + 1)[:MOST_WANTED]
