"""One record, read through the cache: at once what is known, then what the service says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from svc_tui.cache.shapes import KeptRecord, Row
from svc_tui.workspace.core.events import Listeners
from svc_tui.workspace.kinds.registry import kind_of
from svc_tui.workspace.lists.source import OFFLINE_SHOWN, ListService, NotRead, list_key, sentence_of_obstacle


class RecordView:
    """One record as it is shown.

    `data` None: not here yet. `partial`: only what a list showed of it. `stale`: a change was sent and no answer
    came. `gone`: it was deleted here. `trouble`: why it may be old or missing, one sentence, empty when all is well.
    """

    def __init__(self, service: ListService, operation_id: str, path: Mapping[str, str]) -> None:
        self._service, self._operation_id, self._path = service, operation_id, dict(path)
        self._kind = kind_of(operation_id)
        self.id = self._path.get(self._kind.parameter) or list_key(operation_id, self._path, {})
        self.data: Row | None = None
        self.partial = self.gone = False
        self.fetched_at: datetime | None = None
        self.source: Literal["none", "cache", "live"] = "none"
        self.stale = False
        self.trouble = ""
        #: The service says that there is no such record.
        self.missing = False
        self._listeners: Listeners[None] = Listeners()
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None
        self._closed = False
        #: What is under way now was not asked for by anybody: it is not told.
        self._quiet = False

    @property
    def kind(self) -> str:
        return self._kind.name

    @property
    def refreshing(self) -> bool:
        return self._asks() and not self._quiet

    def _asks(self) -> bool:
        return self._reading is not None and not self._reading.done()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Be told when anything of this view changed; returns what ends it."""
        return self._listeners.add(lambda _: callback())

    def know(self, row: Row | None) -> None:
        """Show what a list has of it until the whole record is here."""
        if row is not None and self.data is None:
            self.data, self.partial, self.source = row, True, "cache"

    def peek(self) -> bool:
        """Read it from the cache now, for the first screen. Whether it was there."""
        self._from_cache(self._service.cache.peek_record(self.kind, self.id))
        return self.data is not None

    def open(self) -> None:
        """Read the cache, then ask the service; nothing while no loop runs."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        self._start(self._open())

    def refresh(self) -> None:
        """Ask the service again."""
        self._quiet = False
        self._service.insist()
        self._ask()

    def shown(self) -> Iterable[Row]:
        return () if self.data is None or self.gone else (self.data,)

    def look_again(self) -> None:
        """Ask the service again without a word: nobody asked for it, and nothing may have changed."""
        self._quiet = True
        self._ask()

    def resume(self) -> None:
        """The service is back: ask again if that is still owed."""
        if self.trouble or self.source != "live":
            self.open()

    def record_changed(self, record: Row | None) -> None:
        """Show a changed record; None: it may be changed, ask again."""
        if record is None:
            self.stale = True
            self._tell()
            self._ask()
        else:
            self._show({**(self.data or {}), **record}, self._service.now(), live=True)

    def record_gone(self) -> None:
        """It was deleted: what was known of it stays on screen, marked."""
        self.gone = True
        self._tell()

    def reset(self) -> None:
        """Forget everything, another user follows."""
        self.data, self.fetched_at, self.source, self.trouble = None, None, "none", ""
        self.partial = self.stale = False
        self._tell()
        self.open()

    async def settled(self) -> None:
        """Until nothing is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def close(self) -> None:
        """Stop all work; nothing is told any more."""
        self._closed = True
        self._listeners.callbacks.clear()
        for task in tuple(self._tasks):
            task.cancel()
        self._service.leave(self)

    async def _open(self) -> None:
        self._from_cache(await self._service.cache.record(self.kind, self.id))
        self._ask()

    def _ask(self) -> None:
        if self._closed or self.gone or self._asks():
            return
        trouble = sentence_of_obstacle(self._service.obstacle(), bool(self.data))
        if trouble is None:
            self._reading = self._start(self._read())
        else:
            self.trouble = trouble
        self._tell()

    async def _read(self) -> None:
        try:
            body = await self._service.read(self._operation_id, self._path, {"format": "full"})
            record = self._record_in(body.get("data") if isinstance(body, dict) else None)
        except NotRead as problem:
            # What a list showed of it is not the record: what is missing has its reason.
            whole = bool(self.data) and not self.partial
            self.trouble = OFFLINE_SHOWN if problem.offline and whole else problem.sentence
            self._reading, self._quiet, self.missing = None, False, problem.missing
            self._tell()
            return
        now = self._service.now()
        self._reading, self._quiet = None, False
        self._show(record, now, live=True)
        await self._service.cache.keep_record(self.kind, self.id, record, operation_id=self._operation_id, fetched=now)

    def _record_in(self, data: Any) -> Row:
        """The record of an answer; where no operation reads one, it is looked up in the list."""
        if isinstance(data, list) and self._kind.get == self._kind.list:
            data = next((row for row in data if isinstance(row, dict) and self._kind.id_of(row) == self.id), None)
            if data is None:
                raise NotRead("It is not in the list that the service gives any more.")
        if not isinstance(data, dict):
            raise NotRead("The service answered something that is not a record.")
        return data

    def _from_cache(self, kept: KeptRecord | None) -> None:
        if kept is not None and self.source != "live" and not self._closed:
            self._show(kept.data, kept.fetched, live=False)
            self.stale = kept.stale

    def _show(self, record: Row, fetched: float, *, live: bool) -> None:
        self.data, self.partial, self.stale, self.missing = record, False, False, False
        self.fetched_at = datetime.fromtimestamp(fetched, UTC)
        self.source = "live" if live else "cache"
        if live:
            self.trouble = ""
        self._tell()

    def _tell(self) -> None:
        if not self._closed:
            self._listeners.tell(None)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
