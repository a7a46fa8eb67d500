"""Servers that are forked from a process that has loaded one: a server starts in a fifth of the time.

`python -m tests.support.server_forks` is that process. It gets requests on its standard input, a socket.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

_ROOT = Path(__file__).parents[2]
_LONGEST_REQUEST = 200_000


class ForkedProcess:
    """A process that was forked, with what the tests use of `subprocess.Popen`. Its parent notes its exit code."""

    def __init__(self, output: int, notes: int) -> None:
        self.stdout = os.fdopen(output, encoding="utf-8")
        self._notes = os.fdopen(notes, "rb", buffering=0)
        self.pid = int(self._notes.read(16))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("server", timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._notes], [], [], timeout)[0]:
            self.returncode = int(self._notes.read(16))
            self._notes.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def forked(program: str, log_file: Path) -> ForkedProcess:
    """Run a program that serves, in this environment and folder; its standard error goes to a file."""
    request = json.dumps({"program": program, "environment": dict(os.environ), "folder": str(Path.cwd())}).encode()
    (output, outward), (notes, noted) = os.pipe(), os.pipe()
    with log_file.open("wb") as log:
        socket.send_fds(_loaded_server(), [request], [outward, log.fileno(), noted])
    os.close(outward)
    os.close(noted)
    return ForkedProcess(output, notes)


@cache
def _loaded_server() -> socket.socket:
    """The way to the process that has loaded a server, started with the first request. It ends with this process."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * _LONGEST_REQUEST)
    with far:
        subprocess.Popen([sys.executable, "-m", "tests.support.server_forks"], stdin=far, cwd=_ROOT)
    return near


def main() -> str:
    """Fork for each request. Returns its program, in the forked process."""
    from svc_tui.server import demo, serve  # noqa: F401 - loaded for the servers
    from svc_tui.server.http.application import load_rules

    load_rules()
    gc.collect()
    gc.freeze()
    # Nothing waits for those that wait for the servers.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    requests = socket.socket(fileno=0)
    while True:
        content, descriptors, _, _ = socket.recv_fds(requests, _LONGEST_REQUEST, 3)
        if not content:
            os._exit(0)
        if not os.fork():
            requests.detach()
            return _server(json.loads(content), *descriptors)
        for each in descriptors:
            os.close(each)


def _server(request: dict[str, Any], output: int, log: int, noted: int) -> str:
    """The process of a server. Its parent notes its number, and its exit code when it has ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if process := os.fork():
        _note_end(process, noted)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (log, 2)):
        os.dup2(source, target)
    for each in (nothing, output, log, noted):
        os.close(each)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    return str(request["program"])


def _note_end(process: int, noted: int) -> NoReturn:
    os.closerange(0, noted)
    os.closerange(noted + 1, 256)
    os.write(noted, f"{process:16}".encode())
    _, status = os.waitpid(process, 0)
    os.write(noted, f"{os.waitstatus_to_exitcode(status):16}".encode())
    os._exit(0)


if __name__ == "__main__":
    exec(main(), {"__name__": "__main__"})
