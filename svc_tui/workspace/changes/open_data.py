"""The open lists and records: changes are shown in them and in the cache, and affected ones are refreshed.

Records that the service is still processing are refreshed until it has finished; without any, nothing is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.changes.unconfirmed_writes import same
from svc_tui.workspace.core.events import ChangedElsewhere, Event, RecordsChanged, Report, Synchronised
from svc_tui.workspace.core.service import Service
from svc_tui.workspace.core.tasks import start_task
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.open_record import OpenRecord

if TYPE_CHECKING:
    from svc_tui.workspace.changes.effects import Effect


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


#: Seconds after a change before affected lists are refreshed: once for a change of many records.
AFFECTED_SECONDS = 0.3


class OpenData:
    """Iterates over all of them. `notify` gets the events, `pause` waits for a number of seconds."""

    def __init__(
        self, owner: Service, notify: Callable[[Event], None], pause: Callable[[float], Awaitable[None]]
    ) -> None:
        self.listings: set[Listing] = set()
        self.records: set[OpenRecord] = set()
        self._owner, self._notify, self._pause = owner, notify, pause
        self._synchronisation = SynchronisationMonitor(lambda: self, self._synchronised, pause)
        #: Kinds affected by a change of another kind, and the task that will refresh them.
        self._affected: set[str] = set()
        #: Views of records that the service reported, and the reports of changes that were made elsewhere.
        self._outdated: set[Listing | OpenRecord] = set()
        self._elsewhere: dict[str, list[Report]] = {}
        self._refreshing: asyncio.Task[None] | None = None

    def __iter__(self) -> Iterator[Listing | OpenRecord]:
        return iter((*self.listings, *self.records))

    def add(self, view: Listing | OpenRecord) -> None:
        """Add an open view; it is refreshed while the service processes a record in it."""
        if isinstance(view, Listing):
            self.listings.add(view)
        else:
            self.records.add(view)
            view.subscribe(lambda: self._if_missing(view))
        kind = KINDS.get(view.kind)
        if kind is not None and kind.processing:
            view.subscribe(self._view_changed)

    def remove(self, view: object) -> None:
        """Remove a closed view."""
        self.listings = {listing for listing in self.listings if listing is not view}
        self.records = {record for record in self.records if record is not view}

    def accepted(self, effect: Effect, body: object) -> None:
        """The service accepted a change and may still be processing the record."""
        self._synchronisation.accepted(effect.kind, effect.record_id, body)

    def reset(self) -> None:
        """Drop all data shown: another user has logged in."""
        for view in self:
            view.reset()

    def close(self) -> None:
        """Close all views and stop all requests."""
        for view in self:
            view.close()
        self._synchronisation.close()
        if self._refreshing is not None:
            self._refreshing.cancel()

    async def changed(self, effect: Effect) -> None:
        """Show a change in the cache and wherever its record is shown."""
        kind, record_id = effect.kind.name, effect.record_id
        if effect.action == "delete":
            await self._owner.cache.remove_record(kind, record_id)
        elif effect.record is not None:
            await self._owner.cache.update_record(
                kind, record_id, effect.formats(), operation_id=effect.kind.get, fetched=self._owner.now()
            )
        else:
            await self._owner.cache.mark_record_stale(kind, record_id)
        if effect.action != "update":
            await self._owner.cache.mark_lists_stale(kind)
        await self._mark_affected(effect.kind.affects)
        self._show(effect)

    async def reported(
        self, kind: Kind, record_id: str, content: Mapping[str, object], elsewhere: Report | None
    ) -> None:
        """The service reported a change of a record: refresh quietly where it is shown, once for many reports.

        `elsewhere` is the report of a change that was not made here; it is passed on where the record is of interest.
        """
        await self._owner.cache.mark_record_stale(kind.name, record_id)
        for affected in (kind.name, *kind.affects):
            await self._owner.cache.mark_lists_stale(affected)
        named = [view for view in self if view.kind in (kind.name, *kind.affects) and _includes(view.path, content)]
        self._outdated.update(named)
        if elsewhere is not None and any(view.kind == kind.name for view in named):
            self._elsewhere.setdefault(kind.name, []).append(elsewhere)
        if named:
            self._refresh_soon()

    def reconnected(self) -> None:
        """Events may have been missed: refresh quietly what they could have named."""
        names = {name for kind in KINDS.values() if kind.events for name in (kind.name, *kind.affects)}
        self._outdated.update(view for view in self if view.kind in names)
        if self._outdated:
            self._refresh_soon()

    async def read_again(self, effect: Effect | None) -> None:
        """A change got no response, or its record was not found: refresh what it may have changed."""
        if effect is None:
            return
        await self._mark_affected(effect.kind.affects)
        kind = effect.kind.name
        if effect.record_id:
            await self._owner.cache.mark_record_stale(kind, effect.record_id)
        await self._owner.cache.mark_lists_stale(kind)
        for listing in self._of(kind):
            listing.invalidate()
        for view in self._showing(kind, effect.record_id):
            view.record_changed(None)

    def _show(self, effect: Effect) -> None:
        kind, record_id = effect.kind.name, effect.record_id
        for listing in self._of(kind):
            if effect.action == "create" or (effect.action == "delete" and not record_id):
                # A new record, or several deleted ones.
                listing.invalidate()
            elif effect.action == "delete":
                listing.record_gone(record_id)
            else:
                listing.record_changed(record_id, effect.record)
        for view in self._showing(kind, record_id):
            if effect.action == "delete":
                view.record_gone()
            else:
                view.record_changed(effect.record)
        self._notify(RecordsChanged(kind, frozenset({record_id}) if effect.action == "update" else None))

    async def _mark_affected(self, kinds: Iterable[str]) -> None:
        """Records of these kinds may have changed with others: refresh them, once after many changes."""
        for kind in kinds:
            await self._owner.cache.mark_lists_stale(kind)
            self._affected.add(kind)
        if self._affected:
            self._refresh_soon()

    def _refresh_soon(self) -> None:
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = start_task(self._refresh_affected())

    async def _refresh_affected(self) -> None:
        await self._pause(AFFECTED_SECONDS)
        kinds, self._affected = self._affected, set()
        for listing in [listing for listing in self.listings if listing.kind in kinds]:
            listing.invalidate()
        for view in [view for view in self.records if view.kind in kinds]:
            view.retry()
        outdated, self._outdated = self._outdated, set()
        for each in outdated:
            each.refresh_outdated()
        elsewhere, self._elsewhere = self._elsewhere, {}
        for name, reports in elsewhere.items():
            self._notify(ChangedElsewhere(name, tuple(reports)))

    def _of(self, kind: str) -> list[Listing]:
        return [listing for listing in self.listings if listing.kind == kind]

    def _showing(self, kind: str, record_id: str) -> list[OpenRecord]:
        return [view for view in self.records if view.kind == kind and view.id == record_id]

    def showing(self, kind: str, record_id: str) -> list[RecordDict]:
        """A record as each open view shows it."""
        found = [listing.row(at) for listing in self._of(kind) if (at := listing.index_of(record_id)) is not None]
        return [row for row in (*found, *(view.data for view in self._showing(kind, record_id))) if row is not None]

    def listed(self, kind: str, record_id: str) -> RecordDict | None:
        """The row of a record in an open list."""
        for listing in self._of(kind):
            index = listing.index_of(record_id)
            if index is not None:
                return listing.row(index)
        return None

    def _if_missing(self, view: OpenRecord) -> None:
        """The service has no such record: lists that still show it are read again."""
        if view.missing:
            for listing in self._of(view.kind):
                if listing.index_of(view.id) is not None:
                    listing.invalidate()

    def _view_changed(self, _: object = None) -> None:
        self._synchronisation.check()

    def _synchronised(self, kind: Kind, record: RecordDict, not_applied: tuple[str, ...]) -> None:
        self._notify(Synchronised(kind.name, record, not_applied))


def _includes(path: Mapping[str, str], content: Mapping[str, object]) -> bool:
    """Whether a view with this path can show the record of an event, by the identifiers that both have."""
    return all(content.get(name, value) == value for name, value in path.items())
