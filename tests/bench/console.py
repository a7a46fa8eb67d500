"""Keys of the whole console on the large demo data: bytes and time, each picture compared with a full repaint.

`keys` measures the list alone; here are the real columns, the bars and the service.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tests.bench.figures import Figure
from tests.bench.keys import measured
from tests.bench.prepared import Prepared, prepared
from tests.support.pty import Terminal

#: Keys before it, the keys measured in turn, target in bytes, target in milliseconds of processor time.
Step = tuple[Sequence[str], Sequence[str], int, float]
STEPS: Mapping[str, Step] = {
    "cursor move": (["home"], ["down"], 300, 8),
    "scrolled row": (["home", *["down"] * 20], ["down"], 300, 8),
    "page": (["home"], ["pagedown"], 1800, 8),
    "end in 20,000": (["home"], ["end", "home"], 2500, 60),
}
#: What is measured in the colours of the terminal too, which the console uses over SSH.
OVER_SSH = ("cursor move", "scrolled row", "page")
#: Account, place, rows in words, what is typed as a filter, target to the first change in milliseconds.
FILTERS = (
    ("support", "applications", "20,000", "branch", 8),
    ("company_admin", "recordings", "100,000", "0219", 12),
)
#: Seconds until the rows of a filter have come; an answer that is later is not among its bytes.
FILTERED = 0.8


def measure(_: Prepared) -> Iterator[Figure]:
    """The list of 20,000 applications, and a filter over it and over 100,000 recordings."""
    accounts = ["support@demo.example", "company_admin@demo.example"]
    with prepared("large", *accounts) as [support, admin]:
        known = {"support": support, "company_admin": admin}
        support.visit("applications")
        yield from _steps(support, "console", STEPS)
        over_ssh = replace(support, variables={**support.variables, "COLORTERM": ""})
        yield from _steps(over_ssh, "in terminal colours", {name: STEPS[name] for name in OVER_SSH})
        for account, place, rows, word, most in FILTERS:
            known[account].visit(place)
            yield from _filter(known[account], place, rows, word, most)


def _steps(ready: Prepared, title: str, steps: Mapping[str, Step]) -> Iterator[Figure]:
    with ready.console("applications") as terminal:
        _until_quiet(terminal)
        for name, (before, keys, most_bytes, most_time) in steps.items():
            sizes, times = measured(terminal, before, keys, _compare, quiet=0.3)
            # A key that goes back costs what is on the screen already.
            sizes, times = sizes[:: len(keys)], times[:: len(keys)]
            yield Figure(f"{title}: {name}", statistics.median(sizes), "B", most_bytes)
            yield Figure(f"{title}: {name}", statistics.median(times) * 1e3, "ms", most_time)


def _until_quiet(terminal: Terminal) -> None:
    terminal.wait_for(r"[●◐]", timeout=120)
    terminal.settle(2.5, timeout=60)


def _compare(terminal: Terminal) -> None:
    """The screen must be what a full repaint draws."""
    before = terminal.screen.cells()
    terminal.resize(terminal.screen.columns, terminal.screen.lines)
    terminal.settle(0.3)
    if terminal.screen.cells() != before:
        raise AssertionError(f"the picture before a full repaint was another one than\n{terminal.text}")


def _filter(ready: Prepared, place: str, rows: str, word: str, most: float) -> Iterator[Figure]:
    """The keys of a filter: processor time to the first change, and the bytes until its rows have come."""
    with ready.console(place) as terminal:
        _until_quiet(terminal)
        terminal.press("/", answer=1.0, quiet=0.3)
        times, sizes = [], []
        for key in word:
            spent, before = terminal.processor_seconds, len(terminal.received)
            terminal.type(key)
            terminal.wait_for(lambda _, before=before: len(terminal.received) > before)  # type: ignore[misc]
            times.append(terminal.processor_seconds - spent)
            terminal.settle(FILTERED)
            sizes.append(len(terminal.received) - before)
    yield Figure(f"a filter key over {rows} rows: first change", statistics.median(times) * 1e3, "ms", most)
    yield Figure(f"a filter key over {rows} rows", statistics.median(sizes), "B", 4096)
