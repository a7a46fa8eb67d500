"""Processor time of commands, beside that of the imports of httpx and pydantic."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.bench.figures import Figure, in_turn
from tests.bench.prepared import SVC_TUI, Prepared

RUNS = 9
#: What a call cannot do without.
LIBRARIES = (sys.executable, "-c", "import httpx, pydantic")
#: Arguments -> the target, as a multiple of these imports.
COMMANDS = {
    ("--version",): 0.5,
    ("--help",): 0.5,
    ("call", "list_applications"): 2.5,
    ("call", "list_applications", "--all"): 4.0,
}


def measure(prepared: Prepared) -> Iterator[Figure]:
    """One figure for each command: how many times as long as the imports."""
    for words, target in COMMANDS.items():
        value, bare = in_turn((*SVC_TUI, *words), LIBRARIES, RUNS, prepared.variables)
        yield Figure(
            f"svc-tui {' '.join(words)}", value / bare, "x", target, f"libraries ({bare * 1e3:.0f} ms)", value / bare
        )
