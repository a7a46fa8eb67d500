"""Opening places: from a typed text, from a link, and from another place."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from svc_tui.console.core.dialog_keys import PROMPT_KEYS
from svc_tui.console.core.place_requests import record_at, specs_of
from svc_tui.console.core.places import FIND, HOME, InvalidLink, Link, Place
from svc_tui.console.core.record_lines import ReferenceNames
from svc_tui.console.core.resource import Resource
from svc_tui.console.dialogs import messages
from svc_tui.console.shell import cases, commands, groups, home_view, parent_choice
from svc_tui.console.shell.resources import BY_NAME, OVERVIEWS, find, nearest, places_for, refused
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.views import find as find_view
from svc_tui.console.views import overview
from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.list import ListView
from svc_tui.console.views.view import View
from svc_tui.console.widgets.base import in_background
from svc_tui.interface.texts import bare
from svc_tui.language import _
from svc_tui.workspace.files.cases import ENDING
from svc_tui.workspace.search import recognition

#: Stands for the ID of the caller's own record in a place.
OWN = "own"


class Navigator:
    """Opens places in a frame."""

    def __init__(self, frame: StageScreen) -> None:
        self._frame = frame
        #: Why the last place was not opened.
        self.refusal = ""

    async def open(
        self, place: Place, *, known: Mapping[str, Any] | None = None, replace: bool = False, owner: str = ""
    ) -> bool:
        """Open a place; False, with a message, when it does not exist. `owner` is the name of the owner of its list."""
        return await self._open(place, known=known, replace=replace, owner=owner)

    async def reopen(self) -> None:
        """Close all views, unsaved changes included, and open the first one again without the records they hold."""
        await self._open(self._frame.stack[0].place, replace=True, asks=False)

    async def _open(
        self,
        place: Place,
        *,
        known: Mapping[str, Any] | None = None,
        replace: bool = False,
        owner: str = "",
        link: Link | None = None,
        asks: bool = True,
    ) -> bool:
        frame = self._frame
        if place.kind == FIND:
            await self._find(place.record_id, replace=replace)
            return True
        if place.kind == HOME:
            if not await self._keeps_changes(replace and asks):
                await frame.show(home_view.HomeView(frame), replace=replace)
            return True
        resource = BY_NAME.get(place.kind) or find(place.kind)
        if resource is None:
            return self._refuse(self.unknown(place))
        if resource.placement.only and not place.record_id:
            place = place.record(resource.placement.only)
        place = self._with_own_ids(place.named(resource.name))
        if await self._keeps_changes(replace and asks):
            return True
        if frame.workspace.lens and (reason := refused(resource, frame.workspace)):
            return self._refuse(f"{resource.title}: {reason}")
        if missing := resource.missing(place):
            await parent_choice.choose_parent(frame, BY_NAME[missing], resource, (link or Link(place)).at(place))
        elif place.record_id:
            detail = self._detail(place, resource, known)
            self._load_parent(detail, resource)
            was_declared = frame.declared
            await frame.show(detail, replace=replace)
            if isinstance(detail, DetailView) and not was_declared:
                # If the declaration came in the meantime, this view was not yet among those that got it.
                self._declare(detail)
        else:
            records = self._list(place, resource, owner, link)
            self._load_parent(records, resource)
            await frame.show(records, replace=replace)
            self._declare(records)
            if place.parents and not owner and records.parent_record is None:
                in_background(records, partial(self._name_owner, records), group="owner")
        return True

    async def _name_owner(self, view: ListView) -> None:
        """Find the name of the record that the list at an address belongs to."""
        kind, record_id = list(view.place.parents.items())[-1]
        resource = BY_NAME.get(kind)
        if resource is None or record_id == OWN:
            return
        names, owner = ReferenceNames(self._frame.workspace.referenced, BY_NAME), [(resource.name, record_id)]
        await names.load(owner, cached_only=True)
        if not names.name(*owner[0]):
            await self._frame.connected.wait()
            await names.load(owner)
        view.owner = names.name(*owner[0])
        view.notify_changed()

    async def _find(self, text: str, *, replace: bool = False) -> None:
        """Search for a text in the view of the search; it opens over the present place, unless that is replaced."""
        frame = self._frame
        if isinstance(frame.view, find_view.FindView):
            frame.view.search(text)
        else:
            await frame.show(find_view.FindView(frame.workspace, BY_NAME, text, frame.place), replace=replace)

    async def _keeps_changes(self, replace: bool) -> bool:
        """Whether the open views stay, because the user does not discard their unsaved changes."""
        loss = self._frame.loss if replace else ""
        return bool(loss) and not await self._frame.ask(messages.Question(_("Discard unsaved changes?"), loss))

    def _load_parent(self, view: View, resource: Resource) -> None:
        """Load the parent record if rules of these records depend on it."""
        above = BY_NAME.get(resource.placement.above)
        if above is None:
            return
        workspace = self._frame.workspace
        path = resource.path_at(view.place, workspace.caller)
        if path.get(above.kind.parameter):
            view.parent_record = workspace.record(
                above.kind.get, path={above.kind.parameter: path[above.kind.parameter]}
            )
            view.parent_record.subscribe(view.notify_changed)

    def _with_own_ids(self, place: Place) -> Place:
        """The place with the IDs of the caller's own records instead of `own`."""
        caller, parts = self._frame.workspace.caller, list(place.parts)
        for at in range(0, len(parts) - 1, 2):
            kind = BY_NAME.get(parts[at])
            if kind and parts[at + 1] == OWN:
                parts[at + 1] = kind.kind.own_id(caller) or OWN
        return Place(tuple(parts))

    async def find_own(self) -> None:
        """After a login, replace `own` in the current place."""
        frame = self._frame
        view = frame.view
        if (
            view is None
            or view.kind not in ("list", "detail")
            or (place := self._with_own_ids(view.place)) == view.place
        ):
            return
        await self.open(place, replace=not await frame.back(), owner=view.owner)

    def _list(self, place: Place, resource: Resource, owner: str, link: Link | None) -> ListView:
        """The list at a place, with what a link shows of it; the first one of a start has its cached rows
        immediately."""
        made = resource.display.list_view() if resource.display.list_view else ListView
        view = made(place, resource, self._frame.workspace, unicode=self._frame.terminal.unicode)
        if not isinstance(view, ListView):
            raise TypeError(f"the list view of {resource.name} is a {type(view).__name__}")
        view.owner, view.sections = owner, OVERVIEWS.get(resource.name, ())
        if link is not None:
            view.show_as(dataclasses.replace(link, sort=_sort_field(view, link.sort)))
        if not self._frame.stack:
            view.listing.read_cached()
        return view

    def _detail(self, place: Place, resource: Resource, known: Mapping[str, Any] | None) -> View:
        workspace = self._frame.workspace
        view: DetailView
        if resource.display.record_view is not None:
            special = resource.display.record_view(place, workspace, known)
            if not isinstance(special, View):
                raise TypeError(f"the record view of {resource.name} is a {type(special).__name__}")
            if isinstance(special, DetailView):
                self._declare(special)
            return special
        source = record_at(resource, place, workspace)
        if sections := OVERVIEWS.get(resource.name):
            view = overview.OverviewView(place, resource, source, known, workspace, BY_NAME, sections)
        else:
            view = DetailView(place, resource, source, known)
        self._declare(view)
        return view

    async def go_typed(self, text: str) -> None:
        """Open a typed place with a filter, for example `companies north` or `applications/<id>`.

        What is copied from a link or a message, such as `mailto:ana@example.com`, is searched for.
        """
        typed = text.strip()
        word, _space, rest = typed.partition(" ")
        kind = word.partition("/")[0]
        if commands.command(word) is None and kind != FIND and find(kind) is None:
            copied = bare(typed)
            if {"email", "number"} & recognition.meanings(copied).keys():
                await self._frame.open(Place((FIND, copied)))
                return
        self._frame.workspace.preferences.remember(typed)
        if (known := commands.command(word)) is not None:
            await known.run(self._frame, rest.strip())
        elif typed in self._frame.workspace.preferences.searches:
            await groups.open_search(self._frame, typed)
        elif not commands.run_user_action(typed, self._frame):
            await self.open_typed(typed)

    async def open_typed(self, text: str) -> bool:
        """Open a place or link, or a place with a filter behind a space; False, with a message, when there is none."""
        word, _space, rest = text.strip().partition(" ")
        if text.strip().endswith(ENDING):
            reason = await cases.show_file(self._frame, text.strip(), replace=not self._frame.stack)
            return self._refuse(reason) if reason else True
        try:
            if "?" in word:
                link = Link.parse(text)
            else:
                # The words of a title or of what users call the records are one name.
                whole = places_for(text.strip()) if rest else []
                link = Link(Place.parse(whole[0] if whole else word), "" if whole else rest.strip())
        except InvalidLink as error:
            return self._refuse(str(error))
        named = link.place.parts[0] if len(link.place.parts) == 1 else ""
        candidates = places_for(named) if named else []
        # An incomplete name opens its first completion.
        if candidates and find(named) is None:
            link = dataclasses.replace(link, place=Place((candidates[0],)))
        return await self.open_link(link, replace=len(link.place.parts) == 1)

    async def open_link(self, link: Link, *, replace: bool, owner: str = "") -> bool:
        """Open a place with what its list shows; False, with a message, when it does not exist."""
        arranged = link != Link(link.place)
        if not await self._open(link.place, replace=replace, owner=owner, link=link if arranged else None):
            return False
        view = self._frame.view
        if arranged and isinstance(view, ListView) and view.continues_to is None:
            if link.marks:
                view.records.set_marks(link.marks)
            if link.sort and not _sort_field(view, link.sort):
                self._frame.show_message(_("No column “{sort}” to sort by.").format(sort=link.sort), "warn")
        return True

    async def step(self, by: int) -> None:
        """Go back or forward in the history of places."""
        frame = self._frame
        stop = frame.place_history.ahead(by)
        if stop is None:
            return
        frame.place_history.step(by)
        below = frame.stack[-2] if len(frame.stack) > 1 else None
        if below is not None and below.place == stop.link.place:
            await frame.back()
        else:
            await self.open_link(stop.link, replace=True, owner=stop.owner)
            if isinstance(frame.view, find_view.FindView):
                frame.view.return_to(stop.cursor)
        if frame.view is not None and frame.view.place != stop.link.place:
            # It was not opened: unsaved changes stay.
            frame.place_history.step(-by)

    def completions(self, text: str) -> Sequence[str]:
        """Completions of a typed text: places by name and by what users call them, then commands."""
        return [*places_for(text), *commands.commands_for(text, self._frame)]

    def _refuse(self, reason: str) -> bool:
        self.refusal = reason
        self._frame.show_message(reason, "warn")
        return False

    def unknown(self, place: Place) -> str:
        near = nearest(place.kind)
        names = self._frame.registry.keys.sentence(_("Type {goto} and {complete} to see the names."), PROMPT_KEYS)
        return _("Unknown view “{kind}”. {names}").format(
            kind=place.kind, names=_("Did you mean “{near}”?").format(near=near) if near else names
        )

    def declare_views(self) -> None:
        """Give the open views the fields of their records, after the declaration of the interface is loaded."""
        for view in self._frame.stack:
            if isinstance(view, (DetailView, ListView)):
                self._declare(view)

    def _declare(self, view: DetailView | ListView) -> None:
        if view.names is None:
            view.names = ReferenceNames(self._frame.workspace.referenced, BY_NAME)
        if self._frame.declared and view.resource is not None:
            view.declare(specs_of(view.resource))


def _sort_field(view: ListView, name: str) -> str:
    """The field by which the service sorts a column that is named by its title or field; empty when there is none."""
    fields = {
        known.casefold(): column.sort_field
        for column in view.declared_columns
        if column.sort_field
        for known in (column.sort_field, column.field, column.title)
    }
    return fields.get(name.casefold(), view.resource.sort if name == view.resource.sort else "")
