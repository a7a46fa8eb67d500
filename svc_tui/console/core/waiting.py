"""Waiting until a list or a record fits a filter: by the events of the service, and by polling where none arrive."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

from svc_tui.cache.cached import PAGE
from svc_tui.console.core.place_requests import list_request, record_at
from svc_tui.console.core.places import Link
from svc_tui.console.core.resource import Resource
from svc_tui.language import _
from svc_tui.workspace.lists.listed_record import ListedRecord
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.matching import both
from svc_tui.workspace.lists.open_record import OpenRecord
from svc_tui.workspace.workspace import Workspace

#: Seconds between two reads while no event reports a change.
SECONDS = 30.0


class CannotWait(Exception):
    """What is waited for cannot happen. The text is a sentence."""


class Awaited:
    """A list, or the record at a place, that is read until it fits the filter of its link.

    A list fits as soon as one of its records does. With `absent` it is the other way round: nothing fits any longer,
    or the record no longer exists. CannotWait when the filter is empty or has a part that is not understood.
    """

    def __init__(self, resource: Resource, link: Link, workspace: Workspace, *, absent: bool = False) -> None:
        self.resource, self.link, self.absent = resource, link, absent
        self._workspace = workspace
        self._of_record = bool(link.place.record_id or resource.placement.only)
        asked = list_request(resource, link, workspace, cached=self._of_record)
        if not asked.filtered.terms:
            raise CannotWait(_("What to wait for is missing: a filter such as `state:active`."))
        if asked.filtered.note:
            raise CannotWait(asked.filtered.note)
        self._fits = both(None if self._of_record else resource.belongs_at(link.place), asked.filtered.predicate)
        self._source: Listing | OpenRecord | ListedRecord
        if self._of_record:
            self._source = record_at(resource, link.place, workspace)
        else:
            self._source = workspace.listing(resource.list, path=asked.path, query=asked.query, local=self._fits)
            self._source.request(0, PAGE - 1)

    def __str__(self) -> str:
        return self.link.filter

    @property
    def matches(self) -> int | None:
        """How many records fit. None while that is not known: only what the service has just sent counts."""
        source = self._source
        if source.read_from != "live" or source.error_message:
            return None
        if isinstance(source, Listing):
            return source.total
        return None if source.data is None else int(self._fits is None or self._fits(source.data))

    @property
    def holds(self) -> bool:
        """Whether it is as awaited now."""
        if self._is_gone:
            return self.absent
        return self.matches is not None and (self.matches == 0) == self.absent

    @property
    def obstacle(self) -> str:
        """Why nothing is known at present; empty when it is."""
        return self._source.error_message

    @property
    def _is_gone(self) -> bool:
        source = self._source
        return isinstance(source, OpenRecord) and (source.missing or source.gone)

    async def wait(
        self,
        seconds: float = SECONDS,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Return as soon as it is as awaited. CannotWait when the record no longer exists, and would have to fit.

        It is read again after each change that is seen, and otherwise about every `seconds`, at other times than others
        who wait. Failures to read do not end it.
        """
        changed = asyncio.Event()
        unsubscribe = self._subscribe(changed.set)
        try:
            while True:
                changed.clear()
                await self._source.wait_until_idle()
                if self.holds:
                    return
                if self._is_gone:
                    raise CannotWait(_("This {singular} no longer exists.").format(singular=self.resource.singular))
                if not await _first(changed.wait(), pause(seconds * (0.75 + chance() / 2))):
                    self._source.refresh_quietly()
        finally:
            unsubscribe()

    def close(self) -> None:
        """Stop reading."""
        self._source.close()

    def _subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        source = self._source
        return source.subscribe(lambda _: callback()) if isinstance(source, Listing) else source.subscribe(callback)


async def _first(wanted: Awaitable[object], otherwise: Awaitable[object]) -> bool:
    """Whether the first of two came before the second; the other one is cancelled."""
    tasks = [asyncio.ensure_future(wanted), asyncio.ensure_future(otherwise)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return tasks[0].done()
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
