"""Demo data of an area: `DEMO` in the module or package `demo` of its folder, where it has one."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from svc_tui.interface.catalogue import AREAS
from svc_tui.server.demo import companies
from svc_tui.server.demo.hostile import HostileText
from svc_tui.server.demo.repeatable import Calendar, id_of
from svc_tui.server.service import Service
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Writes the records of an area.
Fill = Callable[[Store], Awaitable[None]]
#: Something that happens by itself while a demo runs. False when there was nothing to do.
DemoEvent = Callable[[Store, Service, random.Random], Awaitable[bool]]


@dataclass
class DemoRecords:
    """Records that several areas share. An area can adapt them before they are stored."""

    calendar: Calendar
    large: bool
    companies: list[Document]
    #: Companies of the large scale only, which are among `companies` too.
    many: list[Document]
    users: list[Document]
    subscriptions: list[Document]

    def named(self) -> dict[str, Document]:
        """The companies of the small scale by key."""
        by_id = {each["id"]: each for each in self.companies}
        return {key: by_id[id_of("company", key)] for key in companies.keys(large=False)}


@dataclass(frozen=True, kw_only=True)
class DemoArea:
    """What an area adds to the demo."""

    #: Adapts the shared records, and returns the function that writes its own.
    records: Callable[[DemoRecords], Fill]
    #: Events with their weights: how often they happen compared with others.
    events: tuple[tuple[DemoEvent, int], ...] = ()
    #: The hostile texts of its records.
    hostile: Callable[[], Iterable[HostileText]] = tuple


def demo_areas() -> Iterator[DemoArea]:
    """The demo data of all areas that have some."""
    for area in AREAS:
        name = f"svc_tui.server.{area}.demo"
        if find_spec(name):
            yield import_module(name).DEMO
