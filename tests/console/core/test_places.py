"""Places: typed, kept, and taken apart."""

from __future__ import annotations

import pytest

from svc_tui.console.core.places import InvalidLink, Link, Place


def test_a_place_is_kinds_and_ids_in_turn() -> None:
    place = Place.parse("users/42/apikeys")
    assert (place.kind, place.record_id, place.parents) == ("apikeys", "", {"users": "42"})
    assert (place.above.kind, place.above.record_id) == ("users", "42")
    assert str(place.record("7")) == "users/42/apikeys/7"


def test_a_place_with_unusual_characters_is_restored() -> None:
    place = Place(("users", "a/b c?", "apikeys"))
    assert Place.parse(str(place)) == place


def test_slashes_too_many_do_not_matter() -> None:
    assert Place.parse(" /applications// ") == Place(("applications",))
    assert Place.parse("").kind == ""


@pytest.mark.parametrize(
    "link",
    [
        Link(Place(("users",))),
        Link(Place(("users", "4?2", "apikeys")), "a & b = 50% ? more", "created", True),
        Link(Place(("users",)), where={"isActive": True, "name": "Ä"}, marks=("1", "2")),
    ],
)
def test_a_link_is_restored(link: Link) -> None:
    assert Link.parse(str(link)) == link


def test_a_link_is_readable() -> None:
    link = Link(Place(("users",)), "north", "created", True, {}, ("1", "2"))
    assert str(link) == "users?filter=north&sort=-created&marks=1,2"


@pytest.mark.parametrize("text", ["users?colour=red", "users?where=[1]", "users?where={", "users?&"])
def test_an_invalid_link_is_refused(text: str) -> None:
    with pytest.raises(InvalidLink):
        Link.parse(text)
