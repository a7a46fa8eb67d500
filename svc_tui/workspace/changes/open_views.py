"""The lists and records that are open: what a change does to them and to the cache, and what is asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from svc_tui.cache.shapes import Row
from svc_tui.cache.store import Cache
from svc_tui.workspace.changes.synchronisation import Settling
from svc_tui.workspace.core.events import Event, RecordsChanged, Settled
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.record_view import RecordView

if TYPE_CHECKING:
    from svc_tui.workspace.changes.effects import Effect

#: A change of many records asks for what it touches elsewhere once, so many seconds after it began.
TOUCH_SECONDS = 0.3


class CacheOwner(Protocol):
    """What open views need of the workspace; another user has another cache."""

    @property
    def cache(self) -> Cache: ...
    def now(self) -> float: ...


class OpenViews:
    """Iterated, they are all that is open. `tell` is told what changed, `pause` waits for so many seconds."""

    def __init__(
        self, owner: CacheOwner, tell: Callable[[Event], None], pause: Callable[[float], Awaitable[None]]
    ) -> None:
        self.listings: set[Listing] = set()
        self.records: set[RecordView] = set()
        self._owner, self._tell, self._pause = owner, tell, pause
        self._settling = Settling(lambda: self, self._settled, pause)
        #: Kinds that a change of another kind touched, and the task that will ask for them again.
        self._touched: set[str] = set()
        self._touching: asyncio.Task[None] | None = None

    def __iter__(self) -> Iterator[Listing | RecordView]:
        return iter((*self.listings, *self.records))

    def add(self, view: Listing | RecordView) -> None:
        """It is open from now on, and watched while the service still works on something that it shows."""
        if isinstance(view, Listing):
            self.listings.add(view)
        else:
            self.records.add(view)
        kind = KINDS.get(view.kind)
        if kind is not None and kind.in_progress:
            view.subscribe(self._notice)

    def leave(self, view: object) -> None:
        """It is closed."""
        self.listings = {listing for listing in self.listings if listing is not view}
        self.records = {record for record in self.records if record is not view}

    def asked(self, effect: Effect, body: object) -> None:
        """A change was taken by the service, which may go on working on the record."""
        self._settling.asked(effect.kind, effect.record_id, body)

    def reset(self) -> None:
        """Another user follows: what was shown is forgotten."""
        for view in self:
            view.reset()

    def close(self) -> None:
        """Close all, and ask for nothing any more."""
        for view in self:
            view.close()
        self._settling.close()
        if self._touching is not None:
            self._touching.cancel()

    async def happened(self, effect: Effect) -> None:
        """Show a change that was made wherever its record is shown."""
        kind, record_id = effect.kind.name, effect.record_id
        if effect.how == "delete":
            await self._owner.cache.forget_record(kind, record_id)
        elif effect.record is not None:
            await self._owner.cache.change_record(
                kind, record_id, effect.forms(), operation_id=effect.kind.get, fetched=self._owner.now()
            )
        else:
            await self._owner.cache.mark_record_stale(kind, record_id)
        if effect.how != "update":
            await self._owner.cache.mark_lists_stale(kind)
        await self._touch(effect.kind.affects)
        self._show(effect)

    async def unclear(self, effect: Effect | None) -> None:
        """Nobody knows whether a change was made: what it would have changed is asked for again."""
        if effect is None:
            return
        await self._touch(effect.kind.affects)
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
            if effect.how == "create":
                listing.invalidate()
            elif effect.how == "delete":
                listing.record_gone(record_id)
            else:
                listing.record_changed(record_id, effect.record)
        for view in self._showing(kind, record_id):
            if effect.how == "delete":
                view.record_gone()
            else:
                view.record_changed(effect.record)
        self._tell(RecordsChanged(kind, frozenset({record_id}) if effect.how == "update" else None))

    async def _touch(self, kinds: Iterable[str]) -> None:
        """Records of these kinds may differ by a change of others: they are asked for again, once after many."""
        for kind in kinds:
            await self._owner.cache.mark_lists_stale(kind)
            self._touched.add(kind)
        if self._touched and (self._touching is None or self._touching.done()):
            self._touching = asyncio.get_running_loop().create_task(self._ask_touched())

    async def _ask_touched(self) -> None:
        await self._pause(TOUCH_SECONDS)
        kinds, self._touched = self._touched, set()
        for listing in [listing for listing in self.listings if listing.kind in kinds]:
            listing.invalidate()
        for view in [view for view in self.records if view.kind in kinds]:
            view.refresh()

    def _of(self, kind: str) -> list[Listing]:
        return [listing for listing in self.listings if listing.kind == kind]

    def _showing(self, kind: str, record_id: str) -> list[RecordView]:
        return [view for view in self.records if view.kind == kind and view.id == record_id]

    def known(self, kind: str, record_id: str) -> Row | None:
        """What an open list has of a record."""
        for listing in self._of(kind):
            index = listing.index_of(record_id)
            if index is not None:
                return listing.row(index)
        return None

    def _notice(self, _: object = None) -> None:
        self._settling.notice()

    def _settled(self, kind: Kind, record: Row, missed: tuple[str, ...]) -> None:
        self._tell(Settled(kind.name, record, missed))
