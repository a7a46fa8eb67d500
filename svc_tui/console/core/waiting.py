"""Waiting until a list or a record fits a filter: by the events of the service, and by polling where none arrive."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from svc_tui.cache.cached import PAGE
from svc_tui.console.core.place_requests import list_request, record_at
from svc_tui.console.core.places import Link
from svc_tui.console.core.resource import Resource
from svc_tui.console.widgets.list.columns import Column
from svc_tui.language import _
from svc_tui.workspace.core.events import ChannelChanged, Event
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.listed_record import ListedRecord
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.matching import both
from svc_tui.workspace.lists.open_record import OpenRecord
from svc_tui.workspace.workspace import Workspace

#: Seconds between two reads while no event reports a change.
SECONDS = 30.0
#: Events are followed within so many times the duration of the first read.
_SPREAD = 10.0


class CannotWait(Exception):
    """What is waited for cannot happen. The text is a sentence."""


class Awaited:
    """A list, or the record at a place, that is read until it fits the filter of its link.

    A list fits as soon as one of its records does. With `absent` it is the other way round: nothing fits any longer,
    or the record no longer exists. CannotWait when the filter is empty or has a part that is not understood.
    """

    def __init__(self, resource: Resource, link: Link, workspace: Workspace, *, absent: bool = False) -> None:
        if not resource.list and not resource.placement.only:
            raise CannotWait(_("{place} has no records to wait for.").format(place=resource.name))
        self.resource, self.link, self.absent = resource, link, absent
        self._workspace = workspace
        self._of_record = bool(link.place.record_id or resource.placement.only)
        columns = resource.display.columns
        if self._of_record:
            # What a list reads for the rows on the screen only, such as whether a device is online, is read here too.
            resource = resource.with_columns(tuple(replace(column, looks_up=None) for column in columns))
        asked = list_request(resource, link, workspace, cached=self._of_record)
        named = {term.column for term in asked.filtered.terms}
        #: The columns of the filter that are looked up, their values, and why those are not known.
        self._lookups = [column for column in columns if column.looks_up is not None and column.field in named]
        self._looked_up: dict[str, Any] | None = None
        self._not_looked_up = ""
        if not asked.filtered.terms:
            raise CannotWait(_("What to wait for is missing: a filter such as `state:active`."))
        if asked.filtered.note:
            single = next((each.title for each in columns if each.looks_up and _names(link.filter, each)), "")
            raise CannotWait(
                _("{column} is read for one record at a time: add its ID to the place.").format(column=single)
                if single and not self._of_record
                else asked.filtered.note
            )
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
        if source.data is None or (self._lookups and self._looked_up is None):
            return None
        return int(self._fits is None or self._fits({**source.data, **(self._looked_up or {})}))

    @property
    def holds(self) -> bool:
        """Whether it is as awaited now."""
        if self._is_gone:
            return self.absent
        return self.matches is not None and (self.matches == 0) == self.absent

    @property
    def obstacle(self) -> str:
        """Why nothing is known at present; empty when it is."""
        return self._source.error_message or self._not_looked_up

    @property
    def _is_gone(self) -> bool:
        source = self._source
        return isinstance(source, OpenRecord) and (source.missing or source.gone)

    async def wait(
        self,
        seconds: float = SECONDS,
        follow: Callable[[], None] = lambda: None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Return as soon as it is as awaited. CannotWait when the record no longer exists, and would have to fit.

        `follow` starts to receive events. It is called after the first read, so that what holds already needs no
        connection for them, and the later the longer that took: many who begin at once do not connect all at once.

        It is read again after each change that is seen, as soon as events arrive (again), since a change may be missed
        before, and otherwise about every `seconds`, at other times than others who wait. Failed reads do not end it.
        """
        changed, loop = asyncio.Event(), asyncio.get_running_loop()
        started, following = loop.time(), None
        unsubscribe = (self._subscribe(changed.set), self._workspace.subscribe(self._happened))
        try:
            while True:
                changed.clear()
                await self._source.wait_until_idle()
                await self._look_up()
                if self.holds:
                    return
                if self._is_gone:
                    raise CannotWait(_("This {singular} no longer exists.").format(singular=self.resource.singular))
                if following is None:
                    following = loop.call_later(chance() * _SPREAD * (loop.time() - started), follow)
                if not await _first(changed.wait(), pause(seconds * (0.75 + chance() / 2))):
                    self._source.refresh_quietly()
        finally:
            if following is not None:
                following.cancel()
            for each in unsubscribe:
                each()

    def close(self) -> None:
        """Stop reading."""
        self._source.close()

    async def _look_up(self) -> None:
        """Read what is looked up for the record."""
        path = self.resource.path_at(self.link.place, self._workspace.caller, self.link.place.record_id)
        values: dict[str, Any] = {}
        self._looked_up, self._not_looked_up = None, ""
        try:
            for column in self._lookups:
                assert column.looks_up is not None
                values[column.field] = await column.looks_up(self._workspace, path)
        except ReadError as error:
            self._not_looked_up = error.sentence
        else:
            self._looked_up = values

    def _happened(self, event: Event) -> None:
        if isinstance(event, ChannelChanged) and event.channel.state == "live":
            self._source.refresh_outdated()

    def _subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        source = self._source
        return source.subscribe(lambda _: callback()) if isinstance(source, Listing) else source.subscribe(callback)


def _names(filter: str, column: Column) -> bool:
    """Whether a filter names a column."""
    words = filter.lower()
    return f"{column.field.lower()}:" in words or f"{column.title.lower()}:" in words


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
