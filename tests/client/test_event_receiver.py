"""The client's receiver of live events, against a real Prosody and against our own server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import slixmpp

from svc_tui.client.event_receiver import EventReceiver, ServiceEvent, address_of
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from svc_tui.interface.messaging import CommandEnded
from tests.server.events.support import (
    ADDRESS,
    DOMAIN,
    MESSAGE_PASSWORD,
    NAME,
    admin,
    listening,
    tell,
    until_empty,
    waiting,
)
from tests.support.prosody import COMPONENT, FOREIGN_COMPONENT, SECRET, Prosody, prosody
from tests.support.world import World

CONFIGURATION = "jabber:iq:configuration"


class Receiving:
    """A receiver in the background, with everything it received and every state it had."""

    def __init__(self, profile: Profile, *, user: dict[str, str] | None = None) -> None:
        self.session = Session(profile)
        self.received: asyncio.Queue[ServiceEvent] = asyncio.Queue()
        self.states: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.pauses: list[float] = []
        self.may_continue = asyncio.Event()
        self.may_continue.set()
        self.receiver = EventReceiver(profile, self.session, sleep=self._sleep, chance=lambda: 1.0)
        self.receiver.changed = lambda: self.states.put_nowait((self.receiver.state, self.receiver.reason))
        if user is not None:
            self.log_in(user)

    def log_in(self, user: dict[str, str]) -> None:
        self.session.accept({"token": "a.b.c", "loggedInUser": user})

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await self.may_continue.wait()
        await asyncio.sleep(0.02)

    async def run(self) -> None:
        async with aclosing(self.receiver.events()) as events:
            async for event in events:
                self.received.put_nowait(event)

    async def until(self, state: str) -> str:
        """Wait for a state. Returns its reason."""
        while True:
            found, reason = await self.states.get()
            if found == state:
                return reason

    async def next(self) -> ServiceEvent:
        return await self.received.get()


@asynccontextmanager
async def receiving(
    place: str, password: str = MESSAGE_PASSWORD, *, user_id: str = "", **options: Any
) -> AsyncIterator[Receiving]:
    profile = Profile("test", f"http://{place}", **options)
    running = Receiving(profile, user={"id": user_id, "jid_im": ADDRESS, "jid_password": password})
    task = asyncio.create_task(running.run())
    try:
        yield running
    finally:
        task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def component(server: Prosody, name: str = COMPONENT) -> AsyncIterator[slixmpp.ComponentXMPP]:
    """A component of Prosody that sends what a test says."""
    made = slixmpp.ComponentXMPP(name, SECRET, "127.0.0.1", server.component)
    made.connect()
    await made.wait_until("session_start", 15)
    try:
        yield made
    finally:
        await made.disconnect(wait=1)


def message(id: str, command: str, *, sender: str = COMPONENT, namespace: str = CONFIGURATION, kind: str = "") -> str:
    given = f" type='{kind}'" if kind else ""
    return (
        f"<message{given} id='{id}' from='{sender}' to='{ADDRESS}'>"
        f"<command_ended xmlns='{namespace}' commandId='{command}'/></message>"
    )


@pytest.mark.parametrize("hash", ["SHA-1", "SHA-256"])
async def test_it_receives_events_from_prosody(tmp_path: Path, hash: str) -> None:
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}, hash=hash, disabled=("PLAIN",)) as server:
        async with receiving(f"127.0.0.1:{server.http}") as running, component(server) as events:
            await running.until("live")
            events.send_raw(message("e1", "check-1", kind="management"))
            assert await running.next() == ServiceEvent("e1", "command_ended", CommandEnded(command_id="check-1"))


async def test_the_sender_and_the_namespace_decide_and_not_the_type(tmp_path: Path) -> None:
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}) as server:
        place = f"127.0.0.1:{server.http}"
        async with (
            receiving(place) as running,
            component(server) as events,
            component(server, FOREIGN_COMPONENT) as foreign,
        ):
            await running.until("live")
            foreign.send_raw(message("f1", "of another domain", sender=FOREIGN_COMPONENT, kind="management"))
            # Its answer says that the message before it was handled.
            foreign.register_plugin("xep_0199")
            await foreign.plugin["xep_0199"].send_ping(DOMAIN)
            events.send_raw(message("f2", "of a user", sender=f"joe@{COMPONENT}", kind="management"))
            events.send_raw(message("f3", "of another namespace", namespace="jabber:iq:other", kind="management"))
            events.send_raw(message("e1", "without a type"))
            events.send_raw(message("e1", "again", kind="management"))
            events.send_raw(message("e2", "the last", kind="management"))
            received = [await running.next(), await running.next()]
    assert [event.content.wire()["commandId"] for event in received] == ["without a type", "the last"]


async def test_it_connects_again_when_the_server_was_away(tmp_path: Path) -> None:
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}) as server:
        async with receiving(f"127.0.0.1:{server.http}") as running:
            await running.until("live")
            running.may_continue.clear()
            server.stop()
            assert await running.until("waiting") != ""
            running.may_continue.set()
            while len(running.pauses) < 8:
                await running.until("waiting")
            server.start()
            await running.until("live")
    assert running.pauses[:8] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


async def test_the_password_itself_is_sent_only_where_it_cannot_be_read(tmp_path: Path) -> None:
    disabled = ("SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256-PLUS")
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}, disabled=disabled) as server:
        place = f"127.0.0.1:{server.http}"
        async with receiving(place) as running:
            await running.until("live")
        async with receiving("service.example", xmpp_host=f"ws://{place}") as running:
            assert await running.until("waiting") == "no-safe-mechanism"


async def test_no_part_of_the_password_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    disabled = ("SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256-PLUS")
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}, disabled=disabled) as server:
        async with receiving(f"127.0.0.1:{server.http}") as running:
            await running.until("live")
            assert MESSAGE_PASSWORD not in repr(running.receiver.__dict__)
    # The library would log the beginning and the end of each message.
    assert "xmpp-sasl" not in caplog.text
    assert MESSAGE_PASSWORD not in caplog.text


async def test_a_wrong_password_is_named_and_tried_again_after_a_pause(world: World) -> None:
    await admin(world)
    async with listening(world) as place, receiving(place, password="wrong") as running:
        assert await running.until("waiting") == "not-authorized"


async def test_beyond_the_sessions_and_the_logins_of_a_user_it_tries_seldom(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt counts as a login of the user, who would soon have none left."""
    await admin(world)
    monkeypatch.setattr(world.service.settings, "event_sessions", 1)
    async with listening(world) as place, receiving(place) as first:
        await first.until("live")
        async with receiving(place) as second:
            assert await second.until("waiting") == "resource-constraint"
            assert await second.until("waiting") == "resource-constraint"
        assert second.pauses[:2] == [60.0, 120.0]
        monkeypatch.setattr(world.service.settings.rates.login, "account", 2)
        async with receiving(place) as third:
            assert await third.until("waiting") == "temporary-auth-failure"
        assert third.pauses[:1] == [60.0]


