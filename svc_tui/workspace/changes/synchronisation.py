"""Records that the service is still processing are refreshed until it has finished; without any, nothing is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.changes.unconfirmed_writes import same
from svc_tui.workspace.core.tasks import start_task
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.open_record import OpenRecord

#: Seconds to the first refresh of a new record in progress, the factor of each further pause, and the longest pause.
FIRST, FACTOR, LONGEST = 2.0, 1.25, 10.0


class SynchronisationMonitor:
    """Watches the records of the open `views` until the service has processed them.

    `synchronised` is called for each record that is finished, with the wire names of requested values not applied.
    """

    def __init__(
        self,
        views: Callable[[], Iterable[Listing | OpenRecord]],
        synchronised: Callable[[Kind, RecordDict, tuple[str, ...]], None],
        pause: Callable[[float], Awaitable[None]],
    ) -> None:
        self._views, self._synchronised, self._pause = views, synchronised, pause
        self._in_progress: dict[tuple[str, str], RecordDict] = {}
        self._requested: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._seconds = FIRST
        self._refreshing: asyncio.Task[None] | None = None

    def accepted(self, kind: Kind, record_id: str, body: Any) -> None:
        """The service accepted a change of a record and may still be processing it."""
        if kind.processing and isinstance(body, Mapping):
            self._requested[kind.name, record_id] = body

    def check(self) -> None:
        """Check the records shown after any of them may have changed."""
        found: dict[tuple[str, str], tuple[Kind, RecordDict]] = {}
        in_progress: dict[tuple[str, str], RecordDict] = {}
        for view in self._views():
            kind = KINDS.get(view.kind)
            for row in view.shown() if kind is not None and kind.processing else ():
                assert kind is not None
                key = (kind.name, kind.id_of(row))
                found[key] = (kind, row)
                # A list may already show what the detail view still has to read.
                if kind.is_processed(row):
                    in_progress[key] = row
        if in_progress.keys() - self._in_progress.keys():
            self._seconds = FIRST
        before, self._in_progress = self._in_progress, in_progress
        for key in before:
            if key in found and key not in in_progress:
                kind, row = found[key]
                requested = self._requested.pop(key, {})
                not_applied = tuple(wire for wire, value in requested.items() if not same(value, row.get(wire)))
                self._synchronised(kind, row, not_applied)
        if in_progress and (self._refreshing is None or self._refreshing.done()):
            self._refreshing = _start(self._refresh())

    def close(self) -> None:
        """Stop refreshing."""
        if self._refreshing is not None:
            self._refreshing.cancel()

    async def _refresh(self) -> None:
        while self._in_progress:
            await self._pause(self._seconds)
            self._seconds = min(self._seconds * FACTOR, LONGEST)
            for view in list(self._views()):
                kind = KINDS.get(view.kind)
                if kind is not None and any(kind.is_processed(row) for row in view.shown()):
                    view.refresh_quietly()
            # Records that are no longer shown are not watched.
            self.check()


def _start(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Start a task; none before the event loop runs: the records shown then are cached, and are read again."""
    try:
        return start_task(work)
    except RuntimeError:
        work.close()
        return None
