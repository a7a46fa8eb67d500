"""Lists read in pages: the requests, the events, and the memory."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from datetime import UTC, datetime

import pytest

from svc_tui.workspace.core.events import ListChanged
from svc_tui.workspace.lists.list_reader import FetchedRows, ListReader
from tests.workspace.conftest import JANE, Desk, Desks
from tests.workspace.line import Line, Script, until


async def test_only_the_pages_in_view_are_read(desk: Desk, script: Script) -> None:
    script.total = 100_000
    listing = await desk.shown(45_090, 45_130)
    assert sorted(desk.line.lists) == [(45_000, 100), (45_100, 100)]
    assert (listing.total, listing.unfiltered_total, listing.loaded) == (100_000, 100_000, 200)
    assert listing.row(45_099) == {"id": "a45099", "name": "App 45099"}
    assert listing.row(44_999) is None
    assert listing.index_of("a45101") == 45_101
    assert listing.index_of("a0") is None


async def test_a_held_key_sends_few_requests(desk: Desk, script: Script) -> None:
    script.total = 100_000
    await desk.shown()
    listing, _ = desk.list()
    cache = desk.workspace.cache
    read, reads = cache.read_list, []
    cache.read_list = lambda key, pages: reads.append(pages) or read(key, pages)  # type: ignore[method-assign,func-returns-value]
    for first in range(0, 50_000, 20):
        listing.request(first, first + 20)
    await listing.wait_until_idle()
    assert reads == [[499, 500]]
    assert desk.line.lists[1:] == [(49_900, 100), (50_000, 100)]
    assert listing.row(50_000) is not None


async def test_at_most_two_requests_are_in_progress_and_the_latest_counts(desk: Desk, script: Script) -> None:
    script.total = 100_000
    listing = await desk.shown()
    desk.line.hold()
    for first in (1_000, 2_000, 3_000, 4_000):
        listing.request(first, first + 150)
        await until(lambda first=first: (first, 100) in desk.line.lists)
    assert desk.line.in_progress <= 2
    desk.line.release()
    await listing.wait_until_idle()
    assert desk.line.most == 2
    assert desk.line.cancelled > 0, "what is not wanted any more gives way"
    assert listing.row(4_000) is not None and listing.row(4_150) is not None
    assert listing.row(1_000) is None


async def test_a_list_is_shown_from_the_cache_with_its_age_and_then_refreshed(desks: Desks, script: Script) -> None:
    first = desks.make(script, JANE)
    first.attach()
    await first.shown()
    seen = first.clock.now()
    await first.workspace.close()
    first.clock.forward(minutes=4)
    script.row = lambda number: {"id": f"a{number}", "name": "Renamed" if number == 7 else f"App {number}"}

    second = desks.make(script, JANE)
    listing, changes = second.list()
    assert listing.read_cached(0, 20), "the cache answers before there is a connection"
    assert (listing.read_from, listing.fetched_at, listing.total) == ("cache", seen, 1000)
    assert listing.row(7) == {"id": "a7", "name": "App 7"}
    second.line.hold()
    second.attach()
    listing.request(0, 20)
    await until(lambda: bool(second.line.in_progress))
    assert (listing.read_from, listing.refreshing) == ("cache", True)
    changes.clear()
    second.line.release()
    await listing.wait_until_idle()
    assert [change.rows for change in changes if change.rows] == [frozenset({7})], "only what changed is drawn again"
    assert (listing.read_from, listing.refreshing, listing.fetched_at) == ("live", False, second.clock.now())


async def test_unchanged_rows_are_not_reported(desk: Desk) -> None:
    listing = await desk.shown()
    changes: list[ListChanged] = []
    listing.subscribe(changes.append)
    desk.clock.forward(minutes=1)
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert len(desk.line.lists) == 2
    assert [change.rows for change in changes] == [frozenset()] * len(changes)


async def test_scrolling_back_and_forth_sends_no_requests(desk: Desk) -> None:
    listing = await desk.shown(0, 20)
    listing.request(300, 320)
    await listing.wait_until_idle()
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert desk.line.lists == [(0, 100), (300, 100)]


async def test_a_refresh_sends_requests_at_once(desk: Desk) -> None:
    listing = await desk.shown()
    listing.refresh()
    await listing.wait_until_idle()
    assert desk.line.lists == [(0, 100), (0, 100)]


async def test_secrets_missing_in_the_cache_are_no_change(desks: Desks, script: Script) -> None:
    script.row = lambda number: {"id": f"a{number}", "appSecret": "x", "name": "n"}
    first = desks.make(script, JANE)
    first.attach()
    await first.shown()
    await first.workspace.close()
    second = desks.make(script, JANE)
    listing, changes = second.list()
    listing.read_cached()
    assert listing.row(0) == {"id": "a0", "name": "n"}
    second.clock.forward(hours=1)
    changes.clear()
    second.attach()
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert [change.rows for change in changes if change.rows] == []
    assert listing.row(0) == {"id": "a0", "appSecret": "x", "name": "n"}


async def test_a_shorter_list_ends_at_its_new_end(desk: Desk, script: Script) -> None:
    listing = await desk.shown(980, 999)
    listing.request(0, 20)
    await listing.wait_until_idle()
    script.total = 930
    listing.refresh()
    await listing.wait_until_idle()
    assert listing.total == 930
    assert listing.row(929) is not None and listing.row(930) is None
    assert listing.index_of("a950") is None


async def test_a_total_that_always_changes_does_not_cause_endless_requests(desk: Desk, script: Script) -> None:
    plain = script.row

    def growing(number: int) -> dict[str, object]:
        script.total += 1
        return plain(number)

    script.row = growing
    listing = await desk.shown(90, 130)
    assert len(desk.line.lists) <= 4
    assert listing.row(100) is not None


async def test_moved_rows_are_found_at_their_new_index(desk: Desk, script: Script) -> None:
    listing = await desk.shown(0, 150)
    script.total, script.row = 1001, lambda number: {"id": f"a{number - 1}", "name": "moved"}
    listing.refresh()
    await listing.wait_until_idle()
    assert listing.index_of("a99") == 100
    assert listing.row(100) == {"id": "a99", "name": "moved"}


async def test_an_empty_list_is_empty_and_not_unknown(desk: Desk, script: Script) -> None:
    script.total = 0
    listing = await desk.shown()
    assert (listing.total, listing.error_message, listing.row(0)) == (0, "", None)
    script.total = 3
    listing.refresh()
    await listing.wait_until_idle()
    assert listing.total == 3


async def test_missing_rows_of_a_response_are_requested_again(desk: Desk, script: Script) -> None:
    script.most = 40
    listing = await desk.shown()
    assert desk.line.lists == [(0, 100), (40, 60), (80, 20)]
    assert listing.row(99) is not None and listing.total == 1000


async def test_a_refusal_is_one_sentence_and_not_repeated_by_scrolling(desk: Desk, script: Script) -> None:
    script.refusal = (403, {"errorCode": 403, "errorMsg": "Forbidden", "errorDetailsCode": 403000})
    listing = await desk.shown()
    assert listing.error_message and "\n" not in listing.error_message
    assert listing.total is None
    for first in range(50):
        listing.request(first, first + 20)
        await listing.wait_until_idle()
    assert len(desk.line.requests) == 1
    script.refusal = None
    listing.refresh()
    await listing.wait_until_idle()
    assert (listing.error_message, listing.total) == ("", 1000)


async def test_a_response_that_is_not_a_list_is_reported(desk: Desk, script: Script) -> None:
    script.refusal = (200, {"data": "nonsense"})
    listing = await desk.shown()
    assert listing.error_message == "The response of list_applications has no list of records. Check base_url."


async def test_an_internal_error_is_not_repeated_for_ever(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    async def faulty(self: ListReader, first: int, count: int) -> FetchedRows:
        tried.append(first)
        raise RuntimeError("a fault")

    monkeypatch.setattr(ListReader, "fetch", faulty)
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context["exception"]))
    listing = await desk.shown()
    assert (tried, listing.refreshing) == ([0], False)
    listing.close()
    gc.collect()
    assert [str(fault) for fault in faults] == ["a fault"], "it is not hidden either"


async def test_memory_does_not_grow_with_the_list(desk: Desk, script: Script) -> None:
    """Scrolling through 18,000 rows uses no more memory than scrolling through 6,000."""
    script.total = 100_000
    listing = await desk.shown()
    tracemalloc.start()
    try:
        left: dict[int, int] = {}
        for first in range(0, 18_000, 100):
            listing.request(first, first + 20)
            await listing.wait_until_idle()
            left[first] = tracemalloc.get_traced_memory()[0]
            assert listing.loaded <= 4_000
    finally:
        tracemalloc.stop()
    assert left[17_900] < left[6_000] * 1.25


async def test_all_ids_are_read_in_large_pages(desk: Desk, script: Script) -> None:
    script.total = 2_500
    listing, _ = desk.list()
    assert [record_id async for record_id in listing.ids()] == [f"a{number}" for number in range(2_500)]
    assert desk.line.lists == [(0, 1000), (1000, 1000), (2000, 1000)]
    assert len([record_id async for record_id in listing.ids()]) == 2_500
    assert len(desk.line.lists) == 3, "what was read a moment ago is not asked for again"


async def test_another_sort_order_is_another_list_of_the_same_records(desk: Desk) -> None:
    await desk.shown(query={"sortField": "name", "sortOrder": 1})
    other, _ = desk.list(query={"sortField": "name", "sortOrder": -1})
    assert not other.read_cached()
    same, _ = desk.list(query={"sortOrder": 1, "sortField": "name", "owner": None, "state": ""})
    assert same.read_cached()


async def test_a_closed_list_reports_nothing_and_cancels_its_requests(desk: Desk) -> None:
    listing, changes = desk.list()
    desk.line.hold()
    listing.request(0, 20)
    await until(lambda: bool(desk.line.in_progress))
    listing.close()
    changes.clear()
    await listing.wait_until_idle()
    assert (changes, desk.line.in_progress) == ([], 0)


async def test_requests_before_the_event_loop_runs_are_kept(desks: Desks, script: Script) -> None:
    made = desks.make(script, JANE)
    listing, _ = made.list()
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert (listing.total, listing.error_message) == (None, ""), "there is no connection yet, and that is no error"
    made.attach()
    await listing.wait_until_idle()
    assert listing.total == 1000
    assert listing.fetched_at == datetime.fromtimestamp(made.workspace.now(), UTC)
    assert isinstance(made.line, Line)


async def test_refreshes_that_replace_each_other_before_they_begin_end(desk: Desk) -> None:
    listing = await desk.shown()
    for turns in range(6):
        listing.refresh()
        for _ in range(turns):
            await asyncio.sleep(0)
        listing.refresh()
        await listing.wait_until_idle()
        assert (listing.refreshing, listing.refresh_requested, listing.read_from) == (False, False, "live")


async def test_on_a_slow_link_one_request_is_in_progress_for_what_is_on_the_screen(desk: Desk, script: Script) -> None:
    script.total = 100_000
    listing = await desk.shown()
    desk.workspace.frugal = True
    for first in (1_000, 2_050):
        listing.request(first, first + 80)
        await listing.wait_until_idle()
    assert desk.line.most == 1
    assert listing.row(2_130) is not None
