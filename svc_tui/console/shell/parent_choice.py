"""Places whose records belong to another one, such as a CloudPBX, that was not named: it is chosen first."""

from __future__ import annotations

import asyncio

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.shell.frame import Frame
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import in_a_sentence


async def choose_above(frame: Frame, above: Resource, wanted: Resource, place: Place) -> None:
    """Show the list of what `wanted` belongs to; when there is only one to choose, go on to the place by itself.

    Whoever may not list it there, but may list the same across all of them, is shown that.
    """
    decide = frame.workspace.decide
    if wanted.placement.across and len(place.parts) == 1 and not decide(wanted.list).allowed:
        across = BY_NAME[wanted.placement.across]
        if decide(across.list).allowed:
            await frame.open(across.place(), replace=True)
            return
    await frame.open(above.place(), replace=True)
    view = frame.view
    assert isinstance(view, ListView)
    goes_on = _go_on(frame, view, place)
    if frame.workspace.client is None:
        # Nothing can be known yet: the console goes on with its start meanwhile.
        frame.begin(goes_on)
    else:
        await goes_on
    if frame.view is view:
        frame.say(f"{wanted.title} belong to a {above.singular}: choose one, then its {in_a_sentence(wanted.title)}.")


async def _go_on(frame: Frame, view: ListView, place: Place) -> None:
    await _known(view)
    only = view.listing.row(0) if view.listing.total == 1 and not (view.filter_text or view.form_query) else None
    if only is not None and frame.view is view:
        below = Place((view.the.name, view.the.record_id(only), *place.parts))
        await frame.open(below, replace=True, owner=view.the.label(only))


async def _known(view: ListView) -> None:
    """Until it is known how many there are, or why that is not known."""
    known = asyncio.Event()

    def look(_: object = None) -> None:
        listing = view.listing
        if listing.trouble or (listing.total is not None and (listing.total != 1 or listing.row(0) is not None)):
            known.set()

    forget = view.listing.subscribe(look)
    look()
    try:
        await known.wait()
    finally:
        forget()
