"""Going back and forward among visited places."""

from __future__ import annotations

from svc_tui.console.core.places import Link, Place
from svc_tui.console.shell.view_stack import MOST, PlaceHistory, VisitedPlace


def stop(name: str, filter: str = "") -> VisitedPlace:
    return VisitedPlace(Link(Place((name,)), filter))


def test_back_and_forward_and_a_new_visit_drops_what_was_ahead() -> None:
    history = PlaceHistory()
    for name in "abc":
        history.visit(stop(name))
    history.step(-1)
    assert (history.ahead(-1), history.ahead(0), history.ahead(1)) == (stop("a"), stop("b"), stop("c"))
    history.visit(stop("d"))
    assert (history.ahead(-1), history.ahead(0), history.ahead(1)) == (stop("b"), stop("d"), None)


def test_a_place_keeps_the_state_in_which_it_was_left() -> None:
    history = PlaceHistory()
    history.visit(stop("a"))
    history.leave(stop("a", "north"))
    history.visit(stop("b"))
    history.leave(stop("a", "other"))
    assert history.ahead(-1) == stop("a", "north")


def test_the_oldest_places_are_forgotten() -> None:
    history = PlaceHistory()
    for number in range(MOST + 5):
        history.visit(stop(str(number)))
    assert history.ahead(1 - MOST) == stop("5")
    assert history.ahead(-MOST) is None
