"""Filters that the service does not have: the list is read once, matching rows appear as they are found."""

from __future__ import annotations

import asyncio

import pytest

from svc_tui.cache.cached import PAGE, RecordDict
from svc_tui.workspace.core.events import ListChanged
from svc_tui.workspace.lists import expressions
from svc_tui.workspace.lists.expressions import Expression
from tests.workspace.conftest import Desk
from tests.workspace.line import Script, until


def ends_in_7(row: RecordDict) -> bool:
    return str(row["name"]).endswith("7")


async def test_matching_rows_have_their_index_among_the_matches(desk: Desk, script: Script) -> None:
    script.total = 2_500
    listing = await desk.shown(local=ends_in_7)
    assert (listing.total, listing.unfiltered_total, listing.loaded, listing.read_from) == (250, 2500, 2500, "live")
    assert listing.row(0) == {"id": "a7", "name": "App 7"}
    assert listing.row(249) == {"id": "a2497", "name": "App 2497"}
    assert (listing.row(250), listing.row(-1)) == (None, None)
    assert listing.index_of("a17") == 1
    assert listing.index_of("a18") is None
    assert desk.line.lists == [(0, 1000), (1000, 1000), (2000, 1000)]


async def test_matches_come_page_by_page_with_progress(desk: Desk, script: Script) -> None:
    script.total = 3_000
    listing, changes = desk.list(local=ends_in_7)
    seen: list[tuple[int | None, int, int | None]] = []
    listing.subscribe(lambda _: seen.append((listing.total, listing.loaded, listing.unfiltered_total)))
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert [step for step in dict.fromkeys(seen) if step[0]] == [
        (100, 1000, 3000),
        (200, 2000, 3000),
        (300, 3000, 3000),
    ]
    assert not listing.refreshing and any(change.rows is None for change in changes)


async def test_an_expression_that_takes_too_long_ends_with_its_sentence(
    desk: Desk, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expressions, "SECONDS", 0.01)
    hostile = Expression("(p+)+$")
    listing = await desk.shown(local=lambda row: hostile.found_in(f"{row['name']}{'p' * 5_000}!"))
    assert listing.error_message == "The expression takes too long to search. Simplify its repetitions."
    assert listing.total in (0, None)


async def test_another_filter_of_the_same_list_sends_no_requests(desk: Desk) -> None:
    await desk.shown(local=ends_in_7)
    asked = len(desk.line.requests)
    listing = await desk.shown(local=lambda row: row["name"] == "App 8")
    assert (listing.total, listing.row(0)) == (1, {"id": "a8", "name": "App 8"})
    assert len(desk.line.requests) == asked


async def test_rows_dropped_from_memory_are_read_from_the_cache(desk: Desk, script: Script) -> None:
    script.total = 9_000
    listing = await desk.shown(local=lambda row: True)
    assert listing.total == 9_000
    assert listing.row(8_999) is None
    listing.request(8_950, 8_999)
    await listing.wait_until_idle()
    assert listing.row(8_999) == {"id": "a8999", "name": "App 8999"}
    assert listing.index_of("a8999") == 8_999
    assert listing.row(0) is None, "for every row that comes another one goes"
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert listing.row(0) is not None
    assert len(desk.line.lists) == 9


async def test_a_refresh_reports_only_rows_that_differ(desk: Desk, script: Script) -> None:
    listing = await desk.shown(local=ends_in_7)
    changes: list[ListChanged] = []
    listing.subscribe(changes.append)
    script.row = lambda number: {"id": f"a{number}", "name": f"App {number}", "state": "new" if number == 17 else ""}
    listing.refresh()
    await listing.wait_until_idle()
    changes.clear()
    script.row = lambda number: {"id": f"a{number}", "name": f"App {number}", "state": "old" if number == 17 else ""}
    listing.refresh()
    await listing.wait_until_idle()
    assert [change.rows for change in changes if change.rows] == [frozenset({1})]
    script.row = lambda number: {"id": f"a{number}", "name": f"App {number}" if number != 17 else "other"}
    changes.clear()
    listing.refresh()
    await listing.wait_until_idle()
    assert (listing.total, listing.index_of("a17"), listing.index_of("a27")) == (99, None, 1)
    assert any(change.rows is None for change in changes)


