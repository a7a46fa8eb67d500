"""The choice of a parent record, for example a CloudPBX, for a place that does not name it."""

from __future__ import annotations

import asyncio

from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.language import _


async def choose_parent(frame: StageScreen, parent: Resource, target: Resource, link: Link) -> None:
    """Show the list of parents of `target`; the chosen one, or the only one, leads to the place below it, with what
    the link shows.

    A role that may list `target` only across all parents gets that list.
    """
    decide, place = frame.workspace.decide, link.place
    if target.placement.across and len(place.parts) == 1 and not decide(target.list).allowed:
        across = BY_NAME[target.placement.across]
        if decide(across.list).allowed:
            await frame.open_link(link.at(across.place()), replace=True)
            return
    at = (len(place.parts) - 1) // 2 * 2
    await frame.open(Place((*place.parts[:at], parent.name)), replace=True)
    view = frame.view
    assert isinstance(view, ListView)
    view.continues_to = link.at(Place(place.parts[at:]))
    opening = _open_below_only(frame, view, target)
    if frame.workspace.client is None:
        # The list cannot be read yet: the start of the console continues.
        frame.begin(opening)
    else:
        await opening
    if frame.view is view:
        opens = frame.registry.keys.sentence(
            _("{{open}} opens its {title}").format(title=title_in_sentence(target.title))
        )
        frame.show_message(
            _("{title} belong to a {singular}. Choose one: {opens}.").format(
                title=target.title, singular=parent.singular, opens=opens
            )
        )


async def _open_below_only(frame: StageScreen, view: ListView, target: Resource) -> None:
    await _loaded(view)
    only = view.listing.row(0) if view.listing.total == 1 and not (view.filter_text or view.form_query) else None
    if only is not None and frame.view is view and view.continues_to is not None:
        below = view.continues_to.below(view.place.record(view.resource.record_id(only)))
        await frame.open_link(below, replace=True, owner=view.resource.label(only))
    elif frame.view is view:
        _select_allowed(frame, view, target)


def _select_allowed(frame: StageScreen, view: ListView, target: Resource) -> None:
    """Move the cursor to the first parent whose records the role may list."""
    caller, subject = frame.workspace.caller, view.resource.subject
    if caller is None or subject is None:
        return
    rows = [row for index in range(view.listing.loaded) if (row := view.listing.row(index)) is not None]
    allowed = [row for row in rows if frame.workspace.decide(target.list, subject(row, caller)).allowed]
    if allowed and allowed[0] != rows[0]:
        view.go_to(view.resource.record_id(allowed[0]))


async def _loaded(view: ListView) -> None:
    """Wait until the list is read, or cannot be read."""
    loaded = asyncio.Event()

    def check(_: object = None) -> None:
        listing = view.listing
        if listing.error_message or (listing.total is not None and (listing.total != 1 or listing.row(0) is not None)):
            loaded.set()

    forget = view.listing.subscribe(check)
    check()
    try:
        await loaded.wait()
    finally:
        forget()
