"""Events as `@xmpp/client`, a client that we did not write, receives them from the server's own endpoint."""

from __future__ import annotations

import pytest

from svc_tui.server.store.events import Event
from tests.server.events.support import (
    ADDRESS,
    DOMAIN,
    admin,
    foreign,
    listening,
    session_registry,
    tell,
    until_empty,
    waiting,
)
from tests.support.world import World

CONTENT = {
    "action": "create",
    "subscriptionId": "51" * 12,
    "companyId": "c0" * 12,
    "offerId": "0f" * 12,
    "offerName": "Voice & <Video> \x00 «Größe»",
    "status": "creating",
    "syncOngoing": True,
    "maxNumberUsers": 10,
}


@pytest.mark.parametrize("mechanism", ["", "PLAIN", "SCRAM-SHA-1"])
async def test_it_connects_with_each_of_its_mechanisms(world: World, mechanism: str) -> None:
    await admin(world)
    async with listening(world) as place, foreign(f"ws://{place}/websocket", mechanism=mechanism) as peer:
        assert await peer.line() == {"available": f"{ADDRESS}/peer"}
        await peer.say(ask="ping")
        assert await peer.line() == {"pong": True}


async def test_a_wrong_password_is_refused(world: World) -> None:
    await admin(world)
    async with listening(world) as place, foreign(f"ws://{place}/websocket", password="0" * 32) as peer:
        assert {"failed": "not-authorized"} in [await peer.line(), await peer.line()]


async def test_it_receives_waiting_and_new_events(world: World) -> None:
    jane = await admin(world)
    async with world.service.database.unit() as store:
        event = Event("companysubscription", (jane["id"],), CONTENT)
        await store.events.add(event, now=world.clock.now())
    world.service.event_delivery.wake()
    async with listening(world) as place, foreign(f"ws://{place}/websocket") as peer:
        assert "available" in await peer.line()
        first = await peer.line()
        assert first == {
            "type": "management",
            "id": event.id,
            "from": DOMAIN,
            "to": f"{ADDRESS}/peer",
            "name": "companysubscription",
            "namespace": "jabber:iq:configuration",
            "attributes": {
                "xmlns": "jabber:iq:configuration",
                "action": "create",
                "subscriptionId": "51" * 12,
                "companyId": "c0" * 12,
            },
            "children": {
                "offerId": "0f" * 12,
                "offerName": "Voice & <Video> \N{REPLACEMENT CHARACTER} «Größe»",
                "status": "creating",
                "syncOngoing": "true",
                "maxNumberUsers": "10",
            },
        }
        await tell(world, jane, "check-1")
        later = await peer.line()
        assert (later["name"], later["attributes"]["commandId"]) == ("command_ended", "check-1")
        await until_empty(world, jane)


async def test_each_of_several_sessions_receives_each_event(world: World) -> None:
    jane = await admin(world)
    async with listening(world) as place:
        address = f"ws://{place}/websocket"
        async with foreign(address, resource="one") as one, foreign(address, resource="two") as two:
            assert "available" in await one.line()
            assert "available" in await two.line()
            await tell(world, jane, *(str(number) for number in range(120)))
            for peer in (one, two):
                received = [(await peer.line())["attributes"]["commandId"] for _ in range(120)]
                assert received == [str(number) for number in range(120)]
            await until_empty(world, jane)
    assert len(session_registry(world)) == 0


async def test_another_session_with_its_resource_replaces_it(world: World) -> None:
    await admin(world)
    async with listening(world) as place:
        address = f"ws://{place}/websocket"
        async with foreign(address) as one:
            assert "available" in await one.line()
            async with foreign(address) as two:
                assert "available" in await two.line()
                await session_registry(world).check()
                assert await one.line() == {"error": "conflict"}


async def test_it_cannot_send_messages(world: World) -> None:
    joe = await admin(world, login="joe@example.com", jid_im=f"{'2b' * 16}@{DOMAIN}")
    await admin(world)
    async with listening(world) as place, foreign(f"ws://{place}/websocket") as peer:
        assert "available" in await peer.line()
        await peer.say(send=joe["jid_im"])
        refused = await peer.line()
        assert (refused["type"], refused["error"]) == ("error", "not-allowed")
    assert await waiting(world, joe) == []
