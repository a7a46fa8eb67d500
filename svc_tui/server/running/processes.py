"""The event loop of one process: uvicorn, with limits on connections, and signals as supervisors send them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from svc_tui.server.events.handshakes import guarded_events
from svc_tui.server.http.connections import ACCEPTED_AT_ONCE, LARGEST_HEAD, guarded, log_missing_descriptors
from svc_tui.server.http.tls import accept_with_tls
from svc_tui.server.settings import Settings

if find_spec("httptools") is None:
    from uvicorn.protocols.http.h11_impl import H11Protocol as HttpProtocol
else:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol  # type: ignore[assignment]

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


def _modern(_config: uvicorn.Config, default: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
    """TLS 1.2 and later, whatever the system allows."""
    context = default()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


class Server(uvicorn.Server):
    """Serves on an open socket, and prints its announcement once requests are accepted."""

    def __init__(self, work: ServerOptions, app: Starlette, listener: socket.socket, announcement: str = "") -> None:
        self._protocol = guarded(HttpProtocol, work.settings)
        super().__init__(
            uvicorn.Config(
                app,
                http=self._protocol,
                h11_max_incomplete_event_size=LARGEST_HEAD,
                # This many connections are accepted before the first of them is counted.
                backlog=ACCEPTED_AT_ONCE,
                log_config=None,
                access_log=False,
                server_header=False,
                # The application does it (`TrustedProxies`).
                proxy_headers=False,
                lifespan="on",
                ssl_certfile=work.tls_cert or None,
                ssl_keyfile=work.tls_key or None,
                timeout_graceful_shutdown=work.settings.grace_seconds,
                ssl_context_factory=_modern if work.tls_cert else None,
                ws=guarded_events(self._protocol.guard),
                ws_max_size=LONGEST_MESSAGE,
                # A compressor costs each connection more memory than its events save.
                ws_per_message_deflate=False,
            )
        )
        self._listener = listener
        self._announcement = announcement or f"listening on {work.url}"
        self._health, self._drain_seconds = app.state.health, work.settings.drain_seconds
        self._head_seconds = work.settings.head_seconds

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        super().run(sockets or [self._listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(log_missing_descriptors)
        sys.setswitchinterval(_SWITCH_SECONDS)
        if self.config.is_ssl:
            accept_with_tls(loop, self._protocol.guard, self._head_seconds)
        await super().startup(sockets)
        self._listener.listen(BACKLOG)
        if not self.should_exit:
            announce(self._announcement)

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
