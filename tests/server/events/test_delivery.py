"""Delivery that outlives the server, and a reader that is slower than the events."""

from __future__ import annotations

import asyncio
import sqlite3
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import tostring

import httpx
import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from svc_tui.server.events.session import EventSession
from svc_tui.server.store.database import Database
from svc_tui.server.store.events import Event
from tests.server.events.support import DOMAIN, Raw, admin, listening, raw, tell, until_empty
from tests.support.process import serving_demo
from tests.support.world import World

#: Kills the process as SIGKILL does, after the change is committed and before any event has left the outbox.
DIE_BEFORE_DELIVERY = """
import os, signal
from svc_tui.server.store.events import Events
async def deliver(self, *, most=500):
    await self._transaction.lock("outbox")
    from sqlalchemy import select, func
    from svc_tui.server.store.tables import OUTBOX
    if (await self._transaction.rows(select(func.count()).select_from(OUTBOX)))[0][0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
Events.deliver = deliver
"""


def logged_in(url: str) -> dict[str, str]:
    """Token, address and password for messages of the demo's company administrator."""
    headers = {
        "authorization": basic("company_admin@demo.example", PASSWORD),
        APP_AUTH: app_auth(APP_ID, APP_SECRET, PASSWORD),
    }
    body = httpx.get(f"{url}/api/svc/authentication/v1.0/login", headers=headers, timeout=20).json()
    user = body["loggedInUser"]
    return {"token": body["token"], "name": user["jid_im"].split("@")[0], "password": user["jid_password"]}


async def test_an_event_survives_a_kill_between_its_commit_and_its_delivery(tmp_path: Path) -> None:
    command = "c0" * 12
    with serving_demo(tmp_path, before=DIE_BEFORE_DELIVERY) as server:
        who = logged_in(server.url)
        with suppress(httpx.HTTPError):
            httpx.post(
                f"{server.url}/api/svc/massprovisioning/v1.0/directories/imports/synchronize/check?commandId={command}",
                headers={"authorization": f"Bearer {who['token']}", "content-type": "text/csv"},
                content="__action__;ldap_id;firstName;lastName\nsync;1;Ada;Lovelace\n",
                timeout=20,
            )
        assert server.process.wait(20) == -9
    with sqlite3.connect(tmp_path / "data" / "svc.db") as database:
        assert database.execute("SELECT count(*) FROM outbox").fetchone() == (1,)
    with serving_demo(tmp_path) as server:
        async with raw(server.url.removeprefix("http://")) as client:
            await client.open()
            await client.authenticate(who["name"], who["password"])
            await client.bind()
            await client.ask('<presence xmlns="jabber:client"/>')
            event = await client.hear()
        assert (event.get("type"), event[0].get("commandId")) == ("management", command)


async def test_ten_thousand_events_and_a_slow_reader_do_not_fill_the_memory(world: World) -> None:
    jane = await admin(world)
    count, title = 10_000, "x" * 200
    async with world.service.database.unit() as store:
        for number in range(count):
            content = {"commandId": str(number), "title": title}
            await store.events.add(Event("command_ended", (jane["id"],), content), now=world.clock.now())
    await world.service.event_delivery.deliver()
    async with listening(world) as place, raw(place, max_queue=1) as client:
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        await client.log_in()
        await _read(client, 0, count)
        peak = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
        await client.confirm(await client.hear())
        await until_empty(world, jane)
    # All of them at once would be more than 10 MB.
    assert peak < 2_000_000, f"{peak} bytes"


async def _read(client: Raw, first: int, end: int) -> None:
    """Read and check these events; a pause every now and then lets the server run ahead if it can."""
    expected = first
    while expected < end:
        element = await client.hear()
        if element.tag == "{jabber:client}iq":
            await asyncio.sleep(0)
            await client.confirm(element)
        else:
            assert element[0].get("commandId") == str(expected)
            expected += 1


async def test_an_unexpected_error_ends_its_session_only_and_the_events_wait_for_the_next_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    jane, other = await admin(world), await admin(world, login="other@example.com", jid_im=f"{'2b' * 16}@{DOMAIN}")
    send = EventSession._send_event

    async def failing(session: EventSession, event: dict[str, Any]) -> None:
        if session.user_id == jane["id"]:
            raise KeyError("name")
        await send(session, event)

    async with listening(world) as place, raw(place) as reader:
        await reader.open()
        await reader.authenticate("2b" * 16)
        await reader.bind()
        await reader.ask('<presence xmlns="jabber:client"/>')
        with monkeypatch.context() as patched:
            patched.setattr(EventSession, "_send_event", failing)
            async with raw(place) as client:
                await client.log_in()
                await tell(world, jane, "waits")
                assert "internal-server-error" in tostring(await client.hear(), "unicode")
            await tell(world, other, "arrives")
            assert (await reader.hear())[0].get("commandId") == "arrives"
        async with raw(place) as client:
            await client.log_in()
            assert (await client.hear())[0].get("commandId") == "waits"


async def test_several_processes_share_the_sessions_of_a_user(world: World) -> None:
    """A second process on the same database: its session gets what the first process delivered."""
    jane = await admin(world)
    other = Database(world.service.settings.database)
    async with listening(world) as place, raw(place) as client:
        await client.log_in()
        async with other.unit() as store:
            await store.events.add(
                Event("command_ended", (jane["id"],), {"commandId": "elsewhere"}), now=world.clock.now()
            )
        async with other.unit() as store:
            await store.events.deliver()
        assert (await client.hear())[0].get("commandId") == "elsewhere"
    await other.close()
