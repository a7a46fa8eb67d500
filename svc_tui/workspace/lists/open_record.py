"""One record, read through the cache: first the cached record, then the one of the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from svc_tui.cache.cached import CachedRecord, RecordDict
from svc_tui.language import _
from svc_tui.workspace.core.events import Listeners
from svc_tui.workspace.core.service import ListService, ReadError
from svc_tui.workspace.core.tasks import start_task
from svc_tui.workspace.kinds.registry import kind_of
from svc_tui.workspace.lists.list_reader import OFFLINE_SHOWN, list_key, obstacle_sentence


class OpenRecord:
    """One record as it is shown.

    `data` None: not loaded yet. `partial`: only the fields of a list. `stale`: a change was sent and got no response.
    `gone`: it was deleted here. `error_message`: why it may be old or missing, one sentence, empty otherwise.
    """

    def __init__(self, service: ListService, operation_id: str, path: Mapping[str, str]) -> None:
        self._service, self._operation_id, self._path = service, operation_id, dict(path)
        self._kind = kind_of(operation_id)
        self.id = self._path.get(self._kind.parameter) or list_key(operation_id, self._path, {})
        self.data: RecordDict | None = None
        self.partial = self.gone = False
        self.fetched_at: datetime | None = None
        self.read_from: Literal["none", "cache", "live"] = "none"
        self.stale = False
        self.error_message = ""
        #: The service has no such record.
        self.missing = False
        self._listeners: Listeners[None] = Listeners()
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None
        self._closed = False
        # Counts changes made here: a response to an earlier request does not include them.
        self._changes = 0
        #: The request in progress is a background refresh: `refreshing` stays false.
        self._quiet = False
        #: A refresh that the user asked for is in progress.
        self.refresh_requested = False

    @property
    def kind(self) -> str:
        return self._kind.name

    @property
    def path(self) -> Mapping[str, str]:
        """The path parameters of the record."""
        return self._path

    @property
    def whole(self) -> bool:
        """Whether all fields are loaded."""
        return self.data is not None and not self.partial

    @property
    def refreshing(self) -> bool:
        return self._requesting() and not self._quiet

    def _requesting(self) -> bool:
        return self._reading is not None and not self._reading.done()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back for every change; returns the function that unsubscribes."""
        return self._listeners.add(lambda _: callback())

    def show_listed(self, row: RecordDict | None) -> None:
        """Show the fields of a list until the whole record is loaded."""
        if row is not None and self.data is None:
            self.data, self.partial, self.read_from = row, True, "cache"

    def read_cached(self) -> bool:
        """Read the record from the cache without waiting, for the first screen. Whether it was cached."""
        self._from_cache(self._service.cache.read_record_now(self.kind, self.id))
        return self.data is not None

    def open(self) -> None:
        """Read the record from the cache, then from the service; nothing while no event loop runs."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        self._start(self._open())

    def cancel_refresh(self) -> None:
        """Cancel the request in progress; the record does not change."""
        if self._reading is not None:
            self._reading.cancel()
            self._read_ended()
            self._notify()

    def refresh(self) -> None:
        """Request the record again, even while offline. A request in progress is replaced: it may hang."""
        self.cancel_refresh()
        self.refresh_requested = True
        self.retry()

    def retry(self) -> None:
        """Request the record, even while offline, unless a request is in progress."""
        self._quiet = False
        self._service.retry_now()
        self._request()

    def shown(self) -> Iterable[RecordDict]:
        return () if self.data is None or self.gone else (self.data,)

    def refresh_quietly(self) -> None:
        """Request the record again in the background, without showing a refresh."""
        self._quiet = True
        self._request()

    def refresh_outdated(self) -> None:
        """The service reported a change: request the record again in the background. A request in progress is replaced:
        its response may not include the change."""
        if self._reading is not None:
            self._reading.cancel()
            self._read_ended()
        self.refresh_quietly()

    def resume(self) -> None:
        """The service is reachable again: request the record if it could not be read."""
        if self.error_message or self.read_from != "live":
            self.open()

    def record_changed(self, record: RecordDict | None) -> None:
        """Show a changed record; None: it may have changed, request it again."""
        self._changes += 1
        if record is None:
            self.stale = True
            self._notify()
            self._request()
        else:
            self._show({**(self.data or {}), **record}, self._service.now(), live=True)

    def record_gone(self) -> None:
        """The record was deleted: its fields stay on the screen, marked as deleted."""
        self.gone = True
        self._notify()

    def reset(self) -> None:
        """Drop the record, and what was requested for the first user: another one has logged in."""
        self._cancel_all()
        self.data, self.fetched_at, self.read_from, self.error_message = None, None, "none", ""
        self.partial = self.stale = False
        self._notify()
        self.open()

    async def wait_until_idle(self) -> None:
        """Wait until no work is in progress."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def close(self) -> None:
        """Stop all work and all callbacks."""
        self._closed = True
        self._listeners.callbacks.clear()
        self._cancel_all()
        self._service.forget_open(self)

    def _cancel_all(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        self._read_ended()

    async def _open(self) -> None:
        self._from_cache(await self._service.cache.read_record(self.kind, self.id))
        self._request()

    def _request(self) -> None:
        if self._closed or self.gone or self._requesting():
            return
        error_message = obstacle_sentence(self._service.obstacle(), bool(self.data))
        if error_message is None:
            self._reading = self._start(self._read())
        else:
            self.error_message, self.refresh_requested = error_message, False
        self._notify()

    async def _read(self) -> None:
        changes = -1
        try:
            while changes != self._changes and not self.gone:
                changes = self._changes
                body = await self._service.read(self._operation_id, self._path, {"format": "full"})
                record = self._record_in(body.get("data") if isinstance(body, dict) else None)
        except ReadError as error:
            # The fields of a list are not the whole record: the missing ones need the reason.
            whole = bool(self.data) and not self.partial
            deleted = _("This record no longer exists.") if error.missing and self.data else ""
            self.error_message = OFFLINE_SHOWN if error.offline and whole else deleted or error.sentence
            self._read_ended()
            self.missing = error.missing
            self._notify()
            return
        now = self._service.now()
        self._read_ended()
        if self.gone:
            self._notify()
            return
        self._show(record, now, live=True)
        await self._service.cache.store_record(self.kind, self.id, record, operation_id=self._operation_id, fetched=now)

    def _read_ended(self) -> None:
        self._reading, self._quiet, self.refresh_requested = None, False, False

    def _record_in(self, data: Any) -> RecordDict:
        """The record of a response; where no operation reads one record, it is looked up in the list."""
        record = self._kind.record_in(data, self.id)
        if record is not None:
            return record
        if isinstance(data, list) and self._kind.get == self._kind.list:
            raise ReadError(_("This record is no longer in the list."))
        raise ReadError(_("Unexpected response: not a record."))

    def _from_cache(self, cached: CachedRecord | None) -> None:
        if cached is not None and self.read_from != "live" and not self._closed:
            self._show(cached.data, cached.fetched, live=False)
            self.stale = cached.stale

    def _show(self, record: RecordDict, fetched: float, *, live: bool) -> None:
        self.data, self.partial, self.stale, self.missing = record, False, False, False
        self.fetched_at = datetime.fromtimestamp(fetched, UTC)
        self.read_from = "live" if live else "cache"
        if live:
            self.error_message = ""
        self._notify()

    def _notify(self) -> None:
        if not self._closed:
            self._listeners.notify(None)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = start_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
