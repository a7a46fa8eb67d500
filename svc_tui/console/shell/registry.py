"""All actions: general ones, those of the areas, and those that open related lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from svc_tui.console.core.actions import Action, Registry
from svc_tui.console.core.resource import RelatedList, Resource
from svc_tui.console.shell.actions import GENERAL
from svc_tui.console.shell.resources import ALL, AREAS, BY_NAME
from svc_tui.language import _


def registry(changes: Mapping[str, str] | None = None, own: Iterable[Action] = ()) -> Registry:
    """The registry of all actions, with the keys of a profile. The user's own actions come first."""
    related = (_related(resource, item) for resource in ALL for item in _lists_of(resource) if item.kind in BY_NAME)
    return Registry([*own, *(action for area in AREAS for action in area.actions), *related, *GENERAL], changes)


def _lists_of(resource: Resource) -> tuple[RelatedList, ...]:
    """The lists that belong to its records: its own, then those that other areas add."""
    return (*resource.related, *(item for area in AREAS for item in area.related.get(resource.name, ())))


def _related(resource: Resource, related: RelatedList) -> Action:
    async def go(context: Any) -> None:
        below = context.view.place
        if related.beside:
            place = BY_NAME[related.kind].related_place(below, context.record or {})
            await context.stage.open(place, owner=context.view.owner)
            return
        record_id = resource.record_id(context.record)
        place = below if below.record_id else below.record(record_id)
        await context.stage.open(place.related(related.kind), owner=resource.label(context.record))

    return Action(
        name=f"{resource.name}.{related.kind}",
        keys=(related.key,),
        label=related.label,
        help=related.help
        or _("{label} of {beside}").format(
            label=related.label,
            beside=_("the same company") if related.beside else _("this {singular}").format(singular=resource.singular),
        ),
        run=go,
        group="Go",
        views=frozenset({"list", "detail"}),
        resource=resource.name,
        operation=BY_NAME[related.kind].list,
        needs="nothing" if related.beside else "record",
        possible=lambda context: related.why_not(context.record) if context.record and context.stage.declared else "",
        footer=related.footer,
    )
