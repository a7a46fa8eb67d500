"""Live events: what others change is refreshed where it is shown, with a real service and its real events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from svc_tui.workspace.changes.live_events import LiveEvents
from svc_tui.workspace.core.events import ChannelChanged, ServiceReported
from tests.server.events.support import admin, listening, tell
from tests.server.subscriptions.support import buy, finance, furnished, synchronised
from tests.support.world import COMPANY, World
from tests.workspace.conftest import Desk, Desks

LIST = "list_company_subscriptions"


async def live_desk(desks: Desks, world: World, place: str) -> Desk:
    """The console of the company's administrator, with its event channel open."""
    jane = await admin(world)
    transport = httpx.ASGITransport(app=world.app, raise_app_exceptions=False)
    desk = desks.make(transport, jane, world.token(jane))
    desk.client.profile = replace(desk.client.profile, xmpp_host=f"ws://{place}")
    desk.attach()
    desk.workspace.live.follow(desk.client)
    await until(lambda: desk.workspace.live.channel.state == "live")
    return desk


async def until(condition: Callable[[], bool], desk: Desk | None = None) -> None:
    """Wait for the effect of what arrives over a socket; the pauses of a desk end at once."""
    async with asyncio.timeout(20):
        while not condition():
            if desk is not None:
                desk.pauses.end()
            await asyncio.sleep(0.01)


async def test_a_subscription_that_another_bought_appears_and_becomes_active_without_a_key(
    world: World, desks: Desks
) -> None:
    await furnished(world)
    seller = await finance(world)
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        listing = desk.workspace.listing(LIST, path={"companyId": COMPANY}, query={"format": "full"})
        listing.request(0, 10)
        await listing.wait_until_idle()
        before = listing.total or 0
        bought = await buy(world, seller)

        def status() -> str:
            found = listing.index_of(bought["id"])
            row = listing.row(found) if found is not None else None
            return str(row["status"]) if row else ""

        await until(lambda: status() == "creating", desk)
        assert listing.total == before + 1
        await synchronised(world)
        await until(lambda: status() == "active", desk)

        def reported() -> list[tuple[str, object]]:
            reports = [event for event in desk.events if isinstance(event, ServiceReported)]
            return [(event.name, event.content["status"]) for event in reports]

        # The row can be read again before its second event is reported.
        await until(lambda: len(reported()) == 2, desk)
        assert reported() == [("companysubscription", "creating"), ("companysubscription", "active")]
        await desk.workspace.close()


async def test_an_event_that_names_no_record_is_reported_and_requests_nothing(world: World, desks: Desks) -> None:
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        requests = len(desk.line.requests)
        jane = await world.stored("users", str(desk.client.session.user_id))
        await tell(world, jane, "check-1")
        await until(lambda: any(isinstance(event, ServiceReported) for event in desk.events))
        assert len(desk.line.requests) == requests
        await desk.workspace.close()


async def test_the_channel_gives_the_reason_when_nothing_arrives(world: World, desks: Desks) -> None:
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
    await until(lambda: desk.workspace.live.channel.state == "waiting")
    states = [event.channel.state for event in desk.events if isinstance(event, ChannelChanged)]
    assert states[:3] == ["connecting", "live", "waiting"]
    assert desk.workspace.live.channel.reason != ""


async def test_after_an_internal_error_with_an_event_the_screen_is_polled_and_the_error_is_reported(
    world: World, desks: Desks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(LiveEvents, "_process", broken)
    errors: list[object] = []
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(str(context["exception"])))
        await tell(world, await world.stored("users", str(desk.client.session.user_id)), "check-1")
        await until(lambda: desk.workspace.live.channel.state == "off")
        assert isinstance(desk.events[-1], ChannelChanged) and desk.events[-1].channel.state == "off"
        await until(lambda: errors)
        assert errors == ["inside"]
