"""The order of a subscriber's DDI numbers changes when some are unassigned and assigned again."""

from __future__ import annotations

from itertools import permutations

import pytest

from svc_tui.console.areas.voice.ddi_order import moves


def after(now: str, requested: str) -> str:
    """The numbers once the moves were made."""
    released, given = moves(list(now), list(requested))
    return "".join([number for number in now if number not in released] + given)


@pytest.mark.parametrize("size", range(5))
def test_every_order_can_be_reached(size: int) -> None:
    now = "abcd"[:size]
    for length in range(size + 1):
        for requested in permutations(now, length):
            assert after(now, "".join(requested)) == "".join(requested)


@pytest.mark.parametrize(
    ("now", "requested", "released", "given"),
    [
        ("abc", "abc", "", ""),
        ("ab", "ba", "a", "a"),
        ("abc", "acb", "b", "b"),
        ("abc", "bc", "a", ""),
        ("abc", "cab", "ab", "ab"),
    ],
)
def test_numbers_in_the_requested_order_stay_assigned(now: str, requested: str, released: str, given: str) -> None:
    assert moves(list(now), list(requested)) == (list(released), list(given))
