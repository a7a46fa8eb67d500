"""A list of the service: rows by index, its status, and events when either changes."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from svc_tui.cache.cached import PAGE, RecordDict
from svc_tui.workspace.core.events import ListChanged, Listeners
from svc_tui.workspace.core.tasks import start_task
from svc_tui.workspace.lists.list_reader import ListReader

#: A page younger than this many seconds is not requested again by scrolling.
FRESH_SECONDS = 15.0

ReadFrom = Literal["none", "cache", "live"]


class Listing(ABC):
    """One list of the service, however long. Only `wait_until_idle`, `rows` and `ids` wait.

    `total`: rows to show, None until known. `unfiltered_total`: records in the service's list: the same, unless rows
    are filtered here. `loaded`: records in memory, or checked so far. `refreshing`: a request is in progress.
    `fetched_at`: when the oldest of the rows shown was read. `error_message`: why rows may be old or missing,
    one sentence, empty otherwise.
    """

    def __init__(self, reader: ListReader, fresh_seconds: float = FRESH_SECONDS) -> None:
        self._reader = reader
        self._fresh = fresh_seconds
        self._listeners: Listeners[ListChanged] = Listeners()
        self._scheduled = False
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_status: tuple[object, ...] = ()
        self.total: int | None = None
        self.error_message = ""
        #: The request in progress is a background refresh: `refreshing` stays false.
        self._quiet = False
        self._requested_by_user = False

    @property
    def kind(self) -> str:
        """The kind of its records."""
        return self._reader.kind.name

    @property
    def key(self) -> str:
        """The key of the list: the operation with its path and query."""
        return self._reader.key

    @property
    def path(self) -> Mapping[str, str]:
        """The path parameters of the list."""
        return self._reader.path

    @property
    def query(self) -> Mapping[str, object]:
        """The query of the list, without limit and offset."""
        return self._reader.query

    @property
    @abstractmethod
    def unfiltered_total(self) -> int | None: ...

    @property
    @abstractmethod
    def loaded(self) -> int: ...

    @property
    def asked(self) -> Sequence[str]:
        """The labels of the fields by which the service was asked for rows; empty where the list itself is searched."""
        return ()

    @property
    def cut(self) -> Sequence[str]:
        """Those of them with more rows than are read."""
        return ()

    @property
    def is_short(self) -> bool:
        """Whether the rows on the screen can be read again with few requests."""
        return True

    @property
    def is_read(self) -> bool:
        """Whether the requested rows are loaded, and none of them will be requested again soon."""
        return not self._requesting()

    @property
    def holds_all(self) -> bool:
        """Whether all rows of the list are in memory, and none of them will be requested again soon."""
        return self.is_read and self.unfiltered_total is not None and self.loaded >= self.unfiltered_total

    @property
    def refreshing(self) -> bool:
        return self._requesting() and not self._quiet

    @property
    def refresh_requested(self) -> bool:
        """Whether a refresh that the user asked for is in progress."""
        return self._requested_by_user and self.refreshing

    @property
    @abstractmethod
    def read_from(self) -> ReadFrom: ...

    @property
    def fetched_at(self) -> datetime | None:
        oldest = self._oldest()
        return None if oldest is None else datetime.fromtimestamp(oldest, UTC)

    @abstractmethod
    def row(self, index: int) -> RecordDict | None:
        """The row at an index, None while it is not loaded."""

    @abstractmethod
    def index_of(self, record_id: str) -> int | None:
        """The index of a record, None when it is not among the rows in memory."""

    @abstractmethod
    def request(self, first: int, last: int) -> None:
        """Load the rows first..last: from the cache, then from the service where missing or old.

        Only the latest request counts: earlier ones that are not in progress are dropped.
        """

    @abstractmethod
    def read_cached(self, first: int = 0, last: int = PAGE - 1) -> bool:
        """Read rows from the cache without waiting, for the first screen. Whether any were cached."""

    @abstractmethod
    def invalidate(self) -> None:
        """The records, or their order, may have changed: request the rows shown again."""

    @abstractmethod
    def resume(self) -> None:
        """The service is reachable again: request the rows that could not be read."""

    @abstractmethod
    def reset(self) -> None:
        """Drop all rows: another user has logged in."""

    @abstractmethod
    def record_changed(self, record_id: str, record: RecordDict | None) -> None:
        """Show a changed record in its place; None: it may have changed, request it again."""

    @abstractmethod
    def record_gone(self, record_id: str) -> None:
        """Remove a deleted record."""

    @abstractmethod
    def cancel_refresh(self) -> None:
        """Cancel the requests in progress; the rows do not change."""

    def refresh(self) -> None:
        """Request the rows again, even while offline. Requests in progress are replaced: they may hang."""
        self.cancel_refresh()
        self._requested_by_user = True
        self.retry()

    def retry(self) -> None:
        """Request the rows again, even while offline, after requests in progress."""
        self._quiet = False
        self._reader.retry_now()
        self.invalidate()

    def refresh_quietly(self) -> None:
        """Request the rows again in the background, without showing a refresh."""
        self.invalidate()
        self._quiet = True

    def refresh_outdated(self) -> None:
        """The service reported a change: request the rows again in the background."""
        self.refresh_quietly()

    def block_requests(self, reason: str) -> None:
        """Request nothing while there is a reason: a sentence that is shown in place of the rows."""
        self._reader.withheld = reason

    def subscribe(self, callback: Callable[[ListChanged], None]) -> Callable[[], None]:
        """Call back for every change; returns the function that unsubscribes."""
        return self._listeners.add(callback)

    @property
    def busy(self) -> bool:
        """Whether work is in progress."""
        return self._scheduled or bool(self._tasks)

    async def wait_until_idle(self) -> None:
        """Wait until no work is in progress."""
        while self.busy:
            if self._tasks:
                await asyncio.wait(set(self._tasks))
            else:
                await asyncio.sleep(0)

    async def rows(self) -> AsyncIterator[RecordDict]:
        """All rows in order, in large pages: from the service, or from the cache while offline.

        ReadError when neither has all rows.
        """
        async for row in self._reader.all_rows(self._fresh):
            if self._matches(row):
                yield row

    async def ids(self) -> AsyncIterator[str]:
        """The ids of all rows, each once. ReadError as for `rows`."""
        seen: set[str] = set()
        async for row in self.rows():
            record_id = self._reader.kind.id_of(row)
            if record_id and record_id not in seen:
                seen.add(record_id)
                yield record_id

    def close(self) -> None:
        """Stop all work and all callbacks."""
        self._closed = True
        self._listeners.callbacks.clear()
        self._cancel_all()
        self._reader.forget_open(self)

    def _cancel_all(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()

    def _matches(self, row: RecordDict) -> bool:
        return True

    @abstractmethod
    def shown(self) -> Iterable[RecordDict]:
        """The rows on the screen, as far as they are loaded."""

    @abstractmethod
    def _requesting(self) -> bool:
        """Whether a request is in progress."""

    @abstractmethod
    def _oldest(self) -> float | None: ...

    @abstractmethod
    def _start_requests(self) -> None:
        """Start the requested reads."""

    def _schedule(self) -> None:
        """Start requests in the next turn of the event loop: a held key makes one request, not thirty."""
        if self._scheduled or self._closed:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # Not running yet: the request is kept, the first screen reads the cache.
            return
        self._scheduled = True
        loop.call_soon(self._run_scheduled)

    def _run_scheduled(self) -> None:
        self._scheduled = False
        if not self._closed:
            self._start_requests()
            self._notify()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = start_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not (self._tasks or self._scheduled):
            self._requested_by_user = False

    def _status(self) -> tuple[object, ...]:
        return (
            self.refreshing,
            self.error_message,
            self.read_from,
            self._oldest(),
            self.loaded,
            self.total,
            self.unfiltered_total,
        )

    def _notify(self, rows: range | frozenset[int] | None = frozenset()) -> None:
        if self._closed:
            return
        self._quiet = self._quiet and (self._scheduled or self._requesting())
        status, before = self._status(), self._last_status
        self._last_status = status
        if rows is None or rows or status != before:
            self._listeners.notify(ListChanged(rows, status != before))
