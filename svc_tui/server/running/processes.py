"""The event loop of one process: uvicorn, with limits on connections, and signals as supervisors send them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette

from svc_tui.server.events.handshakes import EventConnections, EventProtocol
from svc_tui.server.http.connections import ACCEPTED_AT_ONCE, Connections, HttpConnection, log_missing_descriptors
from svc_tui.server.http.tls import TlsServer, tls_context
from svc_tui.server.settings import Settings

#: Longest WebSocket message of a client, in bytes. The stanzas of RFC 6120 have at least 10,000.
LONGEST_MESSAGE = 65_536
#: Connections that wait to be accepted.
BACKLOG = 2048
#: So long the event loop waits for the interpreter, at each of its steps, while a thread checks a file: a tenth of what
#: Python waits by default.
_SWITCH_SECONDS = 0.0005
SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class ServerOptions:
    """Everything that a process needs to serve."""

    settings: Settings
    url: str
    tls_cert: str = ""
    tls_key: str = ""


class Server(uvicorn.Server):
    """Serves on an open socket, and prints its announcement once requests are accepted."""

    def __init__(self, work: ServerOptions, app: Starlette, listener: socket.socket, announcement: str = "") -> None:
        self._guard = Connections(work.settings)
        self._tls = tls_context(work.tls_cert, work.tls_key) if work.tls_cert else None
        super().__init__(
            uvicorn.Config(
                app,
                # Called like the class of a protocol.
                http=cast(Any, partial(HttpConnection, self._guard)),
                ws=cast(Any, partial(EventProtocol, self._guard, EventConnections())),
                # This many connections are accepted before the first of them is counted.
                backlog=ACCEPTED_AT_ONCE,
                log_config=None,
                access_log=False,
                server_header=False,
                # The application does it (`TrustedProxies`).
                proxy_headers=False,
                lifespan="on",
                timeout_graceful_shutdown=work.settings.grace_seconds,
                ws_max_size=LONGEST_MESSAGE,
                # A compressor costs each connection more memory than its events save.
                ws_per_message_deflate=False,
            )
        )
        self._listener = listener
        self._announcement = announcement or f"listening on {work.url}"
        self._health, self._drain_seconds = app.state.health, work.settings.drain_seconds

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        super().run(sockets or [self._listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(log_missing_descriptors)
        sys.setswitchinterval(_SWITCH_SECONDS)
        await super().startup(sockets if self._tls is None else [])
        if self._tls is not None:
            for each in sockets or ():
                self.servers.append(cast(Any, TlsServer(each, self._guard, self._tls, self._http)))
        self._listener.listen(BACKLOG)
        if not self.should_exit:
            announce(self._announcement)

    def _http(self) -> HttpConnection:
        state = self.lifespan.state
        return HttpConnection(self._guard, config=self.config, server_state=self.server_state, app_state=state)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop: at once, or at the first SIGTERM when load balancers had time to see it."""
        wait = sig == signal.SIGTERM and self._drain_seconds and not self._health.stopping
        self._health.stopping = True
        if wait:
            timer = threading.Timer(self._drain_seconds, self._end, (sig, frame))
            timer.daemon = True
            timer.start()
        else:
            self._end(sig, frame)

    def _end(self, sig: int, frame: FrameType | None) -> None:
        self._health.ending = True
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn raises the signal again at the end; then the process would die of it instead of exiting with 0.
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def announce(line: str) -> None:
    """Print one line on standard output without delay. One that cannot be written to does not stop the server."""
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError:
        # The line would be tried again at the end.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
