"""Clients that send more than a client does: without a login, many at once, or thousands of messages in a row."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed

from svc_tui.interface import messaging
from svc_tui.server.events import handshakes
from svc_tui.server.events.stream import ClientStream
from tests.server.events.support import DOMAIN, NAME, Raw, admin, listening, raw
from tests.server.events.test_endpoint import SASL, last_words
from tests.support.world import World, refused

PING = '<iq xmlns="jabber:client" type="get" id="p"><ping xmlns="urn:xmpp:ping"/></iq>'
LIMITED = {"rates": {"login": {"address": 6, "account": 3}}, "lock_failures": 100}


def begin(mechanism: str = "SCRAM-SHA-256", name: str = NAME) -> str:
    """The first message of a login by SCRAM."""
    data = base64.b64encode(f"n,,n={name},r=nonce".encode()).decode()
    return f'<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="{mechanism}">{data}</auth>'


@asynccontextmanager
async def opened(place: str) -> AsyncIterator[Raw]:
    """A connection with an open stream."""
    async with raw(place) as client:
        await client.open()
        yield client


async def answer_to(place: str, text: str) -> str:
    """What a new connection gets for a first message of a login; with the stream error, when the connection ends."""
    async with opened(place) as client:
        answer = await client.ask(text)
        name = answer.tag.removeprefix(SASL)
        if name == "failure" and (condition := answer[0].tag.removeprefix(SASL)) != "not-authorized":
            return f"{condition} {await last_words(client)}"
        return name


@pytest.mark.parametrize(
    "text",
    [begin(), begin(name="stranger"), '<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN"/>'],
    ids=["with SCRAM", "of no user", "without data"],
)
async def test_a_login_that_begins_again_is_another_attempt(world: World, text: str) -> None:
    await admin(world)
    async with listening(world) as place, opened(place) as client:
        for _ in range(3):
            assert (await client.ask(text)).tag == f"{SASL}challenge"
        await client.say(text)
        assert await last_words(client) == "policy-violation"


async def test_a_client_without_an_address_sends_few_messages(world: World) -> None:
    await admin(world)
    async with listening(world) as place, opened(place) as client:
        await client.authenticate()
        await client.open()
        for _ in range(40):
            await client.say(
                '<iq xmlns="jabber:client" type="set" id="b"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind">'
                f"<resource>{'x' * 300}</resource></bind></iq>"
            )
        assert await last_words(client) == "policy-violation"


@pytest.mark.parametrize("world", [LIMITED], indirect=True)
async def test_logins_of_an_account_are_limited_on_all_connections(world: World) -> None:
    await admin(world)
    async with listening(world) as place:
        assert [await answer_to(place, begin()) for _ in range(3)] == ["challenge"] * 3
        assert await answer_to(place, begin("SCRAM-SHA-1")) == "temporary-auth-failure policy-violation"
        assert await answer_to(place, begin(name=NAME.upper())) == "temporary-auth-failure policy-violation"
        assert await answer_to(place, begin(name="stranger")) == "challenge"
        world.clock.forward(seconds=60)
        assert await answer_to(place, begin()) == "challenge"


@pytest.mark.parametrize("world", [LIMITED], indirect=True)
async def test_logins_from_an_address_are_limited_together_with_those_by_password(world: World) -> None:
    await admin(world)
    async with listening(world) as place:
        for number in range(3):
            refused(await world.login(f"unknown{number}@example.com"), 401500)
        for number in range(3):
            assert await answer_to(place, begin(name=f"stranger{number}")) == "challenge"
        assert await answer_to(place, begin()) == "temporary-auth-failure policy-violation"
        refused(await world.login("unknown@example.com"), 429000)


async def test_connections_without_a_login_are_limited_and_others_stay(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshakes, "MOST_STRANGERS", 4)
    await admin(world)
    async with listening(world) as place, raw(place) as member, AsyncExitStack() as stack:
        await member.log_in()
        strangers = [await stack.enter_async_context(opened(place)) for _ in range(6)]
        for stranger in strangers[:2]:
            with pytest.raises(ConnectionClosed):
                await stranger.hear()
        assert (await strangers[2].ask(begin())).tag == f"{SASL}challenge"
        assert (await member.ask(PING)).get("type") == "result"


async def test_keys_of_scram_are_made_beside_the_event_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = set[str]()
    keys = messaging.keys

    def noted(*values: Any) -> messaging.Keys:
        threads.add(threading.current_thread().name)
        return keys(*values)

    monkeypatch.setattr(messaging, "keys", noted)
    await admin(world)
    async with listening(world) as place:
        for name in (NAME, "stranger"):
            assert await answer_to(place, begin(name=name)) == "challenge"
    assert threads
    assert not [name for name in threads if not name.startswith("scram")]


class Rounds:
    """Counts the rounds of the event loop, in each of which other work has its turn, and what is done in each."""

    def __init__(self) -> None:
        self._now = 0
        self.done = Counter[int]()

    def note(self) -> None:
        self.done[self._now] += 1

    async def count(self) -> None:
        while True:
            self._now += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def rounds() -> AsyncIterator[Rounds]:
    made = Rounds()
    counting = asyncio.create_task(made.count())
    try:
        yield made
    finally:
        counting.cancel()


async def test_of_messages_in_a_row_each_has_a_round_of_the_event_loop(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await admin(world)
    async with listening(world) as place, raw(place) as one, raw(place) as other, rounds() as counted:
        await one.log_in("one")
        await other.log_in("other")
        take = ClientStream.take

        async def noted(self: ClientStream, text: str) -> None:
            counted.note()
            await take(self, text)

        monkeypatch.setattr(ClientStream, "take", noted)
        for client in (one, other):
            for _ in range(100):
                await client.say(PING)
        for client in (one, other):
            for _ in range(100):
                assert (await client.hear()).get("type") == "result"
        assert counted.done.total() >= 198
        assert max(counted.done.values()) == 1


async def test_between_two_turns_the_processor_is_free_for_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await admin(world)
    turns = list[float]()
    take = ClientStream.take

    async def noted(self: ClientStream, text: str) -> None:
        turns.append(asyncio.get_running_loop().time())
        await take(self, text)

    async with listening(world) as place, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(raw(place)) for _ in range(3)]
        for number, client in enumerate(clients):
            await client.log_in(str(number))
        monkeypatch.setattr(ClientStream, "take", noted)
        for client in clients:
            for _ in range(20):
                await client.say(PING)
        for client in clients:
            for _ in range(20):
                assert (await client.hear()).get("type") == "result"
    assert len(turns) >= 57
    # However many clients there are.
    assert turns[-1] - turns[0] >= (len(turns) - 1) * handshakes.PACE


async def test_little_is_read_of_a_client_that_continues_after_the_end(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = Counter[handshakes.EventProtocol]()
    parse = WebSocketsSansIOProtocol.data_received

    def noted(self: handshakes.EventProtocol, data: bytes) -> None:
        parsed[self] += len(data)
        parse(self, data)

    await admin(world)
    async with listening(world) as place, opened(place) as client, raw(place) as other:
        await other.log_in()
        monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", noted)
        for _ in range(3):
            await client.ask(begin())
        await client.say(begin())
        client.connection.transport.write(b"\x89\x80\0\0\0\0" * 50_000)
        assert (await client.hear()).tag.endswith("}error")
        for _ in range(40):
            # Behind a turn of the other client, if it has any.
            await other.ask(PING)
        client.connection.transport.abort()
    assert max(parsed.values()) <= handshakes.FAREWELL + 2 * handshakes.PIECE


async def test_frames_are_parsed_a_few_at_a_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = handshakes.EventProtocol.handle_ping
    async with listening(world) as place, raw(place) as client, rounds() as counted:

        def noted(self: handshakes.EventProtocol) -> None:
            counted.note()
            handle(self)

        monkeypatch.setattr(handshakes.EventProtocol, "handle_ping", noted)
        client.connection.transport.write(b"\x89\x80\0\0\0\0" * 5000)
        # Behind all of them.
        await client.open()
        assert counted.done.total() == 5000
        assert max(counted.done.values()) <= 200


async def test_a_message_longer_than_a_piece_arrives_whole_and_in_order(world: World) -> None:
    await admin(world)
    async with listening(world) as place, raw(place) as client:
        await client.log_in()
        for number in range(5):
            padding = "x" * (handshakes.PIECE * 3 + number)
            await client.say(
                PING.replace('id="p"', f'id="{number}" note="{padding}"').replace("<iq", f'<iq to="{DOMAIN}"')
            )
        assert [(await client.hear()).get("id") for _ in range(5)] == [str(number) for number in range(5)]
