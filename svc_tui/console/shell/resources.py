"""All resources by name, and the search for one by a typed word."""

from __future__ import annotations

from difflib import get_close_matches

from svc_tui.console.core.resource import Resource
from svc_tui.console.shell.areas import AREAS

ALL: tuple[Resource, ...] = tuple(resource for area in AREAS for resource in area.resources)
BY_NAME: dict[str, Resource] = {resource.name: resource for resource in ALL}


def places_for(text: str) -> list[str]:
    """The completions of a typed word: names and aliases, then kinds by the words of their titles."""
    if not text:
        return list(BY_NAME)
    names = [word for resource in ALL for word in (resource.name, *resource.aliases) if word.startswith(text)]
    titled = [resource.name for resource in ALL if f" {text.lower()}" in f" {resource.title.lower()}"]
    return [word for word in dict.fromkeys((*names, *titled)) if word != text]


def nearest(word: str) -> str:
    """The name or alias nearest to a mistyped one; empty when none is near."""

    names = [name for resource in ALL for name in (resource.name, *resource.aliases)]
    return next(iter(get_close_matches(word.lower(), names, n=1, cutoff=0.75)), "")


def find(word: str) -> Resource | None:
    """The resource with a typed name or alias, or the only one that begins with it."""
    for resource in ALL:
        if word in (resource.name, *resource.aliases):
            return resource
    beginning = [resource for resource in ALL if resource.name.startswith(word)] if word else []
    return beginning[0] if len(beginning) == 1 else None
