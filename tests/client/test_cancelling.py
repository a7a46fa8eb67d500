"""Requests that are cancelled while the user browses, against a real server process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from svc_tui.client.client import Client
from svc_tui.client.content import Sink
from svc_tui.client.in_flight import InFlight, Timeouts
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from svc_tui.client.transport import _IDLE_SECONDS
from svc_tui.interface.authentication.sessions import ping
from tests.client.support import at_once, json_reply, listening, request_of
from tests.support.process import ServerProcess, serving

#: More requests than the transport has connections.
TOGETHER = 12
#: Turns of the event loop that a request takes, at most.
TURNS = 60


class Nowhere:
    """Takes a body and keeps nothing."""

    def begin(self, size: int | None) -> None: ...

    def take(self, piece: bytes) -> None: ...


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def reach(made):
    def reach(url: str, **timeouts: float) -> Client:
        profile = Profile("test", url)
        made.append(Client(profile, Session(profile), timeout=Timeouts(**timeouts), sleep=at_once))
        return made[-1]

    return reach


async def cancelled_after(client: Client, turns: int, together: int, sink: Sink | None) -> None:
    """Requests that are cancelled after some turns of the event loop, twice, as the closing of a view does."""
    tasks = [asyncio.create_task(client.send(ping, sink=sink)) for _ in range(together)]
    for _ in range(turns):
        await asyncio.sleep(0)
    for _ in range(2):
        for task in tasks:
            task.cancel()
        await asyncio.sleep(0)
    await asyncio.wait(tasks)


@pytest.mark.parametrize(
    ("rounds", "together", "sink"),
    [(700, 1, None), (70, TOGETHER, None), (350, 1, Nowhere())],
    ids=["one by one", "in bursts", "downloads"],
)
async def test_hundreds_of_cancelled_requests_leave_every_connection_usable(server, reach, rounds, together, sink):
    client = reach(server.url, total=5.0)
    for count in range(rounds):
        await cancelled_after(client, count % TURNS, together, sink)
    replies = await asyncio.gather(*(client.send(ping) for _ in range(TOGETHER)))
    assert {reply.status for reply in replies} == {200}


async def test_a_cancelled_read_completes_and_its_connection_is_used_again(reach):
    connections = 0
    asked, answer = asyncio.Event(), asyncio.Event()

    async def waiting(reader, writer):
        nonlocal connections
        connections += 1
        while True:
            await request_of(reader)
            asked.set()
            await answer.wait()
            writer.write(json_reply({"status": "OK"}))
            await writer.drain()

    async with listening(waiting) as port:
        client = reach(f"http://127.0.0.1:{port}")
        task = asyncio.create_task(client.send(ping))
        await asked.wait()
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        answer.set()
        await asyncio.wait(client._connection._transport._in_flight._without_caller)
        await client.send(ping)
    assert connections == 1


async def test_reads_that_are_never_answered_do_not_take_the_connections_of_later_ones(reach):
    silent = True
    asked = asyncio.Semaphore(0)

    async def silent_at_first(reader, writer):
        while await request_of(reader):
            asked.release()
            if silent:
                await reader.read(-1)
            writer.write(json_reply({"status": "OK"}))
            await writer.drain()

    async with listening(silent_at_first) as port:
        client = reach(f"http://127.0.0.1:{port}", total=5.0)
        for _ in range(TOGETHER):
            task = asyncio.create_task(client.send(ping))
            await asked.acquire()
            task.cancel()
            await asyncio.wait({task})
        silent = False
        replies = await asyncio.gather(*(client.send(ping) for _ in range(TOGETHER)))
    assert {reply.status for reply in replies} == {200}


async def test_a_download_ends_with_its_caller():
    started, ended = asyncio.Event(), asyncio.Event()

    async def endless(exchange):
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(InFlight(4, pooled=False).run(endless, completes=False))
    await started.wait()
    task.cancel()
    await ended.wait()


def test_idle_connections_are_closed_before_servers_close_them():
    # uvicorn and Node.js: 5 seconds; nginx: 75.
    assert _IDLE_SECONDS < 5
