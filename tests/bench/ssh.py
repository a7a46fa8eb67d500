"""Measures the console over SSH on a slow line: `python -m tests.bench.ssh [--quick]`.

A real server on the loopback interface, 150 ms a round trip and 256 kbit/s. First the ten commonest tasks in a list of
20,000: the time from the key to the picture, and the bytes until the terminal is quiet. Then, without `--quick`, every
kind of terminal outside and inside tmux, every width and environment: the list, a move, a record and the way back, each
picture compared with a full repaint, cell by cell. After a quarter of an hour no further terminal is tried.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.prepared import SVC_TUI, Prepared, prepared
from tests.support.pty import Terminal
from tests.support.ssh import KILOBITS, ROUND_TRIP, SshServer, missing, ssh_server

#: Task -> what is typed, and what is then seen.
TASKS = {
    "move the cursor": ("j", r"NAME[^\n]*\n [^\n]*\n▌"),
    "to the last rows": ("G", r"^▌Warehouse"),
    "back to the first": ("g", r"^▌Branch"),
    "open a record": ("\r", r"Identity"),
    "back to the list": ("\x1b", r"\d+ applications"),
    "filter by a word": ("/sync\r", r"/sync "),
    "clear the filter": ("\x1b", r"\d\d,\d{3} applications"),
    "edit form": ("e", r"no changes"),
    "close the form": ("\x1b", r"\d\d,\d{3} applications"),
    "another list": (":users\r", r"▸ Users[\s\S]*\d+ users"),
    "help": ("?", r"Help: "),
}
#: Seconds after which no further terminal is tried.
MOST_SECONDS = 900
LIST = r"\d+ applications"
TERMS = ("xterm-256color", "screen-256color", "tmux-256color", "xterm", "linux", "vt220", "dumb")
WIDTHS = (40, 60, 80, 120, 200, 300)
ENVIRONMENTS: Mapping[str, Mapping[str, str]] = {
    "NO_COLOR": {"NO_COLOR": "1"},
    "true colour": {"COLORTERM": "truecolor"},
    "LANG=C": {"LANG": "C", "LC_ALL": "C"},
    "NO_COLOR and LANG=C": {"NO_COLOR": "1", "LANG": "C", "LC_ALL": "C"},
}


@dataclass
class Far:
    """The far machine: its SSH server, and the environment of a user who is logged in to the service."""

    server: SshServer
    ready: Prepared
    faults: list[str] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    def open(
        self, *before: str, term: str = "xterm-256color", columns: int = 80, more: Mapping[str, str] | None = None
    ) -> Terminal:
        """The console at its applications."""
        variables = {name: value for name, value in self.ready.variables.items() if name != "COLORTERM"}
        variables |= {"LANG": "C.UTF-8", "PATH": os.environ["PATH"], **(more or {})}
        return self.server.open([*before, *SVC_TUI, "open", "applications"], variables, term=term, columns=columns)


def tasks(far: Far) -> Iterator[tuple[str, float, int]]:
    """Task, seconds until its picture, bytes until quiet."""
    begin = time.monotonic()
    with far.open() as terminal:
        terminal.wait_for(LIST, timeout=60)
        yield "command to the list, from the cache", time.monotonic() - begin, len(terminal.received)
        terminal.wait_for(r"terminal \d+ ms", timeout=60)
        terminal.settle(2.0)
        for name, (keys, seen) in TASKS.items():
            begin, before = time.monotonic(), len(terminal.received)
            terminal.type(keys)
            terminal.wait_for(seen)
            seconds = time.monotonic() - begin
            terminal.settle(1.5)
            yield name, seconds, len(terminal.received) - before
        terminal.type("q")
        terminal.settle(1.0)
        begin, before = time.monotonic(), len(terminal.received)
        terminal.type("q")
        terminal.wait_until_closed(20)
        yield "leave", time.monotonic() - begin, len(terminal.received) - before


def walk(far: Far, name: str, opening: Callable[[], Terminal], columns: int) -> None:
    """A list, a move, a record and back; each picture is that of a full repaint."""
    if time.monotonic() > far.begun + MOST_SECONDS:
        far.faults.append(f"{name}: not tried, because the others took {MOST_SECONDS} seconds")
        return
    try:
        with opening() as terminal:
            if "dumb" in name:
                terminal.wait_for(r"Row 1 of [\d,]+: ", timeout=60)
                terminal.type("j")
                terminal.wait_for(r"Row 2 of [\d,]+: ")
            else:
                terminal.wait_for(LIST, timeout=60)
                # The link is measured, and its message gone with the first key.
                terminal.settle(2.5)
                for keys, seen in (("jj", LIST), ("\r", "Identity"), ("\x1b", LIST)):
                    terminal.type(keys)
                    terminal.wait_for(seen)
                    _compare(terminal, columns)
            terminal.type("q")
            if terminal.wait_until_closed(20):
                raise AssertionError("the console ended with an error")
    except AssertionError as error:
        far.faults.append(f"{name}: {error}")
        print(f"{name:44} FAULT", flush=True)
    else:
        print(f"{name:44} {len(terminal.received):7,} B", flush=True)


def _compare(terminal: Terminal, columns: int) -> None:
    terminal.settle(1.2)
    before, text = terminal.screen.cells(), terminal.text
    terminal.resize(columns, 24)
    terminal.settle(1.2)
    if terminal.screen.cells() != before:
        raise AssertionError(f"another picture than that of a full repaint:\n{text}\nrepainted:\n{terminal.text}")


def terminals(far: Far, folder: Path) -> None:
    """Every kind of terminal, outside and inside tmux, widths and environments."""
    for term in TERMS:
        walk(far, f"TERM={term}", lambda term=term: far.open(term=term), 80)
        if term not in ("dumb", "vt220"):
            inside = ("tmux", "-S", str(folder / term), "-f", "/dev/null", "new-session", "env", "-u", "COLORTERM")
            walk(far, f"TERM={term} with tmux", lambda inside=inside, term=term: far.open(*inside, term=term), 80)
    for columns in WIDTHS:
        walk(far, f"{columns} columns", lambda columns=columns: far.open(columns=columns), columns)
    for name, more in ENVIRONMENTS.items():
        walk(far, name, lambda more=more: far.open(more=more), 80)


def main() -> None:
    """Measure and print; ends with an error where a picture was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the tasks only, without the other terminals")
    quick = parser.parse_args().quick
    if reason := missing():
        sys.exit(reason)
    print(f"{ROUND_TRIP} ms, {KILOBITS} kbit/s; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with (
        prepared("large", "superadmin@demo.example") as [ready],
        tempfile.TemporaryDirectory() as name,
        ssh_server(Path(name)) as server,
    ):
        far = Far(server, ready)
        ready.visit("applications")
        for task, seconds, size in tasks(far):
            print(f"{task:44} {seconds * 1000:7,.0f} ms {size:7,} B", flush=True)
        if not quick:
            terminals(far, Path(name))
    if far.faults:
        sys.exit("\n\n".join(far.faults))


if __name__ == "__main__":
    main()
