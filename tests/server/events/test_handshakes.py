"""Handshakes of WebSockets that are no such, and sessions that never log in: they end, and the log stays readable."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from svc_tui.server.events import endpoint, handshakes, session
from svc_tui.server.http import connections
from tests.server.events.support import admin, listening, raw
from tests.server.events.test_stalled_reader import fill, stalled_socket
from tests.support.process import ServerProcess, serving
from tests.support.world import World

UPGRADE = (
    b"host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: xmpp\r\n"
)
HANDSHAKE = b"GET /websocket HTTP/1.1\r\n" + UPGRADE + b"\r\n"
INFO = '<iq xmlns="jabber:client" type="get" id="1"><query xmlns="http://jabber.org/protocol/disco#info"/></iq>'
#: A message with a text that is no UTF-8.
NO_UTF_8 = b"\x81\x82\0\0\0\0\xff\xfe"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("handshakes")) as started:
        yield started


@contextmanager
def sent(server: ServerProcess, data: bytes) -> Iterator[socket.socket]:
    at = urlsplit(server.url)
    with socket.create_connection((str(at.hostname), int(at.port or 0)), timeout=20) as connection:
        connection.sendall(data)
        yield connection


def until_end(connection: socket.socket) -> bytes:
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    return received


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /websocket HTTP/1.1\r\n" + UPGRADE + b"content-length: 2\r\n\r\n{}", 400),
        (b"GET /websocket HTTP/1.1\r\n" + UPGRADE + b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET /websocket?" + b"a" * 9000 + b" HTTP/1.1\r\n" + UPGRADE + b"\r\n", 400),
        (b"GET /websocket HTTP/1.1\r\n" + UPGRADE + b"x: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"GET /websocket HTTP/1.1\r\n" + UPGRADE + b"x: y\r\n" * 200 + b"\r\n", 431),
        (b"POST /websocket HTTP/1.1\r\n" + UPGRADE + b"\r\n", 405),
        (b"GET /api/svc/ping HTTP/1.1\r\n" + UPGRADE + b"\r\n", 404),
        (b"GET * HTTP/1.1\r\n" + UPGRADE + b"\r\n", 403),
        (b"GET http://x/websocket HTTP/1.1\r\n" + UPGRADE + b"\r\n", 403),
    ],
)
def test_a_handshake_that_cannot_be_read_has_an_error_body(server: ServerProcess, request_: bytes, status: int) -> None:
    with sent(server, request_) as connection:
        head, _, body = until_end(connection).partition(b"\r\n\r\n")
    answer = json.loads(body)
    assert (int(head.split()[1]), answer["errorCode"]) == (status, status)
    assert answer["errorMsg"] != "Error"
    assert answer["errorDetails"]
    assert "ERROR" not in server.log


def test_a_text_that_is_no_utf_8_ends_its_session_without_a_traceback(server: ServerProcess) -> None:
    with sent(server, HANDSHAKE) as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 101")
        connection.sendall(NO_UTF_8)
        assert until_end(connection) == b"\x88\x02\x03\xef"
    assert "ERROR" not in server.log


def test_the_log_has_no_query_of_a_handshake(server: ServerProcess) -> None:
    for path, answer in (("websocket", b" 101 "), ("other", b" 404 ")):
        with sent(server, HANDSHAKE.replace(b"/websocket", f"/{path}?token=secret-{path}".encode())) as connection:
            assert answer in connection.recv(65536)
    assert "WebSocket /other" in server.log
    assert "secret-" not in server.log


def test_sessions_that_do_not_log_in_make_room_for_other_connections(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text("most_connections = 10\n")
    with serving(tmp_path, config=tmp_path / "server.toml") as server, ExitStack() as opened:
        for _ in range(50):
            connection = opened.enter_context(sent(server, HANDSHAKE))
            assert connection.recv(65536).startswith(b"HTTP/1.1 101")
        with httpx.Client(timeout=20) as client:
            assert client.get(f"{server.url}/api/svc/ping").status_code == 200
        assert "the most for this process" in server.log


async def test_a_session_that_has_logged_in_is_not_closed_to_make_room(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 3)
    await admin(world)
    async with listening(world) as place, raw(place) as member:
        await member.log_in()
        host, _, port = place.partition(":")
        strangers = []
        for _ in range(10):
            reader, writer = await asyncio.open_connection(host, int(port))
            strangers.append((reader, writer))
            writer.write(HANDSHAKE)
            assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        # The first ones are closed, and not the one that is older than all of them.
        assert await strangers[0][0].read()
        assert (await member.ask(INFO)).get("type") == "result"
        for _, writer in strangers:
            writer.close()


async def test_a_session_that_has_ended_is_closed_though_its_client_reads_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    aborted = asyncio.Event()
    monkeypatch.setattr(handshakes, "STALLED_SECONDS", 0.2)
    monkeypatch.setattr(session, "CONFIRM_SECONDS", 1.5)
    monkeypatch.setattr(endpoint, "CLOSE_SECONDS", 0.2)
    monkeypatch.setattr(handshakes.EventProtocol, "abort", lambda _: aborted.set())
    await fill(world, (await admin(world))["id"])
    await world.service.event_delivery.deliver()
    async with listening(world) as place:
        stalled = await stalled_socket(place)
        async with raw(place, sock=stalled, max_queue=1, max_size=None, close_timeout=0) as client:
            await client.log_in()
            async with asyncio.timeout(20):
                await aborted.wait()
            client.connection.transport.abort()
