"""One record: first from the list or the cache, then from the service; and the records of another user."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import httpx

from svc_tui.cache.cached import CachedList
from svc_tui.client.errors import SessionEnded
from svc_tui.workspace.core.events import SessionChanged
from tests.support.world import World
from tests.workspace.conftest import JANE, Desk, Desks, seeded
from tests.workspace.line import Script, until

Console = Callable[..., Awaitable[Desk]]
ONE = {"appId": f"{1:024x}"}


async def test_the_fields_of_a_list_are_shown_at_once(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    await desk.shown()
    desk.line.hold()
    view = desk.workspace.record("get_application", path=ONE)
    assert view.data is not None and view.data["name"] == "App 001"
    assert (view.partial, view.read_from) == (True, "cache")
    desk.line.release()
    await view.wait_until_idle()
    assert view.data["kpi"] == "business"
    assert (view.partial, view.read_from, view.error_message) == (False, "live", "")


async def test_the_whole_record_is_read(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    view = desk.workspace.record("get_application", path=ONE)
    await view.wait_until_idle()
    assert view.data is not None and "appSecret" in view.data
    assert desk.line.requests[-1].endswith("?format=full")


async def test_offline_a_record_comes_from_the_cache_without_its_secret(
    real: Console, world: World, desks: Desks
) -> None:
    await seeded(world, 3)
    desk = await real()
    view = desk.workspace.record("get_application", path=ONE)
    await view.wait_until_idle()
    read = desk.clock.now()
    user = desk.workspace.user
    await desk.workspace.close()
    desk.clock.forward(minutes=9)
    later = desks.make(httpx.MockTransport(lambda request: httpx.Response(500)), user)
    later.line.cut = True
    later.attach()
    view = later.workspace.record("get_application", path=ONE)
    await view.wait_until_idle()
    assert view.data is not None and view.data["kpi"] == "business" and "appSecret" not in view.data
    assert view.fetched_at == read
    assert view.error_message.startswith("Offline")


async def test_a_missing_record_is_reported(real: Console, world: World) -> None:
    desk = await real()
    view = desk.workspace.record("get_application", path={"appId": "ff" * 12})
    await view.wait_until_idle()
    assert view.data is None and view.error_message and "\n" not in view.error_message


async def test_a_record_without_an_id_fails_with_a_sentence(real: Console) -> None:
    desk = await real()
    view = desk.workspace.record("get_application", path={})
    await view.wait_until_idle()
    assert view.error_message == "Cannot send this request: get_application needs appId."


async def test_the_own_user_is_a_record_too(real: Console) -> None:
    desk = await real()
    view = desk.workspace.record("get_own_user")
    await view.wait_until_idle()
    assert view.data is not None and view.data["loginEmail"] == "jane@example.com"


async def test_a_new_console_has_its_user_before_it_is_connected(desks: Desks, script: Script) -> None:
    first = desks.make(script, {**JANE, "jid_password": "s3cret"})
    first.attach()
    await first.workspace.close()
    second = desks.make(script)
    assert second.workspace.user == JANE
    assert second.workspace.caller is not None and "app_superadmin" in second.workspace.caller.roles
    assert second.workspace.decide("list_applications")


async def test_another_user_sees_nothing_of_the_first_one(desks: Desks, script: Script) -> None:
    desk = desks.make(script, JANE)
    desk.attach()
    listing = await desk.shown()
    journal = desk.workspace.journal
    script.row = lambda number: {"id": f"b{number}", "name": "Other"}
    desk.line.hold()
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": {**JANE, "id": "u1"}})
    assert (listing.row(0), listing.total) == (None, None)
    assert SessionChanged() in desk.events
    assert desk.workspace.cache.read_list_now(listing.key, [0]).total is None
    assert desk.workspace.journal is not journal
    desk.line.release()
    await listing.wait_until_idle()
    assert listing.row(0) == {"id": "b0", "name": "Other"}
    names = sorted(path.name for path in desks.places.cache_of("work").glob("*.db"))
    assert names == ["u0.db", "u1.db"]


async def test_a_late_response_to_the_first_user_is_not_shown_to_another_one(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    view = desk.workspace.record("get_application", path=ONE)
    await view.wait_until_idle()
    desk.line.hold()
    view.refresh()
    await until(lambda: desk.line.in_progress == 1)
    requests = len(desk.line.requests)
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": {**JANE, "id": "u1"}})
    await until(lambda: len(desk.line.requests) > requests)
    desk.line.release()
    await view.wait_until_idle()
    assert view.data is None
    # What it shows is the response to the other user: the service refuses the token.
    assert view.error_message == "The session is not valid: invalid token."
    assert await desk.workspace.cache.read_record("applications", ONE["appId"]) is None


async def test_late_rows_of_the_first_users_cache_are_not_shown_to_another_one(desks: Desks, script: Script) -> None:
    desk = desks.make(script, JANE)
    desk.attach()
    await desk.shown()
    cache, reading, over = desk.workspace.cache, asyncio.Event(), asyncio.Event()
    read = cache.read_list

    async def late(key: str, pages: Sequence[int]) -> CachedList:
        rows = await read(key, pages)
        reading.set()
        await over.wait()
        return rows

    cache.read_list = late  # type: ignore[method-assign]
    listing, _ = desk.list()
    listing.request(0, 20)
    await reading.wait()
    script.row = lambda number: {"id": f"b{number}", "name": "Other"}
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": {**JANE, "id": "u1"}})
    over.set()
    await listing.wait_until_idle()
    assert listing.row(0) == {"id": "b0", "name": "Other"}


async def test_after_a_logout_no_records_are_shown(desks: Desks, script: Script) -> None:
    desk = desks.make(script, JANE)
    desk.attach()
    listing = await desk.shown()
    desk.client.session.end()
    assert (desk.workspace.user, desk.workspace.caller, listing.row(0)) == (None, None, None)
    await listing.wait_until_idle()
    await desk.workspace.close()
    assert desks.make(script).workspace.user is None


async def test_an_expired_session_leaves_the_records_on_the_screen(desks: Desks, script: Script) -> None:
    desk = desks.make(script, JANE)
    desk.attach()
    listing = await desk.shown()
    script.refusal = (401, {"errorCode": 401, "errorMsg": "Unauthorized", "errorDetailsCode": 401202})
    listing.refresh()
    await listing.wait_until_idle()
    assert listing.error_message and listing.row(0) is not None
    assert desk.workspace.user == JANE
    script.refusal = None
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": JANE})
    await until(lambda: listing.refreshing)
    await listing.wait_until_idle()
    assert listing.error_message == ""


async def test_a_cancelled_login_is_not_requested_by_every_row(desks: Desks, script: Script) -> None:
    desk = desks.make(script, JANE)
    desk.attach()
    listing = await desk.shown()
    asked: list[str] = []

    async def declines(ended: SessionEnded) -> bool:
        asked.append(ended.sentence)
        return False

    desk.client.session.open_login = declines
    script.refusal = (401, {"errorCode": 401, "errorMsg": "Unauthorized", "errorDetailsCode": 401202})
    listing.refresh()
    await listing.wait_until_idle()
    assert len(asked) == 1
    for first in range(100, 800, 50):
        desk.clock.forward(minutes=1)
        listing.request(first, first + 20)
        await listing.wait_until_idle()
    view = desk.workspace.record("get_application", path=ONE)
    await view.wait_until_idle()
    assert len(asked) == 1
    assert listing.error_message == "Not logged in: no cached data. Log in with :login."
    listing.refresh()
    await listing.wait_until_idle()
    assert len(asked) == 2
    assert desk.workspace.link.state == "live"
