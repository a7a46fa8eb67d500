"""Another order of a subscriber's DDI numbers comes about by releasing some and giving them again."""

from __future__ import annotations

from itertools import permutations

import pytest

from svc_tui.interface.voice.ddi_order import moves


def after(now: str, wanted: str) -> str:
    """The numbers once the moves were made."""
    released, given = moves(list(now), list(wanted))
    return "".join([number for number in now if number not in released] + given)


@pytest.mark.parametrize("size", range(5))
def test_every_order_comes_about(size: int) -> None:
    now = "abcd"[:size]
    for length in range(size + 1):
        for wanted in permutations(now, length):
            assert after(now, "".join(wanted)) == "".join(wanted)


@pytest.mark.parametrize(
    ("now", "wanted", "released", "given"),
    [
        ("abc", "abc", "", ""),
        ("ab", "ba", "a", "a"),
        ("abc", "acb", "b", "b"),
        ("abc", "bc", "a", ""),
        ("abc", "cab", "ab", "ab"),
    ],
)
def test_what_stands_right_already_is_not_touched(now: str, wanted: str, released: str, given: str) -> None:
    assert moves(list(now), list(wanted)) == (list(released), list(given))
