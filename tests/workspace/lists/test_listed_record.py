"""A record that is looked up in its list: found on any page, updated, and missing when it is gone."""

from __future__ import annotations

from svc_tui.workspace.lists.listed_record import ListedRecord
from tests.workspace.conftest import JANE, Desk
from tests.workspace.line import Script, until


def record(desk: Desk, record_id: str) -> ListedRecord:
    return ListedRecord(desk.workspace.listing("list_applications"), record_id)


async def test_a_record_on_the_first_page_is_found(desk: Desk) -> None:
    found = record(desk, "a7")
    await until(lambda: found.data is not None)
    assert (found.data, found.error_message, found.read_from) == ({"id": "a7", "name": "App 7"}, "", "live")
    assert desk.line.lists == [(0, 100)]


async def test_the_list_is_searched_page_by_page(desk: Desk) -> None:
    found = record(desk, "a250")
    await until(lambda: found.data is not None)
    assert (found.data or {}).get("name") == "App 250"
    assert desk.line.lists == [(0, 100), (100, 100), (200, 100)]


async def test_a_record_on_no_page_is_reported(desk: Desk, script: Script) -> None:
    script.total = 150
    found = record(desk, "gone")
    error_messages: list[str] = []
    found.subscribe(lambda: error_messages.append(found.error_message))
    await until(lambda: bool(found.error_message))
    assert (found.error_message, found.data) == ("This record is no longer in the list.", None)
    assert error_messages[-1] == found.error_message


async def test_a_refresh_shows_the_changed_record(desk: Desk, script: Script) -> None:
    found = record(desk, "a7")
    await until(lambda: found.data is not None)
    script.row = lambda number: {"id": f"a{number}", "name": f"Application {number}"}
    found.refresh()
    await until(lambda: (found.data or {}).get("name") == "Application 7")


async def test_another_user_sees_nothing_of_the_first_one(desk: Desk, script: Script) -> None:
    found = record(desk, "a250")
    await until(lambda: found.data is not None)
    script.total = 200
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": {**JANE, "id": "u1"}})
    assert found.data is None
    await until(lambda: bool(found.error_message))
    assert (found.data, found.error_message) == (None, "This record is no longer in the list.")


async def test_for_another_user_the_record_is_looked_up_from_the_first_page_on(desk: Desk, script: Script) -> None:
    found = record(desk, "a250")
    await until(lambda: found.data is not None)
    script.total, script.row = 150, lambda number: {"id": "a250" if number == 7 else f"b{number}", "name": "Other"}
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": {**JANE, "id": "u1"}})
    await until(lambda: found.data is not None)
    assert found.data == {"id": "a250", "name": "Other"}


async def test_offline_is_reported_and_the_record_stays(desk: Desk) -> None:
    listing = desk.workspace.listing("list_applications")
    first = ListedRecord(listing, "a7")
    # It is also in the cache now.
    await listing.wait_until_idle()
    first.close()
    desk.line.cut = True
    again = record(desk, "a7")
    await until(lambda: again.data is not None)
    again.refresh()
    await until(lambda: bool(again.error_message))
    assert (again.data or {}).get("name") == "App 7"
    assert "Offline" in again.error_message


async def test_a_record_that_leaves_the_list_keeps_its_fields_and_is_reported(desk: Desk, script: Script) -> None:
    found = record(desk, "a7")
    await until(lambda: found.data is not None)
    script.row = lambda number: {"id": f"b{number}", "name": "Other"}
    found.refresh_quietly()
    await until(lambda: bool(found.error_message))
    assert (found.error_message, found.data) == (
        "This record is no longer in the list.",
        {"id": "a7", "name": "App 7"},
    )


async def test_a_record_whose_page_left_the_list_is_reported(desk: Desk, script: Script) -> None:
    found = record(desk, "a250")
    await until(lambda: found.data is not None)
    script.total = 200
    found.refresh()
    await until(lambda: bool(found.error_message))
    assert found.error_message == "This record is no longer in the list."
    assert (found.data or {}).get("name") == "App 250"


async def test_a_refused_list_is_not_requested_page_after_page(desk: Desk, script: Script) -> None:
    found = record(desk, "a7")
    await until(lambda: found.data is not None)
    found.close()
    script.refusal = (403, {"errorCode": 403, "errorMsg": "Forbidden"})
    desk.line.lists.clear()
    other = record(desk, "missing")
    other.refresh()
    await until(lambda: bool(other.error_message))
    await other.wait_until_idle()
    assert "no longer" not in other.error_message
    assert len(desk.line.lists) <= 2


async def test_a_record_that_moved_into_a_cached_page_is_found_when_the_page_is_read_again(
    desk: Desk, script: Script
) -> None:
    listing = desk.workspace.listing("list_applications")
    first = ListedRecord(listing, "a7")
    await listing.wait_until_idle()
    first.close()
    await desk.workspace.cache.mark_lists_stale("applications")
    script.row = lambda number: {"id": "new" if number == 7 else f"a{number}", "name": "App"}
    error_messages: list[str] = []
    again = record(desk, "new")
    again.subscribe(lambda: error_messages.append(again.error_message))
    await until(lambda: again.data is not None)
    assert not any(error_messages)
    assert desk.line.lists == [(0, 100), (0, 100)]
