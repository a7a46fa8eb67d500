"""The visited places, for going back and forward."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.console.core.places import Link

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
