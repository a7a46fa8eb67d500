"""Waiting for a filter: what changes while no event can arrive is not missed, and many who wait do not come at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from svc_tui.console.core.places import Link
from svc_tui.console.core.waiting import SECONDS, Awaited, CannotWait
from svc_tui.console.shell.resources import BY_NAME
from tests.server.events.support import admin, listening, session_registry
from tests.support.world import World
from tests.workspace.changes.test_live_events import until
from tests.workspace.conftest import Desk, Desks, seeded
from tests.workspace.line import Script

ID = "5f" * 12


def awaited(desk: Desk, link: str, *, absent: bool = False) -> Awaited:
    parsed = Link.parse(link)
    return Awaited(BY_NAME[parsed.place.kind], parsed, desk.workspace, absent=absent)


def begins(desk: Desk, waits: Awaited) -> asyncio.Task[None]:
    """Start to wait; no pause ends by itself, and events are followed after the first read."""
    follow = lambda: desk.workspace.live.follow(desk.client)  # noqa: E731
    return asyncio.create_task(waits.wait(follow=follow, pause=desk.pauses))


async def is_read(waits: Awaited) -> None:
    async with asyncio.timeout(20):
        while waits.matches is None:  # noqa: ASYNC110 - what is awaited here has no event of its own
            await asyncio.sleep(0)


async def waiting_desk(desks: Desks, world: World, place: str) -> Desk:
    """The console of an administrator, whose events are not followed yet."""
    jane = await admin(world, roles=("app_superadmin",))
    desk = desks.make(httpx.ASGITransport(app=world.app, raise_app_exceptions=False), jane, world.token(jane))
    desk.client.profile = replace(desk.client.profile, xmpp_host=f"ws://{place}")
    desk.attach()
    return desk


async def test_a_change_between_the_first_read_and_the_first_event_is_not_missed(world: World, desks: Desks) -> None:
    async with listening(world) as place:
        desk = await waiting_desk(desks, world, place)
        waits = awaited(desk, 'applications?filter=name:="App 000"')
        channel = desk.workspace.live
        task = asyncio.create_task(waits.wait(follow=lambda: None, pause=desk.pauses))
        await is_read(waits)
        # No event reports it.
        await seeded(world, 1)
        assert not waits.holds
        channel.follow(desk.client)
        await asyncio.wait_for(task, 20)
        assert desk.pauses.requests and channel.channel.state == "live"
        await desk.workspace.close()


@pytest.mark.parametrize("place", ["applications", f"applications/{0:024x}"])
async def test_a_change_while_the_events_are_interrupted_is_not_missed(world: World, desks: Desks, place: str) -> None:
    await seeded(world, 1)
    async with listening(world) as address:
        desk = await waiting_desk(desks, world, address)
        waits = awaited(desk, f"{place}?filter=state:stopped")
        task = begins(desk, waits)
        await until(lambda: desk.workspace.live.channel.state == "live")
        await is_read(waits)
        for session in list(session_registry(world)._sessions.values()):
            session.end("conflict")
        await until(lambda: desk.workspace.live.channel.state == "waiting")
        await seeded(world, 1, state="stopped")
        await asyncio.wait_for(task, 20)
        assert desk.workspace.live.channel.state == "live"
        await desk.workspace.close()


async def test_what_holds_already_opens_no_connection_for_events(world: World, desks: Desks) -> None:
    await seeded(world, 1)
    async with listening(world) as place:
        desk = await waiting_desk(desks, world, place)
        await asyncio.wait_for(begins(desk, awaited(desk, "applications?filter=state:active")), 20)
        assert desk.workspace.live.channel.state == "off"
        await desk.workspace.close()


async def test_events_are_followed_the_later_the_longer_the_first_read_took(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, delays = asyncio.get_running_loop(), list[float]()
    later = loop.call_later
    followed = asyncio.Event()

    def noted(delay: float, callback: Any, *rest: Any, **named: Any) -> Any:
        if callback == followed.set:
            delays.append(delay)
        return later(0 if callback == followed.set else delay, callback, *rest, **named)

    monkeypatch.setattr(loop, "call_later", noted)
    desk.line.hold()
    waits = awaited(desk, "applications?filter=name:=none")
    task = asyncio.create_task(waits.wait(follow=followed.set, pause=desk.pauses, chance=lambda: 1.0))
    await until(lambda: desk.line.in_progress)
    asked = loop.time()
    await asyncio.to_thread(lambda: None)
    answered = loop.time()
    assert not delays
    desk.line.release()
    await asyncio.wait_for(followed.wait(), 20)
    assert delays[0] > answered - asked
    # Reads without an event are spread too.
    assert set(desk.pauses.requests) == {SECONDS * 1.25}
    task.cancel()


#: A place, what is waited for, and the fields of its record before and after.
CHANGES: list[tuple[str, str, bool, dict[str, Any], dict[str, Any]]] = [
    (f"companies/{ID}/subscriptions", "status:creating", True, {"status": "creating"}, {"status": "active"}),
    ("applications", "name:~ml", True, {"name": "Mail"}, {"name": "CRM"}),
    ("applications", "name:/crm$/", False, {"name": "Mail"}, {"name": "My CRM"}),
]


@pytest.mark.parametrize(("place", "filter", "absent", "before", "after"), CHANGES)
async def test_a_synchronisation_ends_and_a_filter_matches_or_no_longer_does(
    desk: Desk, script: Script, place: str, filter: str, absent: bool, before: dict[str, Any], after: dict[str, Any]
) -> None:
    script.total, script.row = 2, lambda number: {"id": f"{number:024x}", **before}
    waits = awaited(desk, f"{place}?filter={filter}", absent=absent)
    task = asyncio.create_task(waits.wait(pause=desk.pauses))
    await until(lambda: waits.matches is not None)
    assert not task.done() and not waits.holds
    script.row = lambda number: {"id": f"{number:024x}", **after}
    await until(task.done, desk)
    await task


REGISTRATIONS = {"data": [], "limit": 100, "offset": 0, "total": 0}


class Telephones(httpx.AsyncBaseTransport):
    """A device, and its registrations."""

    online = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("registrations"):
            rows = [{"user_agent": "M320", "expirationDate": "2099-01-01T00:00:00.000Z"}] * self.online
            return httpx.Response(200, json={**REGISTRATIONS, "data": rows, "total": len(rows)})
        return httpx.Response(200, json={"data": {"id": ID, "description": "Desk"}})


async def test_a_device_registers_and_leaves(desk: Desk) -> None:
    phones = Telephones()
    desk.line.service = phones
    place = f"cloudpbxs/{ID}/sipdevices/{ID}"
    for absent in (False, True):
        waits = awaited(desk, f"{place}?filter=online:yes", absent=absent)
        before = len(desk.pauses.requests)
        task = asyncio.create_task(waits.wait(pause=desk.pauses))
        await until(lambda: len(desk.pauses.requests) > before)  # noqa: B023
        assert not task.done()
        phones.online = not absent
        await until(task.done, desk)
        await task
        waits.close()
    with pytest.raises(CannotWait, match="one record at a time"):
        awaited(desk, f"cloudpbxs/{ID}/sipdevices?filter=online:yes")


async def test_a_service_that_cannot_be_read_is_no_end_of_a_wait(desk: Desk, script: Script) -> None:
    """Neither is it as awaited while nothing is known: `absent` would be true of an empty list."""
    script.total, script.row = 1, lambda number: {"id": ID, "state": "new"}
    script.refusal = (500, {"errorMsg": "down"})
    waits = awaited(desk, "applications?filter=state:new", absent=True)
    task = asyncio.create_task(waits.wait(pause=desk.pauses))
    await until(lambda: waits.obstacle)
    assert not task.done() and waits.matches is None and not waits.holds
    script.refusal = None
    await until(lambda: waits.matches == 1, desk)
    assert not task.done()
    script.total = 0
    await until(task.done, desk)
    await task


@pytest.mark.parametrize("filter", ["", "colour:red", "created:>tomorrow-or-so"])
def test_a_filter_that_is_not_understood_is_refused_at_once(desk: Desk, filter: str) -> None:
    with pytest.raises(CannotWait):
        awaited(desk, f"applications?filter={filter}")
