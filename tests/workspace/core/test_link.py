"""The state of the link comes from real round trips."""

from __future__ import annotations

import asyncio

import pytest

from svc_tui.workspace.core.events import LinkStatus
from svc_tui.workspace.core.link import LinkMonitor


@pytest.fixture
def links() -> list[LinkStatus]:
    return []


async def _never() -> None:
    """No response."""


@pytest.fixture
def watch(links: list[LinkStatus]) -> LinkMonitor:
    return LinkMonitor(True, links.append, _never)


def test_the_link_is_unknown_before_the_first_response(watch: LinkMonitor) -> None:
    assert watch.link == LinkStatus("unknown", None, True)


def test_one_slow_response_does_not_make_a_slow_link(watch: LinkMonitor) -> None:
    for seconds in (0.04, 0.04, 0.9):
        watch.answered(seconds)
    assert watch.link.state == "live"
    assert watch.link.round_trip == pytest.approx(0.298)


def test_the_link_is_slow_above_400_ms_and_live_again_below(watch: LinkMonitor, links: list[LinkStatus]) -> None:
    watch.answered(0.401)
    assert watch.link.state == "slow"
    watch.answered(0.1)
    assert watch.link.state == "live"
    assert [link.state for link in links] == ["slow", "live"]


def test_a_response_without_a_time_keeps_the_round_trip(watch: LinkMonitor) -> None:
    watch.answered(0.1)
    watch.answered()
    assert watch.link == LinkStatus("live", 0.1, True)


def test_a_round_trip_that_wobbles_is_reported_once(watch: LinkMonitor, links: list[LinkStatus]) -> None:
    for seconds in (0.02, 0.025, 0.016, 0.03, 0.018, 0.022):
        watch.answered(seconds)
    assert [link.round_trip for link in links] == [0.02]
    # The average counts them all, and is reported when it is another one.
    for _ in range(20):
        watch.answered(0.1)
    assert links[-1].round_trip == pytest.approx(0.09, abs=0.02)
    assert len(links) <= 4


async def test_a_lost_connection_is_offline_until_a_response_comes(watch: LinkMonitor) -> None:
    watch.answered(0.1)
    watch.lost()
    watch.forced = True
    assert (watch.link.state, watch.link.round_trip) == ("offline", None)
    watch.answered(0.1)
    assert (watch.link.state, watch.forced) == ("live", False)
    watch.close()


def test_an_unverified_certificate_is_always_part_of_the_link(links: list[LinkStatus]) -> None:
    watch = LinkMonitor(False, links.append, _never)
    watch.answered(0.1)
    assert not watch.link.verified


class Counting:
    """A monitor with a clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.links: list[int] = []
        self.requests = 0.0
        self._go_on = asyncio.Event()
        self._waits = asyncio.Event()
        self.watch = LinkMonitor(
            True, lambda link: self.links.append(link.waiting), _never, tick=self._tick, clock=lambda: self.now
        )

    async def _tick(self, seconds: float) -> None:
        self.requests = seconds
        self._waits.set()
        await self._go_on.wait()
        self._go_on.clear()

    async def counts(self) -> None:
        """Wait for its next tick."""
        await self._waits.wait()
        self._waits.clear()

    async def passes(self, seconds: float) -> None:
        self.now += seconds
        self._go_on.set()
        await self.counts()


async def test_a_request_without_a_response_is_counted_from_two_seconds_on() -> None:
    counting = Counting()
    counting.watch.begin(1)
    await counting.counts()
    assert counting.requests == 2.0
    await counting.passes(2.0)
    await counting.passes(1.25)
    assert counting.requests == pytest.approx(0.75)
    await counting.passes(0.75)
    assert counting.links == [2, 3, 4]
    counting.watch.end(1)
    assert counting.links == [2, 3, 4, 0]
    counting.watch.close()


async def test_the_oldest_of_several_requests_is_counted() -> None:
    counting = Counting()
    counting.watch.begin(1)
    await counting.counts()
    counting.now = 1.5
    counting.watch.begin(2)
    await counting.passes(1.5)
    assert counting.watch.link.waiting == 3
    counting.watch.end(1)
    assert (counting.watch.link.waiting, counting.watch.busy) == (0, True)
    await counting.passes(1.0)
    assert counting.watch.link.waiting == 2
    counting.watch.end(2)
    assert (counting.watch.link.waiting, counting.watch.busy) == (0, False)


async def test_timely_responses_cause_no_event() -> None:
    counting = Counting()
    counting.watch.begin(1)
    await counting.counts()
    counting.now = 1.9
    counting.watch.end(1)
    assert counting.links == []


async def test_a_request_cancelled_after_a_long_wait_leaves_a_slow_link() -> None:
    counting = Counting()
    counting.watch.answered(0.05)
    counting.watch.begin(1)
    await counting.counts()
    await counting.passes(3.0)
    counting.watch.end(1, answered=False)
    assert counting.watch.link == LinkStatus("slow", None, True)
    counting.watch.answered(0.05)
    assert counting.watch.link == LinkStatus("live", 0.05, True)


async def test_a_request_beside_a_background_one_counts_in_the_round_trip(watch: LinkMonitor) -> None:
    async def answered(seconds: float) -> None:
        watch.answered(seconds)

    watch.answered(0.1)
    with watch.steady():
        in_the_background = asyncio.create_task(answered(5.0))
    beside = asyncio.create_task(answered(0.9))
    with watch.steady():
        await asyncio.gather(in_the_background, beside)
    assert watch.link == LinkStatus("live", pytest.approx(0.34), True)


async def test_a_closed_workspace_does_not_probe_the_service_for_a_request_that_it_ended() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.Event().wait()

    watch = LinkMonitor(True, lambda _: None, _never, pause)
    watch.close()
    watch.lost()
    watch.begin("late")
    await asyncio.sleep(0)
    assert pauses == [] and len(asyncio.all_tasks()) == 1
