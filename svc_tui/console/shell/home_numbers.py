"""The numbers of the start page: what needs attention, and the lengths of the lists of the digits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from svc_tui.cache.cached import PAGE
from svc_tui.console.core.glance import GlanceReads
from svc_tui.console.core.home import Number, SharedReads
from svc_tui.console.shell import place_menu
from svc_tui.console.shell.resources import ALL, AREAS, BY_NAME, refused
from svc_tui.console.views.list_status import OF_OWN_COMPANY
from svc_tui.console.widgets.formatting import NOTHING, title_in_sentence
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.core.tasks import start_task

if TYPE_CHECKING:
    from svc_tui.cache.cached import RecordDict
    from svc_tui.console.core.home import Attention
    from svc_tui.console.core.places import Place
    from svc_tui.console.core.resource import Resource
    from svc_tui.workspace.lists.listing import Listing
    from svc_tui.workspace.workspace import Workspace

SECTIONS = sorted((resource for resource in ALL if resource.section), key=lambda resource: resource.section)
_ATTENTION = [item for area in AREAS for item in area.attention if item.place in BY_NAME]
#: Seconds between two readings by themselves, and how many times longer on a slow link.
EVERY, SLOWER = 60.0, 5


class HomeNumbers:
    """Read all at the same time. Lists whose length is in the cache or in another response are not read.

    They can be polled; what is shown stays until a new number arrives.
    """

    def __init__(
        self, workspace: Workspace, changed: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._workspace, self._changed, self._clock = workspace, changed, clock
        self._read_at = 0.0
        self._reading: asyncio.Task[None] | None = None
        #: Whether something changed during a reading, which may be too early to show it.
        self._outdated = False
        #: Why numbers may be old; empty otherwise.
        self.error_message = ""
        #: What may be counted, and the numbers that have arrived.
        self._items: list[Attention] = []
        self._needs: dict[Attention, Number] = {}
        #: What could not be counted yet: its number is not zero, but unknown.
        self._unknown: set[Attention] = set()
        self._totals: dict[str, int] = {}
        self._lists: dict[str, Listing] = {}
        #: What the areas show at a glance.
        self.glances = GlanceReads("home", workspace, changed)
        #: Whether all numbers of what needs attention have arrived.
        self.checked = False

    def needs(self) -> list[tuple[Attention, Number]]:
        """What needs attention, in the order of the areas, before the first number that has not arrived.

        So nothing moves between lines that are shown, and keys that were typed for one of them reach it. The role lens
        leaves out what its role cannot open.
        """
        arrived = takewhile(self._needs.__contains__, self._items)
        needs = [(item, self._needs[item]) for item in arrived if self._needs[item].value]
        return [each for each in needs if not refused(BY_NAME[each[0].place], self._workspace)]

    @property
    def gaps(self) -> bool:
        """Whether something could not be counted, and was not counted earlier."""
        return bool(self._unknown)

    def count(self, resource: Resource, cached: str) -> str:
        """The number of records at a place of a digit, or how they are shown where they have no common list."""
        listing = self._lists.get(resource.name)
        total = listing.total if listing else None
        total = self._totals.get(resource.name) if total is None else total
        shown = cached if total is None else number_text(total)
        if shown:
            own = resource.is_of_own_company(resource.place(), self._workspace.caller)
            return shown + (OF_OWN_COMPANY if own else "")
        if listing and listing.error_message:
            return NOTHING
        if resource.placement.only:
            return _("charts and tables")
        if (parent := resource.missing(resource.place())) and not self._across(resource):
            return _("by {singular}").format(singular=title_in_sentence(BY_NAME[parent].singular))
        return ""

    def records(self) -> Iterator[tuple[Resource, list[RecordDict]]]:
        """The first records of the lists of the digits that have arrived. Those that were not read yet are read now."""
        for resource in SECTIONS:
            read = self._across(resource) or resource
            if refused(read, self._workspace):
                continue
            if resource.name not in self._lists:
                self._open(resource, read, place_menu.whole_list(read, self._workspace, self._only_parent(read)))
            if resource.name in self._lists and (rows := _first_rows(self._lists[resource.name])):
                yield read, rows

    @property
    def loaded(self) -> bool:
        """Whether the lists of the places were read too, as far as they can be."""
        return self.checked and not any(listing.total is None for listing in self._lists.values())

    async def read(self) -> None:
        """Read all numbers, those that are shown again; returns when those of what needs attention have arrived."""
        self.close()
        self._totals, self.checked, self._outdated = {}, False, False
        numbers = self._count_all()
        self._read_lists({name for item in self._items for name in item.lengths})
        await numbers
        self.checked = True
        self._read_lists(set())
        self._changed()
        if self._outdated:
            self.count_again()

    @property
    def refreshing(self) -> bool:
        return self._reading is not None and not self._reading.done()

    def refresh_quietly(self) -> None:
        """Read all numbers again in the background, unless that was done a short time ago."""
        slow = self._workspace.link.state == "slow"
        if self._clock() - self._read_at >= EVERY * (SLOWER if slow else 1):
            for listing in self._lists.values():
                listing.refresh_quietly()
            if self.checked and not self.refreshing:
                self.count_again()

    def count_again(self) -> None:
        """Read what needs attention again in the background; when it is being read, after that."""
        if self.checked and not self.refreshing:
            self._reading = start_task(self._recount())
        else:
            self._outdated = True

    async def wait_until_idle(self) -> None:
        """Wait until no number is being read."""
        if self._reading is not None:
            await asyncio.wait([self._reading])

    async def _recount(self) -> None:
        counted = False
        while not counted or self._outdated:
            self._outdated = False
            await self._count_all()
            counted = True
            self._changed()

    def _count_all(self) -> asyncio.Future[list[None]]:
        self.error_message, self._read_at = "", self._clock()
        reads = SharedReads(self._workspace)
        self._items = [item for item in _ATTENTION if not refused(BY_NAME[item.place], self._workspace)]
        return asyncio.gather(*(self._count(item, reads) for item in self._items), self.glances.read(reads))

    async def _count(self, item: Attention, reads: SharedReads) -> None:
        try:
            self._needs[item] = await item.count(reads)
        except ReadError as error:
            # The place itself shows why. What does not exist is no reason to read less often.
            if not error.missing:
                self.error_message = error.sentence
                if item not in self._needs:
                    self._unknown.add(item)
            self._needs.setdefault(item, Number(0))
            return
        self._unknown.discard(item)
        self._totals.update(self._needs[item].totals)
        self._changed()

    def _read_lists(self, expected: set[str]) -> None:
        """Read the first page of the lists without a number, as they open: these then open immediately.

        The lengths of the `expected` ones are part of other responses.
        """
        lines = place_menu.place_lines([each.name for each in SECTIONS], self._workspace, declared=True)
        for resource in SECTIONS:
            known = lines[resource.name].count or resource.name in self._totals or resource.name in self._lists
            if known or lines[resource.name].reason or resource.name in expected:
                continue
            read = self._across(resource) or resource
            self._open(resource, read, place_menu.whole_list(read, self._workspace, self._only_parent(read)))

    def _open(self, resource: Resource, read: Resource, whole: place_menu.WholeList | None) -> None:
        if whole is None:
            return
        path, query = whole
        listing = self._workspace.listing(read.list, path=path, query=query)
        listing.subscribe(lambda _: self._list_changed())
        listing.request(0, 0)
        self._lists[resource.name] = listing

    def _list_changed(self) -> None:
        """Draw; a list that belongs to the only record of another one, such as a CloudPBX, can now be read."""
        for resource in SECTIONS:
            if resource.name not in self._lists and (place := self._only_parent(resource)) is not None:
                self._open(resource, resource, place_menu.whole_list(resource, self._workspace, place))
        self._changed()

    def _only_parent(self, resource: Resource) -> Place | None:
        """The place of a list below the only record of its parents; None where there are several, or none."""
        parent = resource.missing(resource.place())
        listing = self._lists.get(parent)
        if listing is None or listing.total != 1 or (only := listing.row(0)) is None:
            return None
        above = BY_NAME[parent]
        below = above.place().record(above.record_id(only)).related(resource.name)
        return None if refused(resource, self._workspace) or resource.missing(below) else below

    def _across(self, resource: Resource) -> Resource | None:
        across = BY_NAME.get(resource.placement.across)
        allowed = across is not None and not refused(across, self._workspace)
        return across if allowed and across and place_menu.whole_list(across, self._workspace) else None

    def close(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()
        for listing in self._lists.values():
            listing.close()
        self._lists = {}


def _first_rows(listing: Listing) -> list[RecordDict]:
    """The rows of the first page that are loaded."""
    return [row for index in range(min(listing.total or 0, PAGE)) if (row := listing.row(index)) is not None]
