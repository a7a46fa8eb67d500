"""The history of visited places: back, forward, and what another way drops."""

from __future__ import annotations

from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.trail import Stop, Trail


def stop(kind: str) -> Stop:
    return Stop(Link(Place((kind,))))


def test_another_way_drops_what_was_ahead() -> None:
    trail = Trail()
    for kind in ("applications", "companies", "users"):
        trail.visit(stop(kind))
    trail.step(-1)
    assert (trail.ahead(-1), trail.ahead(1)) == (stop("applications"), stop("users"))
    trail.visit(stop("sites"))
    assert (trail.ahead(-1), trail.ahead(0), trail.ahead(1)) == (stop("companies"), stop("sites"), None)


def test_the_same_place_is_one_stop() -> None:
    trail = Trail()
    trail.visit(stop("users"))
    trail.visit(stop("users"))
    assert trail.ahead(-1) is None
