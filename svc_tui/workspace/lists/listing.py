"""A list as the console holds it: rows by index, what is known of it, and being told what changed."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from svc_tui.cache.shapes import PAGE, Row
from svc_tui.workspace.core.events import Changed, Listeners
from svc_tui.workspace.lists.source import ListSource

#: A page read less than this many seconds ago is not asked for again by scrolling.
FRESH_SECONDS = 15.0

Source = Literal["none", "cache", "live"]


class Listing(ABC):
    """One list of the service, as long as it may be. Everything but `settled`, `rows` and `ids` answers at once.

    `total`: rows to show, None until known. `of`: records in the service's list: the same, unless rows are picked
    here. `loaded`: records in memory, or looked at so far. `refreshing`: a request is under way. `fetched_at`: when
    the oldest of what is shown was read. `trouble`: why what is shown may be old or missing, one sentence, empty
    when all is well.
    """

    def __init__(self, source: ListSource, fresh_seconds: float = FRESH_SECONDS) -> None:
        self._source = source
        self._fresh = fresh_seconds
        self._listeners: Listeners[Changed] = Listeners()
        self._turn_due = False
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._told: tuple[object, ...] = ()
        self.total: int | None = None
        self.trouble = ""
        #: What is under way now was not asked for by anybody: it is not told.
        self._quiet = False

    @property
    def kind(self) -> str:
        """The kind of its records."""
        return self._source.kind.name

    @property
    def key(self) -> str:
        """The name of the service's list: the operation with its path and query."""
        return self._source.key

    @property
    def query(self) -> Mapping[str, object]:
        """What the service is asked with, but for the part of the list."""
        return self._source.query

    @property
    @abstractmethod
    def of(self) -> int | None: ...

    @property
    @abstractmethod
    def loaded(self) -> int: ...

    @property
    def refreshing(self) -> bool:
        return self._asks() and not self._quiet

    @property
    @abstractmethod
    def source(self) -> Source: ...

    @property
    def fetched_at(self) -> datetime | None:
        oldest = self._oldest()
        return None if oldest is None else datetime.fromtimestamp(oldest, UTC)

    @abstractmethod
    def row(self, index: int) -> Row | None:
        """The row at an index, None while it is not here."""

    @abstractmethod
    def index_of(self, record_id: str) -> int | None:
        """Where a record stands, None when it is not among the rows in memory."""

    @abstractmethod
    def want(self, first: int, last: int) -> None:
        """Have the rows first..last here soon: from the cache, then from the service where missing or old.

        The latest wish counts: what was asked for before and is not wanted any more gives way to it.
        """

    @abstractmethod
    def peek(self, first: int = 0, last: int = PAGE - 1) -> bool:
        """Read rows from the cache now, in a few milliseconds; for the first screen. Whether anything was there."""

    @abstractmethod
    def invalidate(self) -> None:
        """Its records, or their order, may be others by now: ask again for what is shown."""

    @abstractmethod
    def resume(self) -> None:
        """The service is back: ask again for what could not be read."""

    @abstractmethod
    def reset(self) -> None:
        """Forget everything, another user's records follow."""

    @abstractmethod
    def record_changed(self, record_id: str, record: Row | None) -> None:
        """Show a changed record in its place; None: it may be changed, ask again."""

    @abstractmethod
    def record_gone(self, record_id: str) -> None:
        """Take a deleted record out."""

    def refresh(self) -> None:
        """Ask the service again, whatever was found before."""
        self._quiet = False
        self._source.insist()
        self.invalidate()

    def look_again(self) -> None:
        """Ask the service again without a word: nobody asked for it, and nothing may have changed."""
        self.invalidate()
        self._quiet = True

    def withhold(self, reason: str) -> None:
        """Ask the service for nothing as long as there is a reason, a sentence that stands in place of the rows."""
        self._source.withheld = reason

    def subscribe(self, callback: Callable[[Changed], None]) -> Callable[[], None]:
        """Be told of changes; returns what ends it."""
        return self._listeners.add(callback)

    async def settled(self) -> None:
        """Until nothing is under way."""
        while self._turn_due or self._tasks:
            if self._tasks:
                await asyncio.wait(set(self._tasks))
            else:
                await asyncio.sleep(0)

    async def rows(self) -> AsyncIterator[Row]:
        """All rows in order, in large pages: read anew, or from the cache when the service is not there.

        NotRead, with a sentence, when neither has them all.
        """
        async for row in self._source.all_rows(self._fresh):
            if self._picks(row):
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

    def _picks(self, row: Row) -> bool:
        return True

    @abstractmethod
    def shown(self) -> Iterable[Row]:
        """The rows that are looked at, as far as they are here."""

    @abstractmethod
    def _asks(self) -> bool:
        """Whether a request is under way."""

    @abstractmethod
    def _oldest(self) -> float | None: ...

    @abstractmethod
    def _turn(self) -> None:
        """Start what is wished for."""

    def _schedule(self) -> None:
        """Look at the wishes in the next turn of the loop: a held key makes one request, not thirty."""
        if self._turn_due or self._closed:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # Not yet running: the wish is kept, the first screen peeks.
            return
        self._turn_due = True
        loop.call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._turn_due = False
        if not self._closed:
            self._turn()
            self._tell()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _status(self) -> tuple[object, ...]:
        return (self.refreshing, self.trouble, self.source, self._oldest(), self.loaded, self.total, self.of)

    def _tell(self, rows: range | frozenset[int] | None = frozenset()) -> None:
        if self._closed:
            return
        self._quiet = self._quiet and (self._turn_due or self._asks())
        status, before = self._status(), self._told
        self._told = status
        if rows is None or rows or status != before:
            self._listeners.tell(Changed(rows, status != before))
