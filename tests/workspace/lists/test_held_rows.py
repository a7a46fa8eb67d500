"""The rows of a filtered list in memory: few enough, and each record in one place."""

from __future__ import annotations

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.lists.held_rows import HeldRows


def rows_of(*ids: str, most: int = 100) -> HeldRows:
    held = HeldRows(lambda row: str(row["id"]), most)
    for place, record_id in enumerate(ids):
        held.hold(place, row(record_id))
    return held


def row(record_id: str) -> RecordDict:
    return {"id": record_id}


def test_the_record_that_was_in_a_place_before_is_no_longer_there() -> None:
    held = rows_of("a", "b")
    held.hold(1, row("c"))
    assert (held.place_of("b"), held.place_of("c")) == (None, 1)


def test_a_record_that_has_moved_up_stays_known_when_its_old_place_gets_another_one() -> None:
    held = rows_of("a", "b", "c", "d")
    held.hold(1, row("c"))
    held.hold(2, row("d"))
    held.drop_beyond(3)
    assert [held.place_of(each) for each in "abcd"] == [0, None, 1, 2]


def test_the_oldest_rows_make_room() -> None:
    held = rows_of("a", "b", "c", most=2)
    assert (held.get(0), held.place_of("a"), held.full) == (None, None, True)
    assert [each["id"] for each in held.all()] == ["b", "c"]
