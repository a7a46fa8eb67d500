"""A real server process, as `svc-tui serve` starts it, for tests that need HTTP over a socket."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from svc_tui.server.demo.repeatable import Scale
from tests.support.server_forks import ForkedProcess, forked

_PROGRAM = "{before}\nimport sys; from svc_tui.server.serve import serve; sys.exit(serve(**{options!r}))"


@dataclass
class ServerProcess:
    """A running server; `url` is where it listens."""

    process: subprocess.Popen[str] | ForkedProcess
    url: str
    log_file: Path

    @property
    def log(self) -> str:
        """What it wrote to standard error so far."""
        return self.log_file.read_text(encoding="utf-8")

    def end(self, timeout: float = 20) -> int:
        """SIGTERM, and the exit code."""
        self.process.terminate()
        return self.process.wait(timeout)


def start(log_file: Path, before: str = "", **options: Any) -> ServerProcess:
    """Start a server with the arguments of `serve` and wait for its `listening on` line.

    It runs `before` first, in a process that has loaded nothing.
    """
    options = {name: str(value) if isinstance(value, Path) else value for name, value in options.items()}
    program = _PROGRAM.format(before=before, options={"port": 0, **options})
    if before:
        return launched(log_file, [sys.executable, "-c", program])
    return _listening(forked(program, log_file), log_file)


def launched(log_file: Path, command: Sequence[str]) -> ServerProcess:
    """Start a server by a command line and wait for its `listening on` line."""
    with log_file.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    return _listening(process, log_file)


def _listening(process: subprocess.Popen[str] | ForkedProcess, log_file: Path) -> ServerProcess:
    assert process.stdout is not None
    line = process.stdout.readline()
    head, _, url = line.strip().partition("listening on ")
    if head or not url:
        process.wait(10)
        raise AssertionError(f"the server did not start: {line!r} {log_file.read_text(encoding='utf-8')}")
    return ServerProcess(process, url, log_file)


@contextmanager
def serving(folder: Path, **options: Any) -> Iterator[ServerProcess]:
    """A server for the length of a block, ended whatever happens."""
    with ended(start(folder / "server.log", data_dir=folder / "data", **options)) as server:
        yield server


@contextmanager
def ended(server: ServerProcess) -> Iterator[ServerProcess]:
    """A server that ends with the block, whatever happens."""
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.terminate()
            try:
                server.process.wait(20)
            except subprocess.TimeoutExpired:
                server.process.kill()
                server.process.wait()
        if server.process.stdout is not None:
            server.process.stdout.close()


@contextmanager
def serving_demo(folder: Path, scale: Scale = "small", **options: Any) -> Iterator[ServerProcess]:
    """The same with today's demo data, which is copied and not made again."""
    from tests.support.databases import demo
    from tests.support.keys import share_signing_key

    data = folder / "data"
    if not data.exists():
        share_signing_key(data)
        demo(datetime.now(UTC).date(), scale).copy(data / "svc.db")
    with serving(folder, demo_data=scale, **options) as server:
        yield server
