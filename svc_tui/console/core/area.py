"""An area of the console: the resources and actions that it brings, also those that it adds to other areas' lists."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from svc_tui.console.core.actions import Action
from svc_tui.console.core.glance import Glance
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.overview import Section
from svc_tui.console.core.resource import RelatedList, Resource
from svc_tui.console.core.summaries import Summary
from svc_tui.console.core.tour import TourTask
from svc_tui.console.core.value_sources import Source
from svc_tui.interface.data import RecordData

if TYPE_CHECKING:
    from svc_tui.workspace.changes.bulk import PhoneFile
    from svc_tui.workspace.changes.leaving import Holdings
    from svc_tui.workspace.files.document import Block
    from svc_tui.workspace.lists.reports import Reading


@dataclass(frozen=True, kw_only=True)
class Area:
    """What an area registers. Nothing else of it is used outside its package."""

    #: Its name for users, in the menu of places.
    title: str
    resources: tuple[Resource, ...]
    actions: tuple[Action, ...] = ()
    #: Kind of another area -> the lists of this area that belong to its records.
    related: Mapping[str, tuple[RelatedList, ...]] = field(default_factory=dict)
    #: Lists that fields choose from, by name.
    value_sources: Mapping[str, Source] = field(default_factory=dict)
    #: How fields that hold objects are shown in words.
    summaries: Mapping[str, Summary] = field(default_factory=dict)
    #: Its lines on the start page.
    attention: tuple[Attention, ...] = ()
    tasks: tuple[SuggestedTask, ...] = ()
    #: What it shows at a glance on the start page and the dashboard.
    glances: tuple[Glance, ...] = ()
    #: Its task in the tour of the demo.
    tour: TourTask | None = None
    #: Kind, also of another area -> the sections that this area adds to its overview (`core.overview`).
    overview: Mapping[str, tuple[Section, ...]] = field(default_factory=dict)
    #: Its parts of a customer's documentation: what they read of a company, as blocks, each as soon as it was read.
    #: ReadError.
    document: tuple[Callable[[Reading, RecordData], AsyncGenerator[Block, None]], ...] = ()
    #: What users hold of it, which is kept, freed or handed over when they leave.
    holdings: tuple[Holdings, ...] = ()
    #: Reads a file of telephones, which gives users extensions, numbers and devices. SubscriberFileError.
    phone_file: Callable[[bytes], PhoneFile] | None = None
