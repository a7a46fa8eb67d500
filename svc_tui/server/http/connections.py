"""Connections of clients that send slowly, or nothing: they end, and they never use up the file descriptors.

An HTTP protocol of uvicorn knows no time limit for the head of a request, and no limit on connections before it.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import re
import resource
import time
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import Any, Protocol, TypeVar, cast

from svc_tui.interface.errors import MESSAGES
from svc_tui.server.http.addresses import group_of
from svc_tui.server.http.joined_writes import JoinedWrites
from svc_tui.server.http.responses import OF_DATA
from svc_tui.server.log_lines import ThrottledLog
from svc_tui.server.settings import Settings

log = logging.getLogger("svc_tui.server")

#: Largest head of a request: its line and its headers, in bytes.
LARGEST_HEAD = 65_536
#: Of incomplete requests in memory, in bytes. An upload beyond the largest body is written to a file.
MOST_HELD = 64 * 1024 * 1024
#: A name or an address with its port, as they are written in a URL.
_HOST = re.compile(rb"(\[[0-9A-Za-z:.%_~-]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]*)(:[0-9]*)?")
#: Slowest body, in bytes a second, and the longest time in which a client takes nothing of a response.
SLOWEST_BODY, STALLED_SECONDS = 500, 60.0
#: Seconds in which a TLS client confirms the end of a connection when the server stops. Idle clients do not read it.
_FAREWELL_SECONDS = 2.0
#: Connections that are accepted at once, before any of them is counted.
ACCEPTED_AT_ONCE = 64
#: File descriptors for the database, files and the connections that are being accepted.
_RESERVED = 256
#: Of them, as many as a process takes where the system allows more.
MOST_DESCRIPTORS = 65_536


class Phase(Enum):
    """The input that a connection waits for."""

    HEAD = "head"
    BODY = "body"
    RESPONSE = "response"


def guarded(protocol: type[asyncio.Protocol], settings: Settings) -> type[GuardedProtocol]:
    """The protocol with a guard over all its connections in this process."""
    connections = Connections(
        settings.head_seconds,
        settings.most_connections or most_connections(),
        most_of_one=max(LARGEST_HEAD, settings.largest_body),
    )
    guard = GuardedParser if hasattr(protocol, "on_body") else GuardedProtocol
    return type("GuardedProtocol", (guard, protocol), {"guard": connections})


_exhausted = ThrottledLog(log)


def log_missing_descriptors(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception handler of event loops. A loop that cannot accept logs this a hundred times a second."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        _exhausted.warning("no file descriptor is left for another connection")
    else:
        loop.default_exception_handler(context)


def most_connections() -> int:
    """How many connections a process can hold, after its limit of file descriptors was raised as far as possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return max(16, (wanted if soft == resource.RLIM_INFINITY else soft) - _RESERVED)


def address_of(peer: object) -> str:
    """The address in the name of a socket, or the network that counts as one (IPv6); empty without one."""
    return group_of(str(peer[0])) if isinstance(peer, tuple) else ""


class WaitingConnection(Protocol):
    """A connection, as the guard sees it. It has waited `since` then."""

    since: float
    address: str
    #: Bytes of its incomplete request in memory.
    held: int

    @property
    def phase(self) -> Phase:
        """What it waits for."""

    def abort(self) -> None:
        """Close without waiting for the client."""

    def check(self, now: float, seconds: float) -> None:
        """Close it when its client is too slow."""

    def refuse(self, status: int) -> None:
        """Answer with an error body, and close."""


W = TypeVar("W", bound=WaitingConnection)


