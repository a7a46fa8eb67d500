"""An area of the console: the resources and actions that it brings, also those that it adds to other areas' lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from svc_tui.console.core.actions import Action
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.resource import RelatedList, Resource


@dataclass(frozen=True, kw_only=True)
class Area:
    """What an area registers. Nothing else of it is used outside its package."""

    #: Its name for users, in the menu of places.
    title: str
    resources: tuple[Resource, ...]
    actions: tuple[Action, ...] = ()
    #: Kind of another area -> the lists of this area that belong to its records.
    related: Mapping[str, tuple[RelatedList, ...]] = field(default_factory=dict)
    #: Lazy name of its `Sources`: lists that fields choose from.
    value_sources: str = ""
    #: Lazy name of its `Summaries`: how fields that hold objects are shown in words.
    summaries: str = ""
    #: Its lines on the start page.
    attention: tuple[Attention, ...] = ()
    tasks: tuple[SuggestedTask, ...] = ()
    #: Lazy name of its `TourTask` in the tour of the demo.
    tour: str = ""
    #: Kind, also of another area -> lazy name of the `Section`s that this area adds to its overview (`core.overview`).
    overview: Mapping[str, str] = field(default_factory=dict)
