"""Starts until the first picture of a place that is in the cache, leaving, silence, memory, and the start of a demo."""

from __future__ import annotations

import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import TEXTUAL, Figure, processor_seconds
from tests.bench.prepared import SVC_TUI, Prepared
from tests.support.pty import Terminal

RUNS = 5
#: Rounds over the first pictures of all places; half of the ratios of a place are within 4 % then.
ROUNDS = 15
HOST = Path(__file__).with_name("host.py")
FIRST_PICTURE = Path(__file__).with_name("first_picture.py")
#: The last two lines of a first picture: the number of records, and the keys.
_LIST = r"^ \d.*\n.*\? Help"
_ANY = r"\? Help"
#: Place -> what its first picture shows.
PLACES = {
    "applications": _LIST,
    "users": _LIST,
    "invoices": _LIST,
    "cloudpbxs": _LIST,
    "dashboard": _ANY,
    "home": _ANY,
}
SILENT_SECONDS = 10.0


def measure(prepared: Prepared) -> Iterator[Figure]:
    """The start of each place over the import of Textual, both as processor time, then the rest for one list."""
    yield from _first_pictures(prepared)
    yield from _one_console(prepared)
    yield _leaving(prepared)
    yield from _demo()


def _first_pictures(prepared: Prepared) -> Iterator[Figure]:
    """The median of the ratios of pairs, each with a reference before and after it.

    Rounds go over all places, so that what slows the machine for a while is in no place alone.
    """
    for place in PLACES:
        prepared.visit(place)
    ratios: dict[str, list[float]] = {place: [] for place in PLACES}
    bare = [processor_seconds(TEXTUAL)]
    for _ in range(ROUNDS):
        for place, seen in PLACES.items():
            spent = _first_picture(prepared, place, seen)
            bare.append(processor_seconds(TEXTUAL))
            ratios[place].append(spent / statistics.mean(bare[-2:]))
    reference = f"Textual ({statistics.median(bare) * 1e3:.0f} ms)"
    for place, found in ratios.items():
        low, value, high = statistics.quantiles(found, n=4)
        yield Figure(f"first picture: {place} ({low:.2f} to {high:.2f})", value, "x", 2.60, reference, value)


def _demo() -> Iterator[Figure]:
    """From the command to the first line and to the start page, on the clock, without any folder of the user."""
    lines, pages = [], []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            variables = {f"SVC_TUI_{kind}_DIR": str(Path(folder) / kind) for kind in ("CONFIG", "CACHE", "DATA")}
            begin = time.perf_counter()
            with Terminal([*SVC_TUI, "demo"], environment={**variables, "PYTHONDONTWRITEBYTECODE": ""}) as terminal:
                terminal.wait_for(r"\S", timeout=60)
                lines.append(time.perf_counter() - begin)
                terminal.wait_for(_ANY, timeout=60)
                pages.append(time.perf_counter() - begin)
                terminal.type("q")
                terminal.wait_until_closed(60)
    yield Figure("demo: first line", statistics.median(lines), "s", 0.3)
    yield Figure("demo: start page", statistics.median(pages), "s", 2)


def _first_picture(prepared: Prepared, place: str, seen: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Terminal([sys.executable, str(FIRST_PICTURE), place], environment=prepared.variables) as terminal:
        terminal.wait_until_closed(120)
        assert re.search(seen, terminal.text, re.MULTILINE), terminal.text
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _one_console(prepared: Prepared) -> Iterator[Figure]:
    with prepared.console("applications") as terminal:
        terminal.wait_for(r"[●◐]", timeout=60)
        terminal.settle(3.0, timeout=60)
        yield Figure("peak memory", terminal.peak_memory, "MB", 75)
        before, spent, begin = len(terminal.received), terminal.processor_seconds, time.monotonic()
        terminal.settle(SILENT_SECONDS, timeout=SILENT_SECONDS)
        share = 100 * (terminal.processor_seconds - spent) / (time.monotonic() - begin)
        yield Figure(f"bytes in {SILENT_SECONDS:.0f} s of silence", len(terminal.received) - before, "B", 0)
        yield Figure("processor in silence", share, "%", 0.3)


def _leaving(prepared: Prepared) -> Figure:
    """From `q` to the end of the process, in turn with a small program that has the driver of Textual."""
    pairs = []
    for _ in range(RUNS):
        with prepared.console("applications") as terminal:
            terminal.wait_for(r"[●◐]", timeout=60)
            value = _left(terminal)
        with Terminal([sys.executable, str(HOST), "100", "--plain"]) as terminal:
            terminal.wait_for(r"\? Help", timeout=60)
            pairs.append((value, _left(terminal)))
    value = statistics.median(one for one, _ in pairs)
    plain = statistics.median(other for _, other in pairs)
    return Figure("leaving", value * 1e3, "ms", 300, f"a program of Textual ({plain * 1e3:.0f} ms)", value / plain)


def _left(terminal: Terminal) -> float:
    terminal.settle(2.0, timeout=60)
    begin = time.perf_counter()
    terminal.type("q")
    while terminal.running:
        terminal.settle(0.005, timeout=0.005)
    return time.perf_counter() - begin
