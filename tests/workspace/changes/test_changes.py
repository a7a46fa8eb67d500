"""A change is shown wherever its record is shown, and nowhere else; with the real service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from svc_tui.client.errors import OutcomeUnknown, ReadOnlyError, Refused, Unreachable
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.events import RecordsChanged
from svc_tui.workspace.kinds.registry import KINDS
from tests.support.world import World
from tests.workspace.conftest import Desk, Desks, seeded
from tests.workspace.line import Script, until

Console = Callable[..., Awaitable[Desk]]
LIST: dict[str, Any] = {"query": {"format": "medium", "sortField": "name", "sortOrder": 1}}


def one(number: int) -> dict[str, str]:
    return {"appId": f"{number:024x}"}


class Late(httpx.AsyncBaseTransport):
    """Carries one request whose response arrives after a change that it does not include."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._service = desk, desk.line.service
        self.changed = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._service.handle_async_request(request)
        content = await answer.aread()
        self._desk.line.service = self._service
        await self._desk.workspace.perform("update_application", path=one(1), body={"type": "bot"})
        self.changed = True
        return httpx.Response(answer.status_code, content=content, headers={"content-type": "application/json"})


async def test_an_update_redraws_its_row_and_nothing_else(real: Console, world: World) -> None:
    await seeded(world, 150)
    desk = await real()
    listing = await desk.shown(**LIST)
    other = await desk.shown(query={"state": "active", "sortField": "type"})
    view = desk.workspace.record("get_application", path=one(7))
    await view.wait_until_idle()
    index = listing.index_of(one(7)["appId"])
    asked, events = len(desk.line.requests), []
    listing.subscribe(events.append)
    await desk.workspace.perform("update_application", path=one(7), body={"type": "mobile"})
    assert listing.row(index)["type"] == "mobile"  # type: ignore[arg-type,index]
    assert view.data is not None and view.data["type"] == "mobile"
    assert [change.rows for change in events] == [frozenset({index})]
    await listing.wait_until_idle()
    assert len([url for url in desk.line.requests[asked:] if "sortOrder=1" in url]) == 0
    await other.wait_until_idle()
    assert len([url for url in desk.line.requests[asked:] if "state=active" in url]) == 1, "it may have moved there"
    assert RecordsChanged("applications", frozenset({one(7)["appId"]})) in desk.events


async def test_a_new_name_moves_the_row_in_a_list_sorted_by_name(real: Console, world: World) -> None:
    await seeded(world, 150)
    desk = await real()
    listing = await desk.shown(0, 160, **LIST)
    await desk.workspace.perform("update_application", path=one(7), body={"name": "Zulu"})
    await listing.wait_until_idle()
    assert listing.index_of(one(7)["appId"]) == (listing.total or 0) - 1


