"""The stack of views: the one on top is visible, those below keep their state."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakSet

from textual._compositor import Compositor
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.core.stage import TopView
from svc_tui.console.views.view import View


class VisibleCompositor(Compositor):
    """The compositor of Textual, which draws every line of every widget for a change of one line.

    A change is drawn front to back, and a cell that is drawn is not drawn again. So what is outside the change, and
    what is behind a widget that covers all of it, cannot be seen.
    """

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        if crop is None:
            crop = self.size.region
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            # Whole lines of the widget: it keeps them as they are.
            rows = seen.intersection(Region(seen.x, crop.y, seen.width, crop.height))
            if rows and rows.overlaps(crop):
                yield region, rows, widget.render_lines(rows.translate(-region.offset))
                if rows.contains_region(crop):
                    return


T = TypeVar("T")


class ViewStack(Screen[None], inherit_bindings=False):
    """A screen that shows one view at a time in its `#body`."""

    def __init__(self) -> None:
        super().__init__()
        self._compositor = VisibleCompositor()
        self.stack: list[View] = []
        #: The visited places.
        self.place_history = PlaceHistory()
        self._switching = asyncio.Lock()
        self._changes: set[asyncio.Future[Any]] = set()
        #: The views of plug-ins that failed and are going to be closed.
        self._failed: WeakSet[View] = WeakSet()

    @abstractmethod
    def views_changed(self) -> None:
        """React to another view on top."""

    @property
    def views(self) -> Sequence[View]:
        """The open views, the one on top last."""
        return self.stack

    @property
    def top(self) -> View | None:
        """The view on top."""
        return self.view

    @property
    def view(self) -> View | None:
        """The view on top."""
        return self.stack[-1] if self.stack else None

    @property
    def loss(self) -> str:
        """What closing all views would lose, as sentences; empty when nothing."""
        views = [view for view in self.stack if view not in self._failed]
        return " ".join(dict.fromkeys(view.loss for view in views if not view.may_leave()))

    async def show(self, view: TopView[Resource], *, replace: bool = False) -> None:
        """Put a view on top; with `replace` the others are closed first.

        It is completed even when the action is cancelled, and one at a time: the stack never contains a view that is
        not mounted.
        """
        if not isinstance(view, View):
            raise TypeError(f"{type(view).__name__} is not a view")
        await self._to_end(self._show(view, replace))

    async def _show(self, view: View, replace: bool) -> None:
        async with self._switching:
            body = self.query_one("#body")
            old = self.view
            view.display = old is None
            await body.mount(view)
            closed = self.stack if replace else []
            self.stack = [view] if replace else [*self.stack, view]
            if old is not None:
                self._leave(old)
                old.display = False
                view.display = True
            for each in closed:
                each.close()
                await each.remove()
            self.views_changed()

    def _leave(self, view: View) -> None:
        if is_place(view):
            self.place_history.leave(VisitedPlace(view.link, view.owner, view.cursor))

    def visited(self) -> None:
        """Add the view on top to the visited places."""
        if self.view is not None and is_place(self.view):
            self.place_history.visit(VisitedPlace(self.view.link, self.view.owner))

    def close_views(self) -> None:
        """Release the resources of all views."""
        for view in self.stack:
            view.close()

    async def back(self) -> bool:
        """Close the view on top; False when it is the last one."""
        return await self._to_end(self._back())

    def _to_end(self, change: Coroutine[Any, Any, T]) -> Awaitable[T]:
        """Change the stack to the end, also when the action that does is cancelled."""
        task = asyncio.ensure_future(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return asyncio.shield(task)

    @property
    def is_changing(self) -> bool:
        """Whether a view is being opened or closed, which nothing stops."""
        return bool(self._changes)

    async def _back(self) -> bool:
        async with self._switching:
            if len(self.stack) < 2:
                return False
            view = self.stack.pop()
            self._leave(view)
            view.close()
            # Otherwise the focus goes to any pane of the view below, which then counts as its latest one.
            self.set_focus(None)
            self.stack[-1].display = True
            await view.remove()
            self.stack[-1].uncovered()
            self.views_changed()
            return True

    @property
    def place(self) -> Place:
        """The place to open again; forms and reports count as the view below them."""
        shown_views = [view for view in self.stack if view.kind in ("list", "detail")]
        return shown_views[-1].place if shown_views else Place(())


def is_place(view: View) -> bool:
    """Whether a view can be opened again by its place; forms, raw records and the help cannot."""
    if view.kind == "results":
        return bool(view.place.record_id)
    return view.kind in ("list", "detail", "home") or (view.kind == "report" and view.resource is not None)


#: Most places that are remembered.
MOST = 100


@dataclass(frozen=True)
class VisitedPlace:
    """A visited place with what its list showed, the name of the owner of its records, and where the cursor was."""

    link: Link
    owner: str = ""
    cursor: str = ""


class PlaceHistory:
    """Places in the order of their visit, and the current one among them."""

    def __init__(self) -> None:
        self._stops: list[VisitedPlace] = []
        self._at = -1

    def visit(self, stop: VisitedPlace) -> None:
        """Add a place after the current one; those that were ahead are dropped."""
        if self._at >= 0 and self._stops[self._at].link.place == stop.link.place:
            return
        self._stops = [*self._stops[: self._at + 1], stop][-MOST:]
        self._at = len(self._stops) - 1

    def leave(self, stop: VisitedPlace) -> None:
        """Remember how the current place was left."""
        if self._at >= 0 and self._stops[self._at].link.place == stop.link.place:
            self._stops[self._at] = stop

    def ahead(self, by: int) -> VisitedPlace | None:
        """The place this many steps ahead, or behind; None where there is none."""
        at = self._at + by
        return self._stops[at] if 0 <= at < len(self._stops) else None

    def step(self, by: int) -> None:
        """Make another place the current one."""
        if self.ahead(by) is not None:
            self._at += by
