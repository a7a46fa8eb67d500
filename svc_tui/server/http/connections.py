"""Connections of clients that send slowly, nothing or too much: they end, and never use up descriptors or memory.

uvicorn knows no time limit for a request, and no limit on connections before one.
"""

from __future__ import annotations

import asyncio
import errno
import json
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, TypeVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from svc_tui.interface.errors import MESSAGES
from svc_tui.server.http.request_headers import group_of
from svc_tui.server.http.responses import OF_DATA
from svc_tui.server.log_lines import ThrottledLog, log
from svc_tui.server.settings import Settings

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
_SENTENCES = {
    400: "This is not an HTTP request.",
    408: "The request did not arrive in time.",
    503: "The server is reading too many large requests. Try again.",
    431: f"The head of the request is larger than {LARGEST_HEAD} bytes.",
}

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


class Phase(Enum):
    """The input that a connection waits for."""

    HEAD = "head"
    BODY = "body"
    RESPONSE = "response"


class Connection(asyncio.Protocol):
    """A connection that is counted: HTTP, a WebSocket, or one whose TLS handshake is not complete."""

    #: The limits, and all other connections of the process.
    guard: Connections
    transport: asyncio.Transport
    #: Since when it waits for its client.
    since = 0.0
    address = ""
    #: Bytes of its incomplete request in memory.
    held = 0

    def enter(self, peer: object) -> None:
        """Be counted, as a connection from this address of a socket."""
        self.since, self.address = time.monotonic(), group_of(str(peer[0])) if isinstance(peer, tuple) else ""
        self.guard.add(self)

    @property
    def phase(self) -> Phase:
        """What it waits for."""
        return Phase.HEAD

    def abort(self) -> None:
        """Close without waiting for the client."""
        self.transport.abort()

    def check(self, now: float) -> None:
        """Close it when its client is too slow. Called each second."""

    def refuse(self, status: int) -> None:
        """Answer an incomplete request with an error body, and close."""


C = TypeVar("C", bound=Connection)