class Connections:
    """The open connections of one process. `head_seconds` is the time for the head of a request, and for each 500 bytes
    a second of its body. Beyond `most`, the connection that waits longest for its client is closed, first those of the
    address with most of them; beyond MOST_HELD bytes, at most `most_of_one` of each, first those of the address with
    most bytes."""

    def __init__(self, head_seconds: float, most: int, most_of_one: int) -> None:
        self._seconds, self._most, self._most_of_one = head_seconds, most, most_of_one
        self._open: dict[WaitingConnection, None] = {}
        self._held = 0
        self._timer: asyncio.TimerHandle | None = None
        self._crowded = ThrottledLog(log)

    def add(self, connection: WaitingConnection) -> None:
        """A new connection. Where there are too many, it or another one is closed."""
        if len(self._open) >= self._most:
            self._crowded.warning("%s connections are open, the most for this process: idle ones end", self._most)
            victim = longest_waiting(self._open) or connection
            victim.abort()
            self.remove(victim)
            if victim is connection:
                return
        self._open[connection] = None
        if self._timer is None:
            self._wait()

    def remove(self, connection: WaitingConnection) -> None:
        """A connection that ended."""
        self.hold(connection, 0)
        self._open.pop(connection, None)

    def hold(self, connection: WaitingConnection, count: int) -> None:
        """A connection holds this many bytes of an incomplete request now."""
        count = min(count, self._most_of_one)
        self._held += count - connection.held
        connection.held = count
        if self._held > MOST_HELD:
            self._relieve()

    def _relieve(self) -> None:
        """Refuse requests until three quarters of the bytes are left, so that a flood is looked through rarely."""
        self._crowded.warning("incomplete requests fill %s MB: the largest senders are refused", MOST_HELD >> 20)
        while self._held > MOST_HELD * 3 // 4:
            held = Counter[str]()
            for each in self._open:
                held[each.address] += each.held
            [(busiest, _)] = held.most_common(1)
            of_it = [each for each in self._open if each.held and each.address == busiest]
            for each in sorted(of_it, key=lambda each: each.since)[: len(of_it) // 4 + 1]:
                each.refuse(503)
                self.hold(each, 0)

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(min(1.0, self._seconds / 2), self._check)

    def _check(self) -> None:
        self._timer = None
        now = time.monotonic()
        for connection in list(self._open):
            connection.check(now, self._seconds)
        if self._open:
            self._wait()


def longest_waiting(connections: Iterable[W]) -> W | None:
    """The connection that waits longest for its client, of the address with most of these."""
    waiting = [each for each in connections if each.phase is not Phase.RESPONSE]
    if not waiting:
        return None
    [(crowd, _)] = Counter(each.address for each in waiting).most_common(1)
    return min((each for each in waiting if each.address == crowd), key=lambda each: each.since)


class GuardedProtocol(asyncio.Protocol):
    """Before an HTTP protocol of uvicorn in the order of bases: ends connections whose clients are too slow."""

    guard: Connections
    # Of the protocol of uvicorn.
    transport: asyncio.Transport
    cycle: Any = None
    #: Its TLS handshake, which counts until it is complete.
    handshake: WaitingConnection | None = None
    _received = 0
    _stopping = False
    since = 0.0
    address = ""
    held = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, JoinedWrites(cast(asyncio.Transport, transport))))
        self.address = address_of(transport.get_extra_info("peername"))
        self._unsent = 0
        self._begin()
        if self.handshake is not None:
            self.guard.remove(self.handshake)
        self.guard.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        super().connection_lost(exc)
        # After an error uvicorn leaves the timer running, which keeps the last request.
        self._unset_keepalive_if_required()  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        before = self.phase
        if not self._received:
            self.since = time.monotonic()
        self._received += len(data)
        super().data_received(data)
        after = self.phase
        if after is not Phase.RESPONSE:
            self.guard.hold(self, self.held + len(data))
        elif self.held:
            self.guard.hold(self, 0)
        if after is not before:
            self._begin()
        elif before is Phase.HEAD and self._received > LARGEST_HEAD:
            self.refuse(431)

    def on_response_complete(self) -> None:
        self._begin()
        super().on_response_complete()  # type: ignore[misc]
        if self._stopping:
            self._leave_soon()

    def shutdown(self) -> None:
        """End with the response in progress, or now without one: the server stops."""
        self._stopping = True
        super().shutdown()  # type: ignore[misc]
        if self.transport.is_closing():
            self._leave_soon()

    def handle_websocket_upgrade(self, *event: Any) -> None:
        self.guard.remove(self)
        super().handle_websocket_upgrade(*event)  # type: ignore[misc]

    def send_400_response(self, msg: str) -> None:
        """An error body instead of the plain text of uvicorn."""
        self.refuse(431 if self._received >= LARGEST_HEAD else 400)

    @property
    def phase(self) -> Phase:
        """What it waits for."""
        if self.cycle is None or (self.cycle.response_complete and not self.cycle.more_body):
            return Phase.HEAD
        return Phase.BODY if self.cycle.more_body else Phase.RESPONSE

    def abort(self) -> None:
        """Close without waiting for the client."""
        self.transport.abort()

    def check(self, now: float, seconds: float) -> None:
        """Close it when its client is too slow."""
        unsent = self.transport.get_write_buffer_size()
        if unsent and unsent == self._unsent:
            if now - self.since > STALLED_SECONDS:
                self.abort()
        elif self.transport.is_closing() or self.phase is Phase.RESPONSE or not self.transport.is_reading():
            self._begin()
        elif now - self.since > seconds:
            if self.phase is Phase.HEAD or self._received < SLOWEST_BODY * seconds:
                self.refuse(408)
            else:
                self._begin()
        self._unsent = unsent

    def _leave_soon(self) -> None:
        asyncio.get_running_loop().call_later(_FAREWELL_SECONDS, self._leave)

    def _leave(self) -> None:
        if self.transport.get_write_buffer_size():
            self._leave_soon()
        else:
            self.abort()

    def _begin(self) -> None:
        self.since, self._received = time.monotonic(), 0

    def refuse(self, status: int) -> None:
        """Answer with an error body (section 7), and close."""
        if not self.transport.is_closing():
            body = json.dumps({"errorCode": status, "errorMsg": MESSAGES[status], "errorDetails": _SENTENCES[status]})
            head = f"HTTP/1.1 {status} {MESSAGES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n"
            head += "".join(f"{name}: {value}\r\n" for name, value in OF_DATA.items())
            head += f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write((head + body).encode())
            self.transport.close()


