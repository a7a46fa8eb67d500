"""Places: typed, kept, and taken apart."""

from __future__ import annotations

from svc_tui.console.core.places import Place


def test_a_place_is_kinds_and_ids_in_turn() -> None:
    place = Place.parse("users/42/apikeys")
    assert (place.kind, place.record_id, place.parents) == ("apikeys", "", {"users": "42"})
    assert (place.above.kind, place.above.record_id) == ("users", "42")
    assert str(place.record("7")) == "users/42/apikeys/7"


def test_a_place_with_strange_characters_comes_back_as_it_was() -> None:
    place = Place(("users", "a/b c?", "apikeys"))
    assert Place.parse(str(place)) == place


def test_slashes_too_many_do_not_matter() -> None:
    assert Place.parse(" /applications// ") == Place(("applications",))
    assert Place.parse("").kind == ""
