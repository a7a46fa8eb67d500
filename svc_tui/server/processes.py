"""The event loop of one process, and worker processes that share one socket.

The supervisor is not uvicorn's: workers end with their parent even when it is killed, and `listening on` is printed
once all of them accept requests.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from svc_tui.server.connections import ACCEPTED_AT_ONCE, LARGEST_HEAD, guarded, log_missing_descriptors
from svc_tui.server.events.handshakes import guarded_events
from svc_tui.server.log_lines import log
from svc_tui.server.scraping import SharedMeasures, shared
from svc_tui.server.settings import Settings
from svc_tui.server.tls import accept_with_tls

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
_READY = "ready"
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


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
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
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


class Workers:
    """The worker processes that share the socket. A worker that dies is replaced."""

    def __init__(
        self, work: ServerOptions, listener: socket.socket, count: int, measures: SharedMeasures | None
    ) -> None:
        self._listener, self._measures = listener, measures
        self._order = json.dumps(
            {
                "settings": work.settings.model_dump(mode="json"),
                "url": work.url,
                "tls_cert": work.tls_cert,
                "tls_key": work.tls_key,
                "listener": listener.fileno(),
            }
        )
        self._url = work.url
        self._count = count
        settings = work.settings
        self._patience = settings.drain_seconds + 2 * settings.grace_seconds + 5
        self._stopping = threading.Event()
        self._children: list[subprocess.Popen[str]] = []

    def run(self) -> int:
        """Serve until a signal. Returns the exit code."""
        before = {number: signal.signal(number, self._stop) for number in _SIGNALS}
        self._children = [self._start() for _ in range(self._count)]
        try:
            if not all(_is_ready(child) for child in self._children):
                return 1
            announce(f"listening on {self._url}")
            while not self._stopping.wait(0.2):
                self._children = [self._replaced_if_dead(child) for child in self._children]
            return 0
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self._stopping.is_set():
            # The second signal ends the time for load balancers.
            self._signal()
        self._stopping.set()

    def _signal(self) -> None:
        for child in self._children:
            with suppress(ProcessLookupError):
                child.send_signal(signal.SIGTERM)

    def _end(self) -> None:
        self._signal()
        # Only workers accept from here on. After the last one the address refuses connections, so no request hangs.
        self._listener.close()
        deadline = time.monotonic() + self._patience
        for child in self._children:
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _replaced_if_dead(self, child: subprocess.Popen[str]) -> subprocess.Popen[str]:
        if child.poll() is None or self._stopping.is_set():
            return child
        log.error("worker %s ended with %s; starting another one", child.pid, child.returncode)
        if self._measures is not None:
            self._measures.ended(child.pid)
        self._stopping.wait(1)
        return self._start()

    def _start(self) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, "-m", "svc_tui.server.worker"],
            # Carries secrets; when it closes, the parent is gone.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[self._listener.fileno()],
            start_new_session=True,
            env=None if self._measures is None else self._measures.environment,
        )
        assert child.stdin is not None
        child.stdin.write(self._order + "\n")
        child.stdin.flush()
        return child


def _is_ready(child: subprocess.Popen[str]) -> bool:
    assert child.stdout is not None
    return child.stdout.readline().strip() == _READY


def run_workers(work: ServerOptions, listener: socket.socket, count: int) -> int:
    """Serve with several processes until SIGTERM or SIGINT. Returns the exit code."""
    with shared(work.settings.metrics_address) as measures:
        return Workers(work, listener, count, measures).run()


def follow_parent() -> None:
    """End this worker as by SIGTERM when the parent is gone, even when it was killed."""

    def wait() -> None:
        # Not sys.stdin.read(): a thread inside it would abort the interpreter at its end.
        while os.read(sys.stdin.fileno(), 1024):
            continue
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
