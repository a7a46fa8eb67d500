"""A service on a real socket, and clients of its events: a foreign one, and one that can send anything."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from websockets.asyncio.client import ClientConnection, connect

from svc_tui.server.events.session_registry import SessionRegistry
from svc_tui.server.running.processes import Server, ServerOptions
from svc_tui.server.store.events import Event
from tests.support.world import World

FOREIGN = Path(__file__).parent / "foreign"
DOMAIN, NAME, MESSAGE_PASSWORD = "demo.example", "1a" * 16, "5e" * 16
ADDRESS = f"{NAME}@{DOMAIN}"

Document = dict[str, Any]


@asynccontextmanager
async def listening(world: World) -> AsyncIterator[str]:
    """The world's service on a free port, as `svc-tui serve` serves it. Its address without scheme."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
        server = Server(ServerOptions(world.service.settings, f"http://{place}"), world.app, listener)
        # The world has started the application already.
        server.config.lifespan = "off"
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield place
        finally:
            server.should_exit = True
            await task


async def admin(world: World, **fields: Any) -> Document:
    """A user with an address for events."""
    values = {"jid_im": ADDRESS, "jid_password": MESSAGE_PASSWORD, "roles": ("company_admin",), **fields}
    return await world.user(**values)


async def tell(world: World, user: Document, *names: str, name: str = "command_ended") -> None:
    """Write these events for a user, in one transaction each, as a rule does."""
    for each in names:
        async with world.service.database.unit() as store:
            await store.events.add(Event(name, (user["id"],), {"commandId": each}), now=world.clock.now())
        world.service.event_delivery.wake()


async def waiting(world: World, user: Document) -> list[str]:
    """The commands of the events that are not yet delivered to a user."""
    await world.service.event_delivery.settled()
    async with world.service.database.unit() as store:
        return [event["content"]["commandId"] for _, event in await store.events.log_of(user["id"], limit=100_000)]


async def until_empty(world: World, user: Document) -> None:
    """Wait until all events of a user are delivered and removed."""
    # The confirmation of the client arrives over the socket; only its effect can be seen.
    while await waiting(world, user):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def session_registry(world: World) -> SessionRegistry:
    return world.service.part(SessionRegistry)


@dataclass
class Foreign:
    """`@xmpp/client` from npm in its own process."""

    process: asyncio.subprocess.Process

    async def line(self) -> Document:
        """The next thing that happened."""
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        assert line, "the client ended"
        found: Document = json.loads(line)
        return found

    async def say(self, **order: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        await self.process.stdin.drain()


@asynccontextmanager
async def foreign(
    address: str,
    *,
    resource: str = "peer",
    mechanism: str = "",
    name: str = NAME,
    password: str = MESSAGE_PASSWORD,
) -> AsyncIterator[Foreign]:
    """The foreign client, connected to this WebSocket address. The test is skipped where it is not installed."""
    node = shutil.which("node")
    if node is None or not (FOREIGN / "node_modules").exists():
        pytest.skip("needs node, and npm ci in tests/server/events/foreign")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        node, str(FOREIGN / "client.js"), address, DOMAIN, name, resource, mechanism, stdin=pipe, stdout=pipe
    )
    assert process.stdin is not None
    process.stdin.write(password.encode() + b"\n")
    try:
        yield Foreign(process)
    finally:
        process.stdin.close()
        try:
            async with asyncio.timeout(10):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


class Raw:
    """A connection that sends any text, and reads elements."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def say(self, text: str) -> None:
        await self.connection.send(text)

    async def hear(self) -> Element:
        return fromstring(str(await self.connection.recv()))

    async def ask(self, text: str) -> Element:
        """The answer to a message."""
        await self.say(text)
        return await self.hear()

    async def open(self) -> Element:
        """Open the stream. Returns its features."""
        await self.ask(f'<open xmlns="urn:ietf:params:xml:ns:xmpp-framing" to="{DOMAIN}" version="1.0"/>')
        return await self.hear()

    async def authenticate(self, name: str = NAME, password: str = MESSAGE_PASSWORD) -> Element:
        """Authenticate with PLAIN. Returns the answer."""
        import base64

        data = base64.b64encode(f"\0{name}\0{password}".encode()).decode()
        return await self.ask(f'<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN">{data}</auth>')

    async def bind(self, resource: str = "raw") -> Element:
        """Bind a resource after the authentication. Returns the answer."""
        await self.open()
        return await self.ask(
            '<iq xmlns="jabber:client" type="set" id="b"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind">'
            f"<resource>{resource}</resource></bind></iq>"
        )

    async def log_in(self, resource: str = "raw", **credentials: str) -> None:
        """Everything until the session is bound and available."""
        await self.open()
        await self.authenticate(**credentials)
        await self.bind(resource)
        await self.ask('<presence xmlns="jabber:client"/>')

    async def confirm(self, ping: Element) -> None:
        """Answer a ping of the server."""
        await self.say(f'<iq xmlns="jabber:client" type="result" id="{ping.get("id")}" to="{DOMAIN}"/>')


@asynccontextmanager
async def raw(place: str, **options: Any) -> AsyncIterator[Raw]:
    """A WebSocket connection to the endpoint."""
    async with connect(f"ws://{place}/websocket", subprotocols=["xmpp"], **options) as connection:  # type: ignore[list-item]
        with suppress(ConnectionError):
            yield Raw(connection)
