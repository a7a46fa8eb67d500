"""One record of a kind without an operation that reads one: it is looked up in its list."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from svc_tui.cache.cached import PAGE, RecordDict
from svc_tui.language import _
from svc_tui.workspace.core.events import ListChanged, Listeners
from svc_tui.workspace.lists.listing import Listing


class ListedRecord:
    """Shown like a OpenRecord: `data` None while it is not loaded, `error_message` why it may be old or missing.

    A record that leaves the list keeps its fields.
    """

    def __init__(self, listing: Listing, record_id: str) -> None:
        self._listing, self._id = listing, record_id
        self._listeners: Listeners[None] = Listeners()
        self.data: RecordDict | None = None
        #: How many rows were requested so far.
        self._requested = PAGE
        #: The whole list was searched without finding it.
        self._lost = False
        listing.subscribe(self._changed)
        listing.request(0, PAGE - 1)

    @property
    def whole(self) -> bool:
        """Whether the row, which has all fields, is loaded."""
        return self.data is not None

    @property
    def error_message(self) -> str:
        return self._listing.error_message or (_("This record is no longer in the list.") if self._lost else "")

    @property
    def refreshing(self) -> bool:
        return self._listing.refreshing

    @property
    def refresh_requested(self) -> bool:
        return self._listing.refresh_requested

    @property
    def fetched_at(self) -> datetime | None:
        return self._listing.fetched_at

    @property
    def read_from(self) -> Literal["none", "cache", "live"]:
        return self._listing.read_from

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back for every change; returns the function that unsubscribes."""
        return self._listeners.add(lambda _: callback())

    def cancel_refresh(self) -> None:
        """Cancel the request in progress."""
        self._listing.cancel_refresh()

    def refresh(self) -> None:
        """Request the list again; a request in progress is replaced."""
        self._listing.refresh()

    def retry(self) -> None:
        """Request the list again, even while offline."""
        self._listing.retry()

    def refresh_quietly(self) -> None:
        """Request the list again in the background, without showing a refresh."""
        self._listing.refresh_quietly()

    def refresh_outdated(self) -> None:
        """The service may have reported a change: request the list again in the background."""
        self._listing.refresh_outdated()

    async def wait_until_idle(self) -> None:
        """Wait until the list is read."""
        await self._listing.wait_until_idle()

    def close(self) -> None:
        """Stop all work and all callbacks."""
        self._listeners.callbacks.clear()
        self._listing.close()

    def _changed(self, change: ListChanged) -> None:
        index, total = self._listing.index_of(self._id), self._listing.total
        if index is not None:
            self.data, self._lost = self._listing.row(index), False
        elif total is None:
            # Nothing is read yet, or the rows were dropped because another user has logged in.
            self.data, self._lost = None, False
            if self._requested > PAGE:
                self._requested = PAGE
                self._listing.request(0, PAGE - 1)
        elif self._page_is_read(total):
            self._lost = self._requested >= total
            if not self._lost:
                self._listing.request(self._requested, self._requested + PAGE - 1)
                self._requested += PAGE
        self._listeners.notify(None)

    def _page_is_read(self, total: int) -> bool:
        """Whether the requested page is read, as far as it can be, or is behind the end of the list."""
        cached_only = self.read_from == "cache" and bool(self._listing.error_message)
        return self._listing.is_read or cached_only or total <= self._requested - PAGE
