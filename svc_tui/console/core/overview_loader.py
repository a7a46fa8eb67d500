"""Reads what an overview shows: every place as soon as it is known, in parallel, through the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from svc_tui.cache.cached import PAGE
from svc_tui.console.core.overview import Facts, KnownRows, Section, Where
from svc_tui.console.core.place_requests import as_opened, list_request, record_at
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.widgets.list.columns import GARBLED
from svc_tui.interface.data import RecordData
from svc_tui.workspace.core.events import Listeners
from svc_tui.workspace.lists.listed_record import ListedRecord
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.open_record import OpenRecord
from svc_tui.workspace.workspace import Workspace


@dataclass(slots=True)
class _Reading:
    """A read in progress at a place; without one of them `opened`, `refusal` is why the role may not read it."""

    link: Link
    opened: OpenRecord | ListedRecord | Listing | None = None
    refusal: str = ""


class OverviewLoader:
    """The facts of one overview, until `close`."""

    def __init__(self, workspace: Workspace, resources: Mapping[str, Resource], sections: Sequence[Section]) -> None:
        self._workspace, self._resources = workspace, resources
        self.sections = sections
        self._where = {name: where for section in sections for name, where in section.reads.items()}
        self._readings: dict[str, _Reading] = {}
        self._listeners: Listeners[None] = Listeners()
        #: Call back when something has arrived; returns the function that unsubscribes.
        self.changed: Callable[[Callable[[None], None]], Callable[[], None]] = self._listeners.add
        self._closed = False

    def facts(self, record: RecordData, *, complete: bool, error_message: str = "") -> Facts:
        """The known facts about a record and related ones; starts to read what can be read now.

        `error_message` is why the record is not complete, if it could not be read.
        """
        reads: dict[str, KnownRows] = {}
        facts = Facts(record, complete, datetime.fromtimestamp(self._workspace.now(), UTC), reads)
        left = dict(self._where)
        while found := {name: link for name in left if (link := _link(left[name], facts)) is not None}:
            for name, link in found.items():
                del left[name]
                reads[name] = self._known(name, link)
        # What has no place now gets one only from what is still to come.
        waiting = not complete or any(not known.settled for known in reads.values())
        rest = (
            KnownRows(error_message=error_message) if error_message and not complete else KnownRows(absent=not waiting)
        )
        reads.update(dict.fromkeys(left, rest))
        return facts

    def record(self, kind: str, record_id: str) -> RecordData | None:
        """A record that is read for the overview; None while it is not known."""
        for reading in self._readings.values():
            if (reading.link.place.kind, reading.link.place.record_id) == (kind, record_id):
                return None if isinstance(reading.opened, Listing) or reading.opened is None else reading.opened.data
        return None

    def refresh(self) -> None:
        """Read everything again."""
        for reading in self._readings.values():
            if reading.opened is not None:
                reading.opened.refresh()

    def recheck(self) -> None:
        """Determine the rights of the role again, after a login."""
        self._readings = {name: each for name, each in self._readings.items() if each.opened is not None}

    def close(self) -> None:
        """Stop all work and all callbacks."""
        self._closed = True
        self._listeners.callbacks.clear()
        for reading in self._readings.values():
            _close(reading)

    def _known(self, name: str, link: Link) -> KnownRows:
        reading = self._readings.get(name)
        if reading is None or reading.link != link:
            if reading is not None:
                _close(reading)
            reading = self._readings[name] = self._start(link)
        opened, place = reading.opened, link.place
        if opened is None:
            return KnownRows(error_message=reading.refusal, refused=True, place=place)
        if isinstance(opened, Listing):
            if opened.total is None:
                return KnownRows(error_message=opened.error_message, place=place)
            rows = [row for at in range(min(opened.total, PAGE)) if (row := opened.row(at)) is not None]
            return KnownRows(rows, opened.total, place=place)
        if opened.data is None:
            if isinstance(opened, OpenRecord) and opened.missing:
                return KnownRows(absent=True, place=place)
            return KnownRows(error_message=opened.error_message, place=place)
        return KnownRows([opened.data], 1, place=place)

    def _start(self, link: Link) -> _Reading:
        place = link.place
        resource = self._resources[place.kind]
        decision = self._workspace.decide(resource.kind.get if place.record_id else resource.reading)
        if self._closed or not decision.allowed:
            return _Reading(link, refusal=decision.reason)
        if place.record_id:
            record = record_at(resource, place, self._workspace)
            record.subscribe(self._notify)
            return _Reading(link, record)
        asked = list_request(resource, as_opened(resource, link, self._workspace), self._workspace)
        listing = self._workspace.listing(resource.list, path=asked.path, query=asked.query)
        listing.subscribe(lambda _: self._notify())
        listing.request(0, 0)
        return _Reading(link, listing)

    def _notify(self) -> None:
        self._listeners.notify(None)


def _link(where: Where, facts: Facts) -> Link | None:
    try:
        found = where(facts)
        return Link(found) if isinstance(found, Place) else found
    except GARBLED:
        # A record does not fit its declaration.
        return None


def _close(reading: _Reading) -> None:
    if reading.opened is not None:
        reading.opened.close()