async def test_a_new_record_is_in_the_list(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    listing = await desk.shown(**LIST)
    before = listing.total or 0
    answer = await desk.workspace.perform(
        "create_application", body={"name": "Aardvark", "type": "web", "activity": "J"}
    )
    await listing.wait_until_idle()
    assert listing.total == before + 1
    assert listing.index_of(answer["data"]["id"]) == 0
    assert RecordsChanged("applications", None) in desk.events
    kept = await desk.workspace.cache.read_record("applications", answer["data"]["id"])
    assert kept is not None and "appSecret" not in kept.data
    assert answer["data"]["appSecret"], "who made it sees it"


async def test_a_deleted_record_is_gone_at_once_and_from_the_cache(real: Console, world: World) -> None:
    await seeded(world, 150)
    desk = await real()
    listing = await desk.shown(0, 140, **LIST)
    view = desk.workspace.record("get_application", path=one(7))
    await view.wait_until_idle()
    total, index = listing.total or 0, listing.index_of(one(8)["appId"]) or 0
    desk.line.hold()
    deleting = desk.workspace.perform("delete_application", path=one(7))
    desk.line.release()
    await deleting
    assert (listing.total, listing.index_of(one(8)["appId"])) == (total - 1, index - 1)
    assert listing.index_of(one(7)["appId"]) is None
    assert view.gone
    await listing.wait_until_idle()
    assert listing.total == total - 1
    assert await desk.workspace.cache.read_record("applications", one(7)["appId"]) is None


async def test_stopping_shows_the_new_state(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    listing = await desk.shown(**LIST)
    await desk.workspace.perform("stop_application", path=one(1))
    assert listing.row(listing.index_of(one(1)["appId"]) or 0)["state"] == "stopped"  # type: ignore[index]


async def test_a_response_from_before_the_change_does_not_restore_the_old_value(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    listing = await desk.shown(**LIST)
    desk.line.service = late = Late(desk)
    listing.refresh()
    await listing.wait_until_idle()
    assert late.changed
    assert listing.row(listing.index_of(one(1)["appId"]) or 0)["type"] == "bot"  # type: ignore[index]
    kept = await desk.workspace.cache.read_record("applications", one(1)["appId"], "medium")
    assert kept is not None and kept.data["type"] == "bot"


async def test_a_record_that_was_read_before_the_change_is_read_again(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    view = desk.workspace.record("get_application", path=one(1))
    await view.wait_until_idle()
    desk.line.service = late = Late(desk)
    shown: list[object] = []
    view.subscribe(lambda: shown.append((view.data or {}).get("type")))
    view.refresh_quietly()
    await view.wait_until_idle()
    assert late.changed and view.data is not None
    # The fields that a service sets with the change are read too.
    assert (view.data["type"], shown[shown.index("bot") :].count("web")) == ("bot", 0)
    assert sum("?format=full" in url for url in desk.line.requests) == 3
    kept = await desk.workspace.cache.read_record("applications", one(1)["appId"])
    assert kept is not None and kept.data["type"] == "bot"


async def test_a_change_whose_user_logged_out_before_the_response_leaves_nothing_to_the_next_user(
    real: Console, world: World
) -> None:
    await seeded(world, 3)
    desk = await real()
    # A record of the next user's cache too, into which the change would be merged.
    first, journal, session = desk.client.session.user, desk.workspace.journal, desk.client.session
    desk.line.answers.clear()
    kind, row = KINDS["applications"], {"id": one(1)["appId"], "type": "web"}
    undo = UndoEntry.of_update("Edit App 001", kind, "update_application", one(1), {"type": "bot"}, row)
    changing = asyncio.create_task(
        desk.workspace.perform("update_application", path=one(1), body={"type": "bot"}, undo=undo)
    )
    await until(lambda: desk.line.in_progress == 1)
    session.accept({"token": "x.y.z", "loggedInUser": {**(first or {}), "id": "u1"}})
    cache = desk.workspace.cache
    await cache.store_record("applications", row["id"], row, operation_id="get_application", fetched=1.0)
    desk.line.answers.set()
    assert (await changing)["data"]["type"] == "bot"
    stored = await cache.read_record("applications", row["id"])
    assert stored is not None and stored.data["type"] == "web"
    assert ([each.label for each in journal.entries], desk.workspace.journal.entries) == (["Edit App 001"], ())


async def test_a_change_without_a_response_marks_the_record_as_stale(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    listing = await desk.shown(**LIST)
    view = desk.workspace.record("get_application", path=one(1))
    await view.wait_until_idle()
    desk.line.loses_answers = True
    with pytest.raises(OutcomeUnknown):
        await desk.workspace.perform("update_application", path=one(1), body={"type": "bot"})
    assert view.stale
    kept = await desk.workspace.cache.read_record("applications", one(1)["appId"])
    assert kept is not None and kept.stale
    desk.line.loses_answers = False
    desk.pauses.end()
    listing.refresh()
    view.refresh()
    await listing.wait_until_idle()
    await view.wait_until_idle()
    assert (view.stale, view.data["type"]) == (False, "bot")  # type: ignore[index]
    assert listing.row(listing.index_of(one(1)["appId"]) or 0)["type"] == "bot"  # type: ignore[index]
    sent = [url for url in desk.line.requests if url == f"/api/svc/applications/v1.0/applications/{one(1)['appId']}?"]
    assert len(sent) == 1, "the change was sent once"


async def test_read_only_sends_no_change(real: Console, world: World) -> None:
    desk = await real("superadmin", read_only=True)
    asked = len(desk.line.requests)
    with pytest.raises(ReadOnlyError) as refused:
        await desk.workspace.perform("delete_application", path=one(1))
    assert "read-only" in refused.value.sentence.lower()
    assert len(desk.line.requests) == asked
    assert desk.workspace.decide("delete_application").reason == "read-only"
    assert desk.workspace.decide("list_applications")
    assert desk.client.read_only, "the client is read-only too"


async def test_read_only_is_the_reason_even_without_a_connection(desks: Desks, script: Script) -> None:
    made = desks.make(script, read_only=True)
    with pytest.raises(ReadOnlyError):
        await made.workspace.perform("delete_application", path=one(1))


async def test_an_operation_that_the_role_forbids_is_refused_in_advance(real: Console) -> None:
    desk = await real("user")
    decision = desk.workspace.decide("list_client_versions")
    assert (decision.allowed, decision.reason) == (False, "needs superadmin")


async def test_a_refused_change_changes_nothing_here(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    listing = await desk.shown(**LIST)
    events: list[object] = []
    listing.subscribe(events.append)
    desk.events.clear()
    with pytest.raises(Refused):
        await desk.workspace.perform("update_application", path=one(1), body={"name": ""})
    await listing.wait_until_idle()
    assert (events, [event for event in desk.events if isinstance(event, RecordsChanged)]) == ([], [])


async def test_without_a_connection_a_change_fails_with_one_sentence(real: Console) -> None:
    desk = await real()
    desk.line.cut = True
    with pytest.raises(Unreachable) as refused:
        await desk.workspace.perform("delete_application", path=one(1))
    assert "\n" not in refused.value.sentence
    assert desk.workspace.link.state == "offline"
