"""The menu of `:`: every place in groups, with its count from the cache and the reason where the role lacks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.place_requests import as_opened, list_request
from svc_tui.console.core.places import Link
from svc_tui.console.core.resource import Resource
from svc_tui.console.shell.resources import ALL, AREAS, BY_NAME, refused
from svc_tui.console.widgets.menu import MenuLine
from svc_tui.language import number_text
from svc_tui.workspace.lists.list_reader import list_key

if TYPE_CHECKING:
    from svc_tui.console.core.places import Place
    from svc_tui.workspace.workspace import Workspace

#: The path and the query of a list.
WholeList = tuple[dict[str, str], dict[str, Any]]


def place_lines(names: Sequence[str], workspace: Workspace, *, declared: bool) -> dict[str, MenuLine]:
    """Name -> its entry. Counts are read from the cache immediately; nothing is requested."""
    keys = {name: _key(BY_NAME[name], workspace) for name in names}
    totals = workspace.cache.totals_now([key for key in keys.values() if key])
    return {name: _line(BY_NAME[name], workspace, totals.get(keys[name]), declared) for name in names}


def grouped(lines: Mapping[str, MenuLine]) -> list[MenuLine]:
    """The entries in groups, each area that has any with its heading."""
    found: list[MenuLine] = []
    for area in AREAS:
        entries = [lines[resource.name] for resource in area.resources if resource.name in lines]
        found += [MenuLine("", area.title), *entries] if entries else []
    return found


def place_choices(workspace: Workspace, *, declared: bool) -> list[Choice]:
    """Every place for the palette, found by its title and by what users call its records."""
    return [
        Choice(
            resource.name,
            resource.place_name or resource.title,
            f":{resource.name}  {', '.join((*resource.known_as, *resource.aliases))}",
            refused(resource, workspace) if declared else "",
        )
        for resource in ALL
    ]


def _line(resource: Resource, workspace: Workspace, total: int | None, declared: bool) -> MenuLine:
    count = "" if total is None else number_text(total)
    return MenuLine(
        resource.name,
        resource.place_name or resource.title,
        count,
        refused(resource, workspace) if declared else "",
    )


def _key(resource: Resource, workspace: Workspace) -> str:
    """The key of its whole list in the cache, as it would open; empty when it has none."""
    whole = whole_list(resource, workspace)
    return list_key(resource.list, *whole) if whole else ""


def whole_list(resource: Resource, workspace: Workspace, at: Place | None = None) -> WholeList | None:
    """Path and query of its whole list, as it would open at its own place or another one; None when it has none."""
    place = at or resource.place()
    if not resource.list or resource.missing(place) or resource.awaits(workspace.caller, resource.query):
        return None
    asked = list_request(resource, as_opened(resource, Link(place), workspace), workspace)
    return asked.path, asked.query
