"""Worker processes that share one socket, and what each of them runs: `python -m svc_tui.server.running.workers`.

The supervisor is not uvicorn's: workers end with their parent even when it is killed, and `listening on` is printed
once all of them accept requests.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from types import FrameType

from svc_tui.server.http.application import build
from svc_tui.server.log_lines import log, log_to_standard_error
from svc_tui.server.running.processes import SIGNALS, Server, ServerOptions, announce
from svc_tui.server.running.scraping import SharedMeasures, shared
from svc_tui.server.settings import Settings

_READY = "ready"


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
        before = {number: signal.signal(number, self._stop) for number in SIGNALS}
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
            [sys.executable, "-m", "svc_tui.server.running.workers"],
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


def main() -> None:
    """Serve until SIGTERM, or until the parent is gone."""
    order = json.loads(sys.stdin.readline())
    settings = Settings.model_validate(order["settings"])
    log_to_standard_error(settings.log_format)
    work = ServerOptions(settings, order["url"], order["tls_cert"], order["tls_key"])
    follow_parent()
    Server(work, build(settings), socket.socket(fileno=order["listener"]), _READY).run()


if __name__ == "__main__":
    main()
