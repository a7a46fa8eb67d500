"""The areas of the console, loaded (a package in `svc_tui.console.areas` for each name in `kinds.registry.AREAS`), all
resources by name, and the search for one by a typed word."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import GLANCES
from svc_tui.console.core.overview import Section
from svc_tui.console.core.resource import Resource
from svc_tui.console.core.summaries import SUMMARIES
from svc_tui.console.core.value_sources import SOURCES
from svc_tui.workspace.kinds.registry import AREAS as NAMES

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace


def _area(name: str) -> Area:
    area = import_module(f"svc_tui.console.areas.{name}.area").AREA
    if not isinstance(area, Area):
        raise TypeError(f"svc_tui.console.areas.{name}.area.AREA is not an Area")
    return area


#: Plug-ins are added to them (`shell.plugins`).
AREAS = [_area(name) for name in NAMES]
for each in AREAS:
    SUMMARIES.update(each.summaries)
    SOURCES.update(each.value_sources)
    GLANCES.extend(each.glances)

#: Plug-ins add theirs to both (`shell.plugins`).
ALL: list[Resource] = [resource for area in AREAS for resource in area.resources]
BY_NAME: dict[str, Resource] = {resource.name: resource for resource in ALL}

#: Kind -> the sections of its overview, in the order of the areas.
OVERVIEWS: dict[str, tuple[Section, ...]] = {
    name: sections
    for name in BY_NAME
    if (sections := tuple(section for area in AREAS for section in area.overview.get(name, ())))
}


def places_for(text: str) -> list[str]:
    """The kinds that complete a typed text: by name, by alias, then by a word that users use for it."""
    typed = text.lower()
    # Reports are listed by their command.
    offered = [resource for resource in ALL if text or resource.report is None]
    named = [resource.name for resource in offered if resource.name.startswith(typed)]
    aliased = [resource.name for resource in offered if any(alias.startswith(typed) for alias in resource.aliases)]
    worded = [resource.name for resource in offered if any(f" {typed}" in f" {words}" for words in phrases(resource))]
    return [name for name in dict.fromkeys((*named, *aliased, *worded)) if name != text]


def phrases(resource: Resource) -> list[str]:
    """The title of the records and what users call them, in small letters."""
    return [words.lower() for words in (resource.title, *resource.known_as)]


def nearest(word: str) -> str:
    """The name or alias nearest to a mistyped one; empty when none is near."""

    names = [name for resource in ALL for name in (resource.name, *resource.aliases)]
    return next(iter(get_close_matches(word.lower(), names, n=1, cutoff=0.75)), "")


def find(word: str) -> Resource | None:
    """The resource with a typed name, alias or title, or the only one that begins with it."""
    for resource in ALL:
        if word in (resource.name, *resource.aliases) or word.lower() in phrases(resource)[:1]:
            return resource
    beginning = [resource for resource in ALL if resource.name.startswith(word)] if word else []
    return beginning[0] if len(beginning) == 1 else None


def refused(resource: Resource, workspace: Workspace) -> str:
    """Why the role may not see what the place of a resource shows; empty when it may."""
    if not resource.reading:
        return ""
    decision = workspace.decide(resource.reading)
    across = BY_NAME.get(resource.placement.across)
    return "" if decision.allowed or (across and workspace.decide(across.reading).allowed) else decision.reason
