"""Going back and forward among visited places."""

from __future__ import annotations

from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.trail import MOST, Stop, Trail


def stop(name: str, filter: str = "") -> Stop:
    return Stop(Link(Place((name,)), filter))


def test_back_and_forward_and_a_new_visit_drops_what_was_ahead() -> None:
    trail = Trail()
    for name in "abc":
        trail.visit(stop(name))
    trail.step(-1)
    assert (trail.ahead(-1), trail.ahead(0), trail.ahead(1)) == (stop("a"), stop("b"), stop("c"))
    trail.visit(stop("d"))
    assert (trail.ahead(-1), trail.ahead(0), trail.ahead(1)) == (stop("b"), stop("d"), None)


def test_a_place_is_remembered_as_it_was_left() -> None:
    trail = Trail()
    trail.visit(stop("a"))
    trail.leave(stop("a", "north"))
    trail.visit(stop("b"))
    trail.leave(stop("a", "other"))
    assert trail.ahead(-1) == stop("a", "north")


def test_the_oldest_places_are_forgotten() -> None:
    trail = Trail()
    for number in range(MOST + 5):
        trail.visit(stop(str(number)))
    assert trail.ahead(1 - MOST) == stop("5")
    assert trail.ahead(-MOST) is None
