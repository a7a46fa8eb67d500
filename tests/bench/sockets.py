"""Requests beside greedy web sockets: `python -m tests.bench.sockets [--connections 64] [--seconds 8]`.

Each connection sends messages as fast as the server takes them, and connects again when it is closed. In turns: logins
that begin again and again, logins by password, pings of the WebSocket without a login, and pings of XMPP of a session.
Beside them one client asks whether the server is ready, one request after the other: its longest wait has a bound.
"""

import argparse
import asyncio
import base64
import math
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from tests.support.process import ServerProcess, serving

#: The longest that another client may wait, in seconds.
BOUND = 0.2
LOGIN = "/api/svc/authentication/v1.0/login"
HANDSHAKE = (
    b"GET /websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: xmpp\r\n\r\n"
)
FRAMING, SASL = "urn:ietf:params:xml:ns:xmpp-framing", "urn:ietf:params:xml:ns:xmpp-sasl"
PING = '<iq xmlns="jabber:client" type="get" id="p"><ping xmlns="urn:xmpp:ping"/></iq>'
BIND = '<iq xmlns="jabber:client" type="set" id="b"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"/></iq>'
#: Seconds until a closed connection is opened again.
PAUSE = 0.05
KINDS = ("logins that begin again", "wrong passwords", "frames", "pings of a session")


def frame(text: str | bytes, opcode: int = 1) -> bytes:
    """One message of a client, masked with zeros."""
    data = text.encode() if isinstance(text, str) else text
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes([0x80 | opcode]) + length + b"\0\0\0\0" + data


def auth(mechanism: str, data: str) -> bytes:
    """The first message of a login."""
    text = base64.b64encode(data.encode()).decode()
    return frame(f'<auth xmlns="{SASL}" mechanism="{mechanism}">{text}</auth>')


def flood(kind: str, domain: str, name: str, password: str) -> tuple[bytes, bytes]:
    """What a connection sends at first, and what it sends without end."""
    start = frame(f'<open xmlns="{FRAMING}" to="{domain}" version="1.0"/>')
    if kind == "frames":
        return b"", frame("", 9) * 20_000
    if kind == "wrong passwords":
        return start, auth("PLAIN", f"\0{name}\0wrong") * 1000
    if kind == "logins that begin again":
        return start, auth("SCRAM-SHA-256", f"n,,n={name},r=nonce") * 1000
    return start + auth("PLAIN", f"\0{name}\0{password}") + start + frame(BIND), frame(PING) * 1000


async def greedy(host: str, port: int, first: bytes, endless: bytes) -> None:
    """One connection after another, each full of messages."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(HANDSHAKE)
                await reader.readuntil(b"\r\n\r\n")
                writer.write(first)
                writing = asyncio.create_task(write(writer, endless))
                while await reader.read(65536):
                    pass
                writing.cancel()
            finally:
                writer.transport.abort()
        await asyncio.sleep(PAUSE)


async def write(writer: asyncio.StreamWriter, endless: bytes) -> None:
    """Write as much as the server takes."""
    with suppress(OSError):
        while True:
            writer.write(endless)
            await writer.drain()


def attack(url: str, connections: int, first: bytes, endless: bytes) -> None:
    """All connections, in a process of their own."""
    at = urlsplit(url)

    async def together() -> None:
        each = (greedy(str(at.hostname), int(at.port or 0), first, endless) for _ in range(connections))
        await asyncio.gather(*each)

    asyncio.run(together())


@contextmanager
def attacked(url: str, connections: int, first: bytes, endless: bytes) -> Iterator[None]:
    """The attack during a block."""
    arguments = (url, connections, first, endless)
    process = multiprocessing.get_context("spawn").Process(target=attack, args=arguments, daemon=True)
    process.start()
    try:
        time.sleep(2)
        yield
    finally:
        process.kill()
        process.join()


def waits(url: str, seconds: float) -> list[float]:
    """How long each request of another client took, in order; without end where the server is not ready."""
    found, end = [], time.perf_counter() + seconds
    with httpx.Client(base_url=url, timeout=60) as http:
        while (sent := time.perf_counter()) < end:
            response = http.get("/health/ready")
            found.append(time.perf_counter() - sent if response.is_success else math.inf)
            time.sleep(0.01)
    return sorted(found)


def account(url: str) -> tuple[str, str, str]:
    """Domain, name and password of a user for events."""
    login = "user@demo.example"
    headers = {"authorization": basic(login, PASSWORD), APP_AUTH: app_auth(APP_ID, APP_SECRET, PASSWORD)}
    user = httpx.get(url + LOGIN, headers=headers).raise_for_status().json()["loggedInUser"]
    name, _, domain = user["jid_im"].partition("@")
    return domain, name, user["jid_password"]


def measure(server: ServerProcess, connections: int, seconds: float) -> float:
    """Measure each kind, and print its figures. Returns the longest wait."""
    print(f"{connections} connections, as many messages as the server takes; waits of another client in ms:")
    print(f"{'':28}{'requests':>10}{'p50':>9}{'p99':>9}{'longest':>9}{'load':>7}")
    user, longest = account(server.url), 0.0
    for kind in ("none", *KINDS):
        first, endless = flood(kind, *user) if kind != "none" else (b"", b"")
        with attacked(server.url, connections if endless else 0, first, endless):
            times = waits(server.url, seconds)
        shown = [times[int(len(times) * share)] * 1000 for share in (0.5, 0.99)]
        load = os.getloadavg()[0]
        print(f"{kind:28}{len(times):10}{shown[0]:9.1f}{shown[1]:9.1f}{times[-1] * 1000:9.1f}{load:7.1f}", flush=True)
        if endless:
            longest = max(longest, times[-1])
    return longest


def main() -> int:
    """Serve the demo data and measure. Exit code 1 when another client waited longer than the bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, serving(Path(name), demo_data="small") as server:
        longest = measure(server, options.connections, min(options.seconds, 60.0))
    print(f"the longest wait is {longest:.3f} s, its bound {BOUND} s")
    return int(longest > BOUND)


if __name__ == "__main__":
    sys.exit(main())
