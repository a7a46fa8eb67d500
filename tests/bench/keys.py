"""Bytes and processor time of keys in a list; each picture is compared with a full repaint, cell by cell."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.prepared import Prepared
from tests.support.pty import Terminal

HOST = Path(__file__).with_name("host.py")
REPEATS = 9
#: Name -> keys before it, the keys measured in turn, target in bytes, target in milliseconds of processor time.
STEPS: dict[str, tuple[Sequence[str], Sequence[str], int, float]] = {
    "cursor move": (["home"], ["down"], 300, 8),
    "scrolled row": (["home", *["down"] * 21], ["down"], 300, 8),
    "scrolled row back": (["end", *["up"] * 21], ["up"], 300, 8),
    "page": (["home"], ["pagedown", "pageup"], 1800, 8),
    "end and home": (["home"], ["end", "home"], 2500, 60),
}
HELD_A_SECOND, HELD_SECONDS = 30, 4


def measure(_: Prepared) -> Iterator[Figure]:
    """Bytes and milliseconds of each key in a list of 20,000 rows, a held key, and a row on a large terminal."""
    with _list(20_000) as terminal:
        for name, (before, keys, most_bytes, most_time) in STEPS.items():
            sizes, times = measured(terminal, before, keys, _compare)
            yield Figure(f"{name}, 80x24", statistics.median(sizes), "B", most_bytes)
            yield Figure(f"{name}, 80x24", statistics.median(times) * 1e3, "ms", most_time)
        yield from _held(terminal)
    with _list(20_000, columns=200, rows=50) as terminal:
        sizes, times = measured(terminal, ["home", *["down"] * 47], ["down"], _compare)
        yield Figure("scrolled row, 200x50", statistics.median(sizes), "B", 500)
        yield Figure("scrolled row, 200x50", statistics.median(times) * 1e3, "ms", 8)


def _list(count: int, *, columns: int = 80, rows: int = 24) -> Terminal:
    terminal = Terminal(
        [sys.executable, str(HOST), str(count), "--ask"],
        columns=columns,
        rows=rows,
        environment={"COLORTERM": "truecolor"},
    )
    terminal.wait_for(r"\? Help", timeout=60)
    terminal.settle(0.5)
    return terminal


def measured(
    terminal: Terminal,
    before: Sequence[str],
    keys: Sequence[str],
    compare: Callable[[Terminal], None],
    quiet: float = 0.1,
) -> tuple[list[int], list[float]]:
    """Bytes and processor seconds of each key, one after the other; then the same keys, and `compare` after each."""
    terminal.press(*before, answer=0.5)
    sizes, times = [], []
    for number in range(REPEATS):
        spent = terminal.processor_seconds
        sizes.append(len(terminal.press(keys[number % len(keys)], answer=1.0, quiet=quiet)))
        times.append(terminal.processor_seconds - spent)
    compare(terminal)
    # A full repaint changes what the next key costs: the pen and the cursor are elsewhere.
    terminal.press(*before, answer=0.5)
    for number in range(REPEATS):
        terminal.press(keys[number % len(keys)], answer=1.0, quiet=quiet)
        compare(terminal)
    return sizes, times


def _compare(terminal: Terminal) -> None:
    """The screen must be what a full repaint draws: a wrong picture is worse than a slow one."""
    before = terminal.screen.cells()
    repainted = terminal.press("r", answer=2.0, quiet=0.1)
    if len(repainted) < terminal.screen.columns:
        raise AssertionError("nothing was painted again")
    if terminal.screen.cells() != before:
        raise AssertionError(f"the picture before a full repaint was another one than\n{terminal.text}")


def _held(terminal: Terminal) -> Iterator[Figure]:
    """A key that is held down: the share of a processor, and how late the last byte is."""
    terminal.press("home", answer=0.5)
    spent, begin = terminal.processor_seconds, time.monotonic()
    for number in range(HELD_A_SECOND * HELD_SECONDS):
        terminal.type("\x1b[B")
        while (left := begin + (number + 1) / HELD_A_SECOND - time.monotonic()) > 0:
            terminal.settle(left, timeout=left)
    share = 100 * (terminal.processor_seconds - spent) / (time.monotonic() - begin)
    yield Figure(f"a key held at {HELD_A_SECOND} a second", share, "%", 15)
    late = time.monotonic()
    terminal.settle(0.3)
    yield Figure("behind, after a held key", max(0.0, (time.monotonic() - late - 0.3) * 1e3), "ms", 30)