async def test_our_own_server_delivers_to_it_and_forgets_what_it_confirmed(world: World) -> None:
    jane = await admin(world)
    await tell(world, jane, "early")
    async with listening(world) as place, receiving(place) as running:
        assert (await running.next()).content == CommandEnded(command_id="early")
        await tell(world, jane, *(str(number) for number in range(120)))
        received = [(await running.next()).content.wire()["commandId"] for _ in range(120)]
        assert received == [str(number) for number in range(120)]
        await until_empty(world, jane)


async def test_after_another_login_it_receives_the_events_of_the_other_user_only(world: World) -> None:
    jane = await admin(world)
    joe = await admin(world, login="joe@example.com", jid_im=f"{'2b' * 16}@{DOMAIN}")
    async with listening(world) as place, receiving(place, user_id=jane["id"]) as running:
        await running.until("live")
        running.log_in({"id": joe["id"], "jid_im": joe["jid_im"], "jid_password": MESSAGE_PASSWORD})
        await running.until("live")
        await tell(world, jane, "of the first")
        await tell(world, joe, "of the second")
        assert (await running.next()).content == CommandEnded(command_id="of the second")
        # The next login is not a failure, after which it would wait.
        assert running.pauses == []
        assert await waiting(world, jane) == ["of the first"]