class Connections:
    """The open connections of one process. Beyond `most_connections` the one that waits longest for its client ends,
    of the address with most of them; beyond MOST_HELD bytes, those of the address with most bytes are refused."""

    def __init__(self, settings: Settings) -> None:
        #: For the head of a request, and for each 500 bytes a second of its body.
        self.seconds = settings.head_seconds
        self._most = settings.most_connections or most_connections()
        self._most_of_one = max(LARGEST_HEAD, settings.largest_body)
        self._open: dict[Connection, None] = {}
        self._held = 0
        self._timer: asyncio.TimerHandle | None = None
        self._crowded = ThrottledLog(log)

    def add(self, connection: Connection) -> None:
        """A new connection. Where there are too many, it or another one is closed."""
        self._open[connection] = None
        if len(self._open) > self._most:
            self._crowded.warning("%s connections are open, the most for this process: idle ones end", self._most)
            victim = longest_waiting(self._open) or connection
            victim.abort()
            self.remove(victim)
        if self._timer is None:
            self._check()

    def remove(self, connection: Connection) -> None:
        """A connection that ended."""
        self.hold(connection, 0)
        self._open.pop(connection, None)

    def hold(self, connection: Connection, count: int) -> None:
        """A connection holds this many bytes of an incomplete request now."""
        count = min(count, self._most_of_one)
        self._held += count - connection.held
        connection.held = count
        if self._held > MOST_HELD:
            self._crowded.warning("incomplete requests fill %s MB: the largest senders are refused", MOST_HELD >> 20)
            # A quarter of them at once, so that a flood is looked through rarely.
            while self._held > MOST_HELD * 3 // 4:
                largest = _of_busiest(self._open, lambda each: each.held)
                for each in largest[: len(largest) // 4 + 1]:
                    each.refuse(503)
                    self.hold(each, 0)

    def _check(self) -> None:
        self._timer = None
        now = time.monotonic()
        for connection in list(self._open):
            connection.check(now)
        if self._open:
            self._timer = asyncio.get_running_loop().call_later(min(1.0, self.seconds / 2), self._check)


def longest_waiting(connections: Iterable[C]) -> C | None:
    """The connection that waits longest for its client, of the address with most of these."""
    found = _of_busiest(connections, lambda each: int(each.phase is not Phase.RESPONSE))
    return found[0] if found else None


def _of_busiest(connections: Iterable[C], weigh: Callable[[C], int]) -> list[C]:
    """The connections with a weight of the address with the largest sum, those first that wait longest."""
    weights = {each: weight for each in connections if (weight := weigh(each))}
    sums = Counter[str]()
    for each, weight in weights.items():
        sums[each.address] += weight
    busiest = max(sums, key=lambda address: sums[address], default="")
    return sorted((each for each in weights if each.address == busiest), key=lambda each: each.since)


class HttpConnection(Connection, HttpToolsProtocol):
    """A connection of HTTP, whose client may not be too slow.

    The parser takes trailers, without a limit, for headers: proxies do not check them, and nothing here reads them.
    """

    _received = 0
    #: Bytes since the last one of a body: chunk sizes with their extensions, and trailers.
    _beside = 0
    #: Bytes that the client had not taken at the last check.
    _unsent = 0
    _stopping = False
    #: Of TLS, which counts until it is complete.
    handshake: Connection | None = None

    def __init__(self, guard: Connections, **named: Any) -> None:
        super().__init__(**named)
        self.guard = guard

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        if self.handshake is not None:
            self.guard.remove(self.handshake)
        self.enter(transport.get_extra_info("peername"))

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        super().connection_lost(exc)
        # After an error uvicorn leaves the timer running, which keeps the last request.
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        before = self.phase
        if not self._received:
            self.since = time.monotonic()
        self._received += len(data)
        self._beside += len(data)
        super().data_received(data)
        after = self.phase
        self.guard.hold(self, 0 if after is Phase.RESPONSE else self.held + len(data))
        if after is not before:
            self._begin()
        elif after is Phase.HEAD and self._received > LARGEST_HEAD:
            self.refuse(431)
        elif after is Phase.BODY and self._beside > LARGEST_HEAD:
            if self.cycle.response_complete:
                self.abort()
            else:
                self.refuse(431)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.cycle is None or self.cycle.scope is not self.scope:
            super().on_header(name, value)

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
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._beside = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        self._begin()
        super().on_response_complete()

    def shutdown(self) -> None:
        """End with the response in progress, or now without one: the server stops."""
        self._stopping = True
        super().shutdown()

    def handle_websocket_upgrade(self) -> None:
        self.guard.remove(self)
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """An error body instead of the plain text of uvicorn."""
        self.refuse(431 if self._received >= LARGEST_HEAD else 400)

    @property
    def phase(self) -> Phase:
        if self.cycle is None or (self.cycle.response_complete and not self.cycle.more_body):
            return Phase.HEAD
        return Phase.BODY if self.cycle.more_body else Phase.RESPONSE

    def check(self, now: float) -> None:
        unsent = self.transport.get_write_buffer_size()
        if self._stopping and self.transport.is_closing() and not unsent:
            if now - self.since > _FAREWELL_SECONDS:
                self.abort()
        elif unsent and unsent == self._unsent:
            if now - self.since > STALLED_SECONDS:
                self.abort()
        elif self.transport.is_closing() or self.phase is Phase.RESPONSE or not self.transport.is_reading():
            self._begin()
        elif now - self.since > self.guard.seconds:
            if self.phase is Phase.HEAD or self._received < SLOWEST_BODY * self.guard.seconds:
                self.refuse(408)
            else:
                self._begin()
        self._unsent = unsent

    def refuse(self, status: int) -> None:
        """Answer with an error body (section 7), and close."""
        if not self.transport.is_closing():
            body = json.dumps({"errorCode": status, "errorMsg": MESSAGES[status], "errorDetails": _SENTENCES[status]})
            head = f"HTTP/1.1 {status} {MESSAGES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n"
            head += "".join(f"{name}: {value}\r\n" for name, value in OF_DATA.items())
            head += f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write((head + body).encode())
            self.transport.close()

    def _begin(self) -> None:
        self.since, self._received, self._beside = time.monotonic(), 0, 0
