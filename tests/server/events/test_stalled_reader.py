"""A reader that stops reading, so that its TCP window closes, costs a batch of memory and only its own session."""

from __future__ import annotations

import asyncio
import socket
import tracemalloc

import pytest

from svc_tui.server.events import endpoint, session
from svc_tui.server.store.events import Event
from tests.server.events.support import Raw, admin, listening, raw, session_registry, tell, waiting
from tests.support.world import World

OTHER, OTHER_NAME = "other@example.com", "2b" * 16
#: Events of 24 MB, of which one batch has 3 MB.
COUNT, LENGTH = 400, 60_000


async def until_sessions(world: World, count: int) -> None:
    """Wait until this number of sessions is open."""
    # A session ends in the server, without an event that the test could await.
    async with asyncio.timeout(20):
        while len(session_registry(world)) != count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def stalled_socket(place: str) -> socket.socket:
    """A connection with the smallest window."""
    host, _, port = place.partition(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setblocking(False)
    await asyncio.get_running_loop().sock_connect(made, (host, int(port)))
    return made


async def test_a_reader_that_stops_reading_is_ended_and_no_other_one_is_affected(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "CONFIRM_SECONDS", 1.5)
    monkeypatch.setattr(endpoint, "CLOSE_SECONDS", 0.2)
    stalled = await admin(world)
    reading = await admin(world, login=OTHER, jid_im=f"{OTHER_NAME}@demo.example")
    await fill(world, stalled["id"])
    await world.service.event_delivery.deliver()
    async with listening(world) as place, raw(place) as reader:
        await log_in(reader, OTHER_NAME)
        async with raw(place, sock=await stalled_socket(place), max_queue=1, max_size=None, close_timeout=0) as client:
            tracemalloc.start()
            before = tracemalloc.get_traced_memory()[0]
            await client.log_in()
            await until_sessions(world, 2)
            await tell(world, reading, "for the other")
            assert (await reader.hear())[0].get("commandId") == "for the other"
            await reader.confirm(await reader.hear())
            await until_sessions(world, 1)
            peak = tracemalloc.get_traced_memory()[1] - before
            tracemalloc.stop()
            client.connection.transport.abort()
        await tell(world, reading, "after it")
        assert (await reader.hear())[0].get("commandId") == "after it"
    assert len(await waiting(world, stalled)) == COUNT
    assert peak < 12_000_000, f"{peak} bytes"


async def fill(world: World, user_id: str) -> None:
    async with world.service.database.unit() as store:
        for number in range(COUNT):
            content = {"commandId": str(number), "title": "x" * LENGTH}
            await store.events.add(Event("command_ended", (user_id,), content), now=world.clock.now())


async def log_in(client: Raw, name: str) -> None:
    await client.open()
    await client.authenticate(name)
    await client.bind()
    await client.ask('<presence xmlns="jabber:client"/>')