async def test_after_a_logout_the_connection_is_closed(tmp_path: Path) -> None:
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}) as server:
        place = f"127.0.0.1:{server.http}"
        async with receiving(place, user_id="u1") as running, component(server) as events:
            await running.until("live")
            # After this event, the server has nothing more to send.
            events.send_raw(message("e1", "last"))
            await running.next()
            running.session.end()
            assert await running.until("off") == "The login has no address for messages."


async def test_after_a_logout_an_event_that_has_already_arrived_is_dropped(tmp_path: Path) -> None:
    with prosody(tmp_path, {NAME: MESSAGE_PASSWORD}) as server:
        running = Receiving(
            Profile("test", f"http://127.0.0.1:{server.http}"),
            user={"id": "u1", "jid_im": ADDRESS, "jid_password": MESSAGE_PASSWORD},
        )
        async with aclosing(running.receiver.events()) as events, component(server) as sender:
            first = asyncio.create_task(anext(events))
            await running.until("live")
            sender.send_raw(message("e1", "first"))
            sender.send_raw(message("e2", "second"))
            assert (await first).id == "e1"
            # Its answer says that the message before it was handled.
            sender.register_plugin("xep_0199")
            await sender.plugin["xep_0199"].send_ping(DOMAIN)
            for _ in range(50):
                await asyncio.sleep(0)
            running.session.end()
            following = asyncio.create_task(anext(events))
            await running.until("off")
            assert not following.done()
            following.cancel()
            await asyncio.wait([following])


async def test_a_password_that_the_service_has_renewed_is_read_with_a_new_token(world: World) -> None:
    jane = await admin(world)
    answers = iter(("outdated as well", MESSAGE_PASSWORD))

    def answer(password: str) -> dict[str, Any]:
        user = {"id": jane["id"], "jid_im": jane["jid_im"], "jid_password": password}
        return {"token": world.token(jane, jti=password), "loggedInUser": user}

    async def renew(_token: str) -> dict[str, Any]:
        return answer(next(answers))

    async with listening(world) as place, receiving(place) as running:
        running.session.renewer = renew
        running.session.accept(answer("outdated"))
        await running.until("live")
        assert next(answers, None) is None


async def test_a_service_that_refuses_a_password_is_asked_for_one_new_token_only(world: World) -> None:
    jane = await admin(world)
    asked: list[str] = []

    async def renew(token: str) -> dict[str, Any]:
        asked.append(token)
        user = {"id": jane["id"], "jid_im": jane["jid_im"], "jid_password": "wrong"}
        return {"token": world.token(jane, jti=str(len(asked))), "loggedInUser": user}

    async with listening(world) as place:
        running = Receiving(Profile("test", f"http://{place}"))
        running.session.renewer = renew
        running.session.accept(await renew(""))
        task = asyncio.create_task(running.run())
        for _ in range(3):
            await running.until("waiting")
        task.cancel()
        await asyncio.wait([task])
    assert len(asked) == 2


async def test_it_waits_for_a_login_that_has_an_address() -> None:
    running = Receiving(Profile("test", "http://127.0.0.1:9"))
    task = asyncio.create_task(running.run())
    assert await running.until("off") == "The login has no address for messages."
    running.log_in({"jid_im": ADDRESS, "jid_password": MESSAGE_PASSWORD})
    await running.until("connecting")
    assert "no connection" in await running.until("waiting")
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.parametrize(
    ("base_url", "xmpp_host", "address"),
    [
        ("https://svc.example", "", "wss://svc.example/websocket"),
        ("http://127.0.0.1:8080", "", "ws://127.0.0.1:8080/websocket"),
        ("https://svc.example", "xmpp.svc.example:5443", "wss://xmpp.svc.example:5443/websocket"),
        ("https://svc.example", "wss://xmpp.svc.example/xmpp-websocket", "wss://xmpp.svc.example/xmpp-websocket"),
    ],
)
def test_the_address_is_that_of_the_service_or_of_the_profile(base_url: str, xmpp_host: str, address: str) -> None:
    assert address_of(Profile("test", base_url, xmpp_host=xmpp_host)) == address
