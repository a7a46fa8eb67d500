"""Every resource of the console, by the name of its kind. A new area adds its resources here."""

from __future__ import annotations

from svc_tui.console.resource import Resource
from svc_tui.console.resources import (
    applications,
    authentication,
    calls,
    companies,
    customisation,
    directory,
    directory_entries,
    invoices,
    licences,
    metrics,
    overview,
    subscribers,
    subscriptions,
    voice,
    welcomes,
)

ALL: tuple[Resource, ...] = (
    *applications.RESOURCES,
    *authentication.RESOURCES,
    *companies.RESOURCES,
    *customisation.RESOURCES,
    *subscriptions.RESOURCES,
    *overview.RESOURCES,
    *licences.RESOURCES,
    *invoices.RESOURCES,
    *voice.RESOURCES,
    *subscribers.RESOURCES,
    *calls.RESOURCES,
    *welcomes.RESOURCES,
    *directory.RESOURCES,
    *directory_entries.RESOURCES,
    *metrics.RESOURCES,
)
BY_NAME: dict[str, Resource] = {resource.name: resource for resource in ALL}


def find(word: str) -> Resource | None:
    """The resource that a typed word means: its name, an alias, or the only one that begins with it."""
    for resource in ALL:
        if word in (resource.name, *resource.aliases):
            return resource
    beginning = [resource for resource in ALL if resource.name.startswith(word)] if word else []
    return beginning[0] if len(beginning) == 1 else None
