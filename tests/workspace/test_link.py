"""The state of the link comes from real round trips."""

from __future__ import annotations

import pytest

from svc_tui.workspace.events import Link
from svc_tui.workspace.link import LinkWatch


@pytest.fixture
def told() -> list[Link]:
    return []


async def _never() -> bool:
    return False


@pytest.fixture
def watch(told: list[Link]) -> LinkWatch:
    return LinkWatch(True, told.append, _never)


def test_nothing_is_known_before_the_first_answer(watch: LinkWatch) -> None:
    assert watch.link == Link("unknown", None, True)


def test_one_slow_answer_does_not_make_a_slow_link(watch: LinkWatch) -> None:
    for seconds in (0.04, 0.04, 0.9):
        watch.answered(seconds)
    assert watch.link.state == "live"
    assert watch.link.round_trip == pytest.approx(0.298)


def test_above_400_ms_it_is_slow_and_below_live_again(watch: LinkWatch, told: list[Link]) -> None:
    watch.answered(0.401)
    assert watch.link.state == "slow"
    watch.answered(0.1)
    assert watch.link.state == "live"
    assert [link.state for link in told] == ["slow", "live"]


def test_an_answer_of_unknown_length_keeps_the_round_trip(watch: LinkWatch) -> None:
    watch.answered(0.1)
    watch.answered()
    assert watch.link == Link("live", 0.1, True)


async def test_lost_is_offline_until_an_answer_comes(watch: LinkWatch) -> None:
    watch.answered(0.1)
    watch.lost()
    watch.insisted = True
    assert (watch.link.state, watch.link.round_trip) == ("offline", None)
    watch.answered(0.1)
    assert (watch.link.state, watch.insisted) == ("live", False)
    watch.close()


def test_an_unverified_certificate_is_always_told(told: list[Link]) -> None:
    watch = LinkWatch(False, told.append, _never)
    watch.answered(0.1)
    assert not watch.link.verified
