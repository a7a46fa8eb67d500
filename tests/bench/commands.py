"""Processor time of commands, beside `python -c pass`."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.figures import PASS, Figure, in_turn
from tests.bench.prepared import SVC_TUI, Prepared

RUNS = 9
#: Arguments -> the target, as a multiple of `python -c pass`.
COMMANDS = {
    ("--version",): 2.0,
    ("--help",): 3.75,
    ("call", "list_applications"): 10.6,
    ("call", "list_applications", "--all"): 40.0,
}


def measure(prepared: Prepared) -> Iterator[Figure]:
    """One figure for each command: how many times as long as an empty program."""
    for words, target in COMMANDS.items():
        value, bare = in_turn((*SVC_TUI, *words), PASS, RUNS, prepared.variables)
        yield Figure(
            f"svc-tui {' '.join(words)}", value / bare, "x", target, f"pass ({bare * 1e3:.0f} ms)", value / bare
        )
