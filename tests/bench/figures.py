"""A measured figure beside its target and a reference, and the processor time of commands."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PASS = (sys.executable, "-c", "pass")
TEXTUAL = (sys.executable, "-c", "import textual.app")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `ratio` is the value over that of the reference, both measured in turn in this run."""

    name: str
    value: float
    unit: str
    target: float
    reference: str = ""
    ratio: float = 0.0

    def __str__(self) -> str:
        beside = f"{self.ratio:6.2f} x {self.reference}" if self.reference else ""
        mark = " " if self.value <= self.target else "!"
        return f"{self.name:44}{self.value:10.2f} {self.unit:5}{mark} target {self.target:8.2f}  {beside}".rstrip()


def processor_seconds(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """Processor time of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env={**os.environ, **(environment or {})}, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(
    command: Sequence[str], reference: Sequence[str], runs: int, environment: Mapping[str, str] | None = None
) -> tuple[float, float]:
    """The medians of the processor time of a command and of a reference, which run in turn."""
    pairs = [(processor_seconds(command, environment), processor_seconds(reference)) for _ in range(runs)]
    return statistics.median(one for one, _ in pairs), statistics.median(other for _, other in pairs)
