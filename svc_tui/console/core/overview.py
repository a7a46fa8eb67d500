"""Overviews: what matters about one record at a glance, with findings, gathered from all areas.

An area adds sections to the overview of a kind, also of another area's, in its `area.py`:

    overview={"users": user_overview.SECTIONS}

`SECTIONS` is a tuple of `Section`. To add a section:

1. Name what it reads: name -> the place of a record or list, or the `Link` of a filtered list, from the facts known so
   far, None while it is unknown or there is none. Each is read as soon as it is known, in parallel, through the cache:
   one request each, with the query and order of its list. All sections of the kind share what is read, by name; a name
   belongs to one section.
2. Yield its `Entry` lines from the facts. An entry with an empty text that names a read shows its state instead:
   loading, the reason why it could not be read, or that there is none.
   Those that are `asked` for first are also in the head.
3. Yield its findings from the facts, decided by pure rules in `interface/AREA` or `workspace`, and name in `remedies`
   where each of their fields is changed. A fact that is not known yet decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from svc_tui.console.core.places import Link, Place
from svc_tui.console.widgets.list.columns import GARBLED
from svc_tui.interface.data import RecordData

if TYPE_CHECKING:
    from svc_tui.interface.errors import Finding


@dataclass(frozen=True, slots=True)
class KnownRows:
    """The state of a read. `rows` None: not loaded, `error_message` is the reason if there is one; `refused`: the role
    may not read it.

    A record is one row. `total` counts the rows of a list, of which the first page is here; `absent`: there is no such
    record or list; `place` None: not known yet.
    """

    rows: Sequence[RecordData] | None = None
    total: int = 0
    error_message: str = ""
    refused: bool = False
    absent: bool = False
    place: Place | None = None

    @property
    def settled(self) -> bool:
        """Whether nothing more is expected."""
        return self.rows is not None or self.absent or bool(self.error_message)


UNKNOWN = KnownRows()


@dataclass(frozen=True)
class Facts:
    """The known facts about the record of an overview and related records. `record` may have only the fields of a
    list."""

    record: RecordData
    #: Whether the record has all its fields.
    complete: bool
    now: datetime
    reads: Mapping[str, KnownRows] = field(default_factory=dict)

    @property
    def whole(self) -> RecordData | None:
        """The record with all its fields; None before."""
        return self.record if self.complete else None

    def known(self, name: str) -> KnownRows:
        """The state of a read."""
        return self.reads.get(name, UNKNOWN)

    def rows(self, name: str) -> Sequence[RecordData] | None:
        """The rows of a list; None while they are unknown."""
        return self.known(name).rows

    def one(self, name: str) -> RecordData | None:
        """A record, or the only row of a list; None while it is unknown, and where there is none."""
        return next(iter(self.rows(name) or ()), None)

    def place(self, name: str) -> Place | None:
        """The place of a read; None while it is unknown."""
        return self.known(name).place


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a section. `read` is the read that it shows and opens, `place` another place that it opens."""

    label: str
    text: str = ""
    read: str = ""
    place: Place | None = None
    style: str = ""
    #: The time of a change, for a section with the latest changes.
    at: str = ""
    #: Whether users ask for it first: the head of the view shows the first ones, also beside a list.
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Remedy:
    """Where the field of a finding is changed: a place, and the action there by its name."""

    place: Place
    action: str = ""


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step of the set-up of a record, such as the first site of a company.

    `order` is its position among those of all areas; `done` None: not known. `advice` is what to do, `remedy` where,
    `field` at which field there, and `operation` which one does it.
    """

    order: int
    label: str
    done: bool | None
    advice: str = ""
    remedy: Remedy | None = None
    field: str = ""
    operation: str = ""


Where = Callable[[Facts], Place | Link | None]


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of an overview. Sections with the same title are shown as one."""

    title: str
    #: Whether its entries are changes with a time: shown below all others, the newest first.
    latest: bool = False
    reads: Mapping[str, Where] = field(default_factory=dict)
    entries: Callable[[Facts], Iterable[Entry]] = lambda facts: ()
    findings: Callable[[Facts], Iterable[Finding]] = lambda facts: ()
    #: The steps of the set-up, done and not.
    setup: Callable[[Facts], Iterable[SetupStep]] = lambda facts: ()
    #: The reads that decide no finding.
    only_shown: frozenset[str] = frozenset()
    #: What prevents something and no operation shows, in words.
    unseen: Callable[[Facts], str] = lambda facts: ""
    #: Kind and field of a finding, such as `companies.status` -> where it is changed; none where no operation does.
    remedies: Mapping[str, Callable[[Facts], Remedy | None]] = field(default_factory=dict)
    #: The same for findings about one of several records.
    remedy: Callable[[Facts, Finding], Remedy | None] = lambda facts, finding: None


def findings_of(section: Section, facts: Facts) -> Iterator[tuple[Finding, Remedy | None]]:
    """The findings of a section, each with where it is changed."""
    try:
        for finding in section.findings(facts):
            where = section.remedies.get(f"{finding.kind}.{finding.field}")
            yield finding, where(facts) if where else section.remedy(facts, finding)
    except GARBLED:
        # A record does not fit its declaration: its fields are shown below.
        return


def entries_of(section: Section, facts: Facts) -> Sequence[Entry]:
    """The entries of a section."""
    try:
        return list(section.entries(facts))
    except GARBLED:
        return ()