class GuardedParser(GuardedProtocol):
    """Before the protocol of uvicorn that parses by httptools and takes trailers, without a limit, for headers.

    Proxies do not check trailers, and nothing here reads them.
    """

    # Of the protocol of uvicorn: the request whose head or body arrives.
    scope: Any = None
    # Of the same: its headers and its parser.
    headers: list[tuple[bytes, bytes]]
    parser: Any
    #: Bytes since the last one of a body: chunk sizes with their extensions, and trailers.
    _beside = 0

    def data_received(self, data: bytes) -> None:
        self._beside += len(data)
        super().data_received(data)
        if self.phase is not Phase.BODY:
            self._beside = 0
        elif self._beside > LARGEST_HEAD:
            if self.cycle.response_complete:
                self.abort()
            else:
                self.refuse(431)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.cycle is None or self.cycle.scope is not self.scope:
            super().on_header(name, value)  # type: ignore[misc]

    def on_headers_complete(self) -> None:
        """ValueError, which is answered with 400, for other versions, without exactly one host, and for other transfer
        codings than `chunked`, with which proxies may see another end of the body (RFC 9112, 3.2 and 6.1)."""
        hosts = [value for name, value in self.headers if name == b"host"]
        version = self.parser.get_http_version()
        if version not in ("1.0", "1.1") or len(hosts) > 1 or not all(map(_HOST.fullmatch, hosts)):
            raise ValueError("not a request of HTTP/1.1")
        if version == "1.1" and not hosts:
            raise ValueError("a request without a host")
        codings = [value.lower() for name, value in self.headers if name == b"transfer-encoding"]
        if codings and (version != "1.1" or codings != [b"chunked"]):
            raise ValueError("a body that is not only chunked")
        super().on_headers_complete()  # type: ignore[misc]

    def on_body(self, body: bytes) -> None:
        self._beside = 0
        super().on_body(body)  # type: ignore[misc]


_SENTENCES = {
    400: "This is not an HTTP request.",
    408: "The request did not arrive in time.",
    503: "The server is reading too many large requests. Try again.",
    431: f"The head of the request is larger than {LARGEST_HEAD} bytes.",
}
