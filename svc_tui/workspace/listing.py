"""A list of any length, read in windows: at once from the cache, then from the service; what changed is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, Literal

from svc_tui.cache.shapes import PAGE, Row
from svc_tui.workspace.events import Changed, Listeners
from svc_tui.workspace.list_source import Arrived, ListSource, NotRead
from svc_tui.workspace.pages import Held, Pages

#: A page read less than this many seconds ago is not asked for again by scrolling.
FRESH_SECONDS = 15.0
#: Requests under way for one list.
MOST_REQUESTS = 2
#: Pages of one wish; nobody sees more rows at once.
MOST_WANTED = 8

Source = Literal["none", "cache", "live"]


class Listing:
    """One list of the service, as long as it may be. Everything but `settled`, `rows` and `ids` answers at once.

    `total`: rows to show, None until known. `of`: records that the service's list has; the same, unless rows are
    picked here (see FilteredListing). `loaded`: records in memory, or looked at so far. `refreshing`: a request is
    under way. `trouble`: why what is shown may be old or missing, one sentence, empty when all is well.
    """

    def __init__(self, source: ListSource, *, fresh_seconds: float = FRESH_SECONDS) -> None:
        self._source = source
        self._fresh = fresh_seconds
        self._pages = Pages(source.kind.id_of)
        self._listeners: Listeners[Changed] = Listeners()
        self.total: int | None = None
        self.trouble = ""
        self._wanted = range(0)
        self._round = 0
        self._turn_due = False
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._fetching: dict[int, asyncio.Task[None]] = {}
        self._asked_cache: set[int] = set()
        self._failed: dict[int, float] = {}
        self._told = self._status()

    # What is seen

    @property
    def kind(self) -> str:
        return self._source.kind.name

    @property
    def key(self) -> str:
        """The name of this list in the cache: the operation with its path and query."""
        return self._source.key

    @property
    def of(self) -> int | None:
        return self.total

    @property
    def loaded(self) -> int:
        return len(self._pages)

    @property
    def refreshing(self) -> bool:
        return bool(self._fetching)

    @property
    def source(self) -> Source:
        held = self._shown()
        if not held:
            return "none"
        return "live" if all(page.live for page in held) else "cache"

    @property
    def fetched_at(self) -> datetime | None:
        """When the oldest of the rows that are wanted was read."""
        held = self._shown()
        return datetime.fromtimestamp(min(page.fetched for page in held), UTC) if held else None

    def row(self, index: int) -> Row | None:
        """The row at an index, None while it is not here."""
        return self._pages.row(index)

    def index_of(self, record_id: str) -> int | None:
        """Where a record stands, None when it is not among the rows in memory."""
        return self._pages.index_of(record_id)

    def subscribe(self, callback: Callable[[Changed], None]) -> Callable[[], None]:
        """Be told of changes; returns what ends it."""
        return self._listeners.add(callback)

    # What is wished for

    def want(self, first: int, last: int) -> None:
        """Have the rows first..last here soon: from the cache, then from the service where missing or old.

        The latest wish counts: what was asked for before and is not wanted any more gives way to it.
        """
        pages = range(max(first, 0) // PAGE, max(first, last, 0) // PAGE + 1)[:MOST_WANTED]
        if pages != self._wanted:
            self._wanted = pages
            self._round += 1
        self._schedule()

    def peek(self, first: int = 0, last: int = PAGE - 1) -> bool:
        """Read rows from the cache now, in a few milliseconds; for the first screen. Whether anything was there."""
        self._wanted = range(max(first, 0) // PAGE, max(first, last, 0) // PAGE + 1)[:MOST_WANTED]
        self._from_cache(self._source.peek(self._wanted))
        return bool(self._shown())

    def refresh(self) -> None:
        """Ask the service again for what is shown, and for the rest when it is next looked at."""
        self._round += 1
        self._failed.clear()
        for held in self._pages.all():
            held.stale = True
        self._source.insist()
        self._schedule()

    def resume(self) -> None:
        """The service is back: ask again for what could not be read."""
        self._failed.clear()
        self._schedule()

    def record_changed(self, record_id: str, record: Row | None) -> None:
        """Show a changed record in its place; None: it may be changed, ask again."""
        index = self._pages.index_of(record_id)
        if index is None:
            return
        if record is None:
            held = self._pages.get(index // PAGE)
            if held is not None:
                held.stale = True
            self._schedule()
            return
        old = self._pages.row(index)
        new = self._source.as_row(record, old or {})
        if old != new:
            self._pages.replace_row(index, new)
            self._tell(frozenset({index}))

    async def settled(self) -> None:
        """Until nothing is under way."""
        while self._turn_due or self._tasks:
            if self._tasks:
                await asyncio.wait(set(self._tasks))
            else:
                await asyncio.sleep(0)

    async def rows(self) -> AsyncIterator[Row]:
        """All rows of the list in order, in large pages: read anew, or from the cache when the service is not there.

        NotRead, with a sentence, when neither has them all.
        """
        async for row in self._source.all_rows():
            yield row

    async def ids(self) -> AsyncIterator[str]:
        """The ids of all rows, each once. NotRead as for `rows`."""
        seen: set[str] = set()
        async for row in self.rows():
            record_id = self._source.kind.id_of(row)
            if record_id and record_id not in seen:
                seen.add(record_id)
                yield record_id

    def close(self) -> None:
        """Stop all work; nothing is told any more."""
        self._closed = True
        self._listeners.callbacks.clear()
        for task in tuple(self._tasks):
            task.cancel()
        self._source.leave(self)

    # How it comes

    def _schedule(self) -> None:
        """Look at the wishes in the next turn of the loop: a held key makes one request, not thirty."""
        if self._turn_due or self._closed:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._from_cache(self._source.peek(self._wanted))
            return
        self._turn_due = True
        loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._turn_due = False
        if self._closed:
            return
        missing = [page for page in self._wishes() if page not in self._pages and page not in self._asked_cache]
        if missing:
            self._asked_cache.update(missing)
            self._start(self._read_cache(missing))
        else:
            self._fetch_next()
        self._tell()

    def _wishes(self) -> list[int]:
        end = 1 if not self.total else (self.total - 1) // PAGE + 1
        inside = [page for page in self._wanted if page < end]
        return inside if self.total is not None else list(self._wanted)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _read_cache(self, pages: list[int]) -> None:
        try:
            kept = await self._source.kept(pages)
        finally:
            self._asked_cache.difference_update(pages)
        if not self._closed:
            self._from_cache(kept)
            self._fetch_next()
            self._tell()

    def _from_cache(self, kept: Any) -> None:
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
        due = [page for page in self._wishes() if page not in self._fetching and self._due(page)]
        if due and (obstacle := self._source.obstacle(bool(self._shown()))) is not None:
            self.trouble = obstacle
            return
        for page in due[: max(0, MOST_REQUESTS - len(self._fetching))]:
            self._fetching[page] = self._start(self._fetch(page, self._round))
        if due and len(self._fetching) >= MOST_REQUESTS:
            for page, task in self._fetching.items():
                if page not in self._wanted:
                    task.cancel()

    def _due(self, page: int) -> bool:
        now = self._source.now()
        if now - self._failed.get(page, -1e18) < self._fresh:
            return False
        held = self._pages.get(page)
        return held is None or held.stale or not 0 <= now - held.fetched < self._fresh

    async def _fetch(self, page: int, round: int) -> None:
        arrived: Arrived | None = None
        try:
            arrived = await self._source.fetch(page * PAGE, PAGE)
        except NotRead as problem:
            self._failed[page] = self._source.now()
            self.trouble = self._source.sentence_of(problem, bool(self._shown()))
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
        self._pages.use(self._wanted)
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

    def _shown(self) -> list[Held]:
        return [held for page in self._wanted if (held := self._pages.get(page)) is not None]

    # How it is told

    def _status(self) -> tuple[object, ...]:
        return (self.refreshing, self.trouble, self.source, self.fetched_at, self.loaded, self.total, self.of)

    def _tell(self, rows: range | frozenset[int] | None = frozenset()) -> None:
        status, before = self._status(), self._told
        self._told = status
        if rows is None or rows or status != before:
            self._listeners.tell(Changed(rows, status != before))
