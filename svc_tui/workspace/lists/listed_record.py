"""One record of a kind that has no operation to read one: it is looked for in its list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from svc_tui.cache.shapes import PAGE, Row
from svc_tui.workspace.core.events import Changed, Listeners
from svc_tui.workspace.lists.listing import Listing


class ListedRecord:
    """Shown as a RecordView is: `data` None while it is not here, `trouble` why it may be old or missing."""

    def __init__(self, listing: Listing, record_id: str) -> None:
        self._listing, self._id = listing, record_id
        self._listeners: Listeners[None] = Listeners()
        self.data: Row | None = None
        #: How many rows were asked for so far.
        self._wanted = PAGE
        listing.subscribe(self._changed)
        listing.want(0, PAGE - 1)

    @property
    def trouble(self) -> str:
        total = self._listing.total
        lost = self.data is None and total is not None and not self.refreshing and self._wanted >= total
        return self._listing.trouble or ("It is not in the list any more." if lost else "")

    @property
    def refreshing(self) -> bool:
        return self._listing.refreshing

    @property
    def fetched_at(self) -> datetime | None:
        return self._listing.fetched_at

    @property
    def source(self) -> Literal["none", "cache", "live"]:
        return self._listing.source

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Be told when anything changed; returns what ends it."""
        return self._listeners.add(lambda _: callback())

    def refresh(self) -> None:
        """Ask the service again."""
        self._listing.refresh()

    def close(self) -> None:
        """Stop all work; nothing is told any more."""
        self._listeners.callbacks.clear()
        self._listing.close()

    def _changed(self, change: Changed) -> None:
        index = self._listing.index_of(self._id)
        if index is not None:
            self.data = self._listing.row(index)
        elif not self._listing.refreshing and self._wanted < (self._listing.total or 0):
            # Not among what came so far: on with the next page.
            self._listing.want(self._wanted, self._wanted + PAGE - 1)
            self._wanted += PAGE
        self._listeners.tell(None)
