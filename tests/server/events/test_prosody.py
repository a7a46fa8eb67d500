"""Events through a real Prosody: this service is its component, `@xmpp/client` connects to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from svc_tui.server.events import component as component_module
from svc_tui.server.http.application import build
from svc_tui.server.service import service_of
from tests.server.events.support import (
    ADDRESS,
    MESSAGE_PASSWORD,
    NAME,
    admin,
    foreign,
    tell,
    until_empty,
    waiting,
)
from tests.support.prosody import COMPONENT, SECRET, Prosody, prosody
from tests.support.world import World


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Prosody]:
    folder = tmp_path / "prosody"
    folder.mkdir()
    with prosody(folder, {NAME: MESSAGE_PASSWORD}) as running:
        yield running


@asynccontextmanager
async def delivering(world: World, server: Prosody, secret: str = SECRET) -> AsyncIterator[World]:
    """The world again, with the settings of a service that delivers through this server."""
    external = {"name": COMPONENT, "secret": secret, "port": server.component}
    settings = world.service.settings.model_validate(
        {**world.service.settings.model_dump(), "xmpp_component": external}
    )
    service = service_of(settings, clock=world.clock)
    app = build(settings, service=service)
    async with app.router.lifespan_context(app):
        yield World(app, service, world.clock, world.http)


async def test_events_arrive_through_it_in_order_and_leave_the_log(world: World, server: Prosody) -> None:
    jane = await admin(world)
    async with delivering(world, server) as external:
        async with foreign(f"ws://127.0.0.1:{server.http}/websocket") as peer:
            assert await peer.line() == {"available": f"{ADDRESS}/peer"}
            await tell(external, jane, *(str(number) for number in range(120)))
            received = [await peer.line() for _ in range(120)]
            assert [each["attributes"]["commandId"] for each in received] == [str(number) for number in range(120)]
            first = received[0]
            assert (first["type"], first["from"], first["namespace"]) == (
                "management",
                COMPONENT,
                "jabber:iq:configuration",
            )
        await until_empty(external, jane)


async def test_it_keeps_events_for_a_user_who_is_not_connected(world: World, server: Prosody) -> None:
    jane = await admin(world)
    async with delivering(world, server) as external:
        await tell(external, jane, "while away")
        await until_empty(external, jane)
    async with foreign(f"ws://127.0.0.1:{server.http}/websocket") as peer:
        lines = [await peer.line(), await peer.line()]
    assert "while away" in [line.get("attributes", {}).get("commandId") for line in lines]


async def test_events_wait_here_while_it_does_not_accept_the_component(
    world: World, server: Prosody, monkeypatch: pytest.MonkeyPatch
) -> None:
    jane = await admin(world)
    monkeypatch.setattr(component_module, "CONNECT_SECONDS", 1.0)
    async with delivering(world, server, secret="wrong") as external:
        await tell(external, jane, "kept")
        assert await waiting(external, jane) == ["kept"]
    async with delivering(world, server) as external:
        await until_empty(external, jane)


async def test_its_own_endpoint_is_not_served_then(world: World, server: Prosody) -> None:
    async with delivering(world, server) as external:
        paths = [getattr(route, "path", "") for route in external.app.routes]
    assert "/websocket" not in paths


async def test_events_wait_while_it_is_away_and_arrive_after_its_restart(
    world: World, server: Prosody, monkeypatch: pytest.MonkeyPatch
) -> None:
    jane = await admin(world)
    monkeypatch.setattr(component_module, "RETRY_SECONDS", 0.2)
    async with delivering(world, server) as external:
        await tell(external, jane, "before")
        await until_empty(external, jane)
        server.stop()
        await tell(external, jane, "during")
        assert await waiting(external, jane) == ["during"]
        server.start()
        await until_empty(external, jane)


async def test_a_second_process_logs_once_that_another_one_delivers_and_takes_over_when_it_ends(
    world: World, server: Prosody, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    jane = await admin(world)
    for name in ("RETRY_SECONDS", "TAKEN_SECONDS"):
        monkeypatch.setattr(component_module, name, 0.1)
    refusals = asyncio.Semaphore(0)
    refused = component_module._ConnectionInUse.__init__

    def counted(self: Exception) -> None:
        refused(self)
        refusals.release()

    monkeypatch.setattr(component_module._ConnectionInUse, "__init__", counted)
    with caplog.at_level(logging.INFO):
        async with delivering(world, server) as first:
            await tell(first, jane, "by the first")
            await until_empty(first, jane)
            async with delivering(world, server) as second:
                for _ in range(3):
                    await refusals.acquire()
                said = [each.getMessage() for each in caplog.records if "XMPP server" in each.getMessage()]
                assert [each for each in said if "by another process" in each] == said[1:] and len(said) == 2
                server.stop()
                server.start()
                await tell(second, jane, "by either")
                await until_empty(second, jane)