async def test_a_refresh_during_a_scan_starts_it_again(desk: Desk, script: Script) -> None:
    script.total = 3_000
    listing, _ = desk.list(local=ends_in_7)
    desk.line.hold()
    listing.request(0, 20)
    await until(lambda: desk.line.in_progress == 1)
    listing.refresh()
    await until(lambda: len(desk.line.requests) == 2)
    desk.line.release()
    await listing.wait_until_idle()
    assert (listing.total, listing.error_message, desk.line.cancelled) == (300, "", 1)


async def test_changed_and_deleted_records_are_shown(desk: Desk) -> None:
    listing = await desk.shown(local=ends_in_7)
    listing.record_changed("a17", {"id": "a17", "name": "App 17", "state": "stopped"})
    assert listing.row(1) == {"id": "a17", "name": "App 17", "state": "stopped"}
    listing.record_gone("a7")
    assert (listing.total, listing.index_of("a17")) == (99, 0)
    await listing.wait_until_idle()


async def test_a_record_that_was_deleted_elsewhere_is_not_found_in_the_place_of_another_one(
    desk: Desk, script: Script
) -> None:
    listing = await desk.shown(local=lambda row: True)
    script.total = 898
    script.row = lambda number: {"id": f"a{number + (number >= 17)}", "name": f"App {number + (number >= 17)}"}
    listing.refresh()
    await listing.wait_until_idle()
    assert [listing.index_of(f"a{number}") for number in (16, 17, 18, 898, 999)] == [16, None, 17, 897, None]
    assert len(list(listing.shown())) == 898


async def test_rows_that_no_longer_match_are_not_shown(desk: Desk, script: Script) -> None:
    listing = await desk.shown(local=ends_in_7)
    script.row = lambda number: {"id": f"a{number}", "name": f"App {number}" if number != 17 else "other"}
    listing.refresh()
    await listing.wait_until_idle()
    assert "a17" not in {row["id"] for row in listing.shown()}


async def test_a_refusal_is_reported_and_not_repeated_by_scrolling(desk: Desk, script: Script) -> None:
    script.refusal = (403, {"errorCode": 403, "errorMsg": "Forbidden", "errorDetailsCode": 403000})
    listing = await desk.shown(local=ends_in_7)
    for first in range(20):
        listing.request(first, first + 20)
        await listing.wait_until_idle()
    assert listing.error_message and len(desk.line.requests) == 1


async def test_without_matches_the_list_is_empty(desk: Desk) -> None:
    listing = await desk.shown(local=lambda row: False)
    assert (listing.total, listing.unfiltered_total, listing.row(0)) == (0, 1000, None)
    assert [row async for row in listing.rows()] == []


async def test_an_empty_list_has_no_matches(desk: Desk, script: Script) -> None:
    script.total = 0
    listing = await desk.shown(local=ends_in_7)
    assert (listing.total, listing.unfiltered_total) == (0, 0)


async def test_an_empty_result_is_reported_too(desk: Desk) -> None:
    listing, changes = desk.list(local=lambda row: False)
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert listing.total == 0
    assert any(change.rows is None for change in changes)


async def test_keys_are_handled_while_many_rows_are_checked(desk: Desk, script: Script) -> None:
    """No more than one page is checked in a turn of the event loop."""
    script.total = 9_000
    checked = most = 0

    def counts(row: RecordDict) -> bool:
        nonlocal checked, most
        checked += 1
        most = max(most, checked)
        return False

    async def takes_turns() -> None:
        nonlocal checked
        while True:
            checked = 0
            await asyncio.sleep(0)

    turns = asyncio.create_task(takes_turns())
    for _ in range(2):
        listing = await desk.shown(local=counts)
        assert listing.loaded == 9_000
    turns.cancel()
    assert most == PAGE
