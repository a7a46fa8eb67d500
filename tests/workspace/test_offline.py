"""Offline: cached data can be browsed and searched, and lists continue after a reconnection."""

from __future__ import annotations

import pytest

from svc_tui.workspace.core.events import CacheFailed, LinkChanged
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.list_reader import OFFLINE_EMPTY, OFFLINE_SHOWN
from tests.support.filters import parse
from tests.workspace.conftest import JANE, Desk, Desks
from tests.workspace.line import PING, Script, until


async def test_cached_data_can_be_browsed_with_their_age(desks: Desks, script: Script) -> None:
    first = desks.make(script, JANE)
    first.attach()
    await first.shown(0, 250)
    seen = first.clock.now()
    await first.workspace.close()
    first.clock.forward(hours=2)

    second = desks.make(script, JANE)
    second.line.cut = True
    second.attach()
    listing = await second.shown(150, 170)
    assert listing.row(160) == {"id": "a160", "name": "App 160"}
    assert (listing.read_from, listing.fetched_at, listing.error_message) == ("cache", seen, OFFLINE_SHOWN)
    listing.request(900, 920)
    await listing.wait_until_idle()
    assert (listing.row(900), listing.error_message) == (None, OFFLINE_EMPTY)


async def test_cached_data_can_be_searched(desks: Desks, script: Script) -> None:
    first = desks.make(script, JANE)
    first.attach()
    listing, _ = first.list()
    assert len([row async for row in listing.rows()]) == 1000
    await first.workspace.close()

    second = desks.make(script, JANE)
    second.line.cut = True
    second.attach()
    found = parse("!name:9 ~p7", KINDS["applications"], ["name"])
    listing = await second.shown(local=found.predicate)
    assert (listing.total, listing.unfiltered_total, listing.loaded) == (217, 1000, 1000)
    assert listing.row(0) == {"id": "a7", "name": "App 7"}
    assert [record_id async for record_id in listing.ids()][:3] == ["a7", "a17", "a27"]


async def test_scrolling_while_offline_sends_only_occasional_probes(desk: Desk) -> None:
    desk.line.cut = True
    listing = await desk.shown()
    sent = len(desk.line.requests)
    for first in range(0, 1000, 50):
        listing.request(first, first + 20)
        await listing.wait_until_idle()
    assert len(desk.line.requests) == sent
    for probes in range(1, 6):
        desk.pauses.end()
        await until(lambda probes=probes: len(desk.pauses.requests) == probes + 1)
    assert desk.pauses.requests[:6] == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    assert set(desk.line.requests[sent:]) == {f"{PING}?"}


async def test_lists_continue_automatically_after_a_reconnection(desk: Desk) -> None:
    desk.line.cut = True
    listing = await desk.shown()
    record = desk.workspace.record("get_application", path={"appId": "a0"})
    await record.wait_until_idle()
    assert desk.workspace.link.state == "offline"
    assert listing.error_message.startswith("svc.test is unreachable")
    desk.line.cut = False
    desk.pauses.end()
    await until(lambda: desk.workspace.link.state == "live")
    await listing.wait_until_idle()
    assert (listing.total, listing.error_message, listing.read_from) == (1000, "", "live")
    states = [event.link.state for event in desk.events if isinstance(event, LinkChanged)]
    assert (states[0], states[-1]) == ("offline", "live")


async def test_a_refresh_tries_at_once_without_waiting_for_the_probe(desk: Desk) -> None:
    desk.line.cut = True
    listing = await desk.shown()
    desk.line.cut = False
    listing.request(0, 30)
    await listing.wait_until_idle()
    assert listing.total is None, "scrolling waits for the probe"
    listing.refresh()
    await listing.wait_until_idle()
    # On a busy machine, the link is slow.
    assert listing.total == 1000 and desk.workspace.link.state in ("live", "slow")


async def test_marking_all_fails_when_not_all_rows_can_be_read(desk: Desk) -> None:
    listing = await desk.shown()
    desk.line.cut = True
    desk.clock.forward(minutes=5)
    with pytest.raises(ReadError):
        [record_id async for record_id in listing.ids()]


async def test_an_unwritable_cache_is_reported_once_and_lists_work(desks: Desks, script: Script) -> None:
    desks.places.cache.parent.mkdir(parents=True, exist_ok=True)
    desks.places.cache.write_text("a file where the folder should be")
    made = desks.make(script, JANE)
    made.attach()
    listing = await made.shown()
    listing.request(500, 520)
    await listing.wait_until_idle()
    assert listing.row(500) is not None
    expected = [event.sentence for event in made.events if isinstance(event, CacheFailed)]
    assert expected == [made.workspace.cache.error_message] and expected[0]


async def test_a_refused_probe_is_not_the_last_one(desk: Desk, script: Script) -> None:
    desk.line.cut = True
    await desk.shown()
    assert desk.workspace.link.state == "offline"
    # What responds first after an outage can be a proxy that refuses everything.
    desk.line.cut, script.refusal = False, (401, {"errorCode": 401, "errorMsg": "Unauthorized"})
    desk.pauses.end()
    await until(lambda: len(desk.pauses.requests) == 2)
    script.refusal = None
    desk.pauses.end()
    await until(lambda: desk.workspace.link.state == "live")
