"""Other programs for the terminal beside the console, where they are installed: start, a move, memory and silence.

`pipx install posting`, `harlequin` and `visidata` put them on the path, each with its own libraries. They do other
things than the console, so their figures are no targets: they show what is usual.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import TEXTUAL, processor_seconds
from tests.bench.prepared import SVC_TUI, Prepared
from tests.support.pty import Terminal

ROWS = 20_000
MOVES = 9
SILENT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Peer:
    """A program: the words after its name, and what its first picture shows."""

    program: str
    words: Callable[[Path], Sequence[str]]
    shows: str


def _table(folder: Path) -> str:
    """A file of as many rows as the large demo has applications."""
    file = folder / "rows.csv"
    file.write_text("name,state,type\n" + "".join(f"Branch {n},active,admin\n" for n in range(ROWS)), encoding="utf-8")
    return str(file)


PEERS = (
    Peer("posting", lambda _: ("--collection", "."), r"Send"),
    Peer("harlequin", lambda _: (), r"Run Query"),
    Peer("vd", lambda folder: (_table(folder),), r"Branch 3"),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a program costs; the start is processor time over that of importing Textual, until the first rows."""

    name: str
    start: float
    move_bytes: float
    move_seconds: float
    memory: float
    silent_bytes: int
    silent_share: float

    def __str__(self) -> str:
        return (
            f"{self.name:12} start {self.start:5.2f} x Textual, move {self.move_bytes:6,.0f} B "
            f"{self.move_seconds * 1e3:5.1f} ms, {self.memory:5.1f} MB, "
            f"silence {self.silent_bytes / SILENT_SECONDS:5.1f} B/s {self.silent_share:5.2f} %"
        )


def measure(ready: Prepared) -> Iterator[Beside | str]:
    """The console, then each program that is installed; a line about one that is not, or that does not start."""
    ready.visit("applications")
    yield _beside("svc-tui", [*SVC_TUI, "open", "applications"], ready.variables, r"[●◐]")
    for peer in PEERS:
        program = shutil.which(peer.program)
        if program is None:
            yield f"{peer.program:12} not installed"
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = {"HOME": name, "COLORTERM": "truecolor", "PYTHONDONTWRITEBYTECODE": ""}
            try:
                yield _beside(peer.program, [program, *peer.words(Path(name))], folder, peer.shows)
            except AssertionError as error:
                yield f"{peer.program:12} did not start: {str(error).strip().splitlines()[-1].strip()}"


def _beside(name: str, command: Sequence[str], environment: dict[str, str], shows: str) -> Beside:
    bare = processor_seconds(TEXTUAL)
    with Terminal(command, environment=environment) as terminal:
        terminal.wait_for(shows, timeout=60)
        start = terminal.processor_seconds / statistics.mean((bare, processor_seconds(TEXTUAL)))
        terminal.settle(3.0, timeout=30)
        sizes, times = [], []
        for _ in range(MOVES):
            spent = terminal.processor_seconds
            sizes.append(len(terminal.press("down", answer=1.0, quiet=0.3)))
            times.append(terminal.processor_seconds - spent)
        terminal.settle(2.0, timeout=20)
        before, spent, begin = len(terminal.received), terminal.processor_seconds, time.monotonic()
        while (left := begin + SILENT_SECONDS - time.monotonic()) > 0:
            terminal.settle(left, timeout=left)
        share = 100 * (terminal.processor_seconds - spent) / (time.monotonic() - begin)
        return Beside(
            name,
            start,
            statistics.median(sizes),
            statistics.median(times),
            terminal.peak_memory,
            len(terminal.received) - before,
            share,
        )
