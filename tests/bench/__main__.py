"""Measures the console and the commands: `python -m tests.bench [ROWS…]`, for example `keys`. All without a name.

Each line has a value, its target (! where it is missed), and the ratio to a reference that is measured in turn with it.
Times are processor times: they depend little on what else runs, and ratios least. Leaving and the delay of held keys
are measured on the clock. The section "The console" of docs/performance.md explains each figure.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

from tests.bench import commands, console, keys, peers, starts
from tests.bench.directory import check
from tests.bench.figures import PASS, processor_seconds
from tests.bench.prepared import Prepared, prepared
from tests.support.pty import Terminal

#: The rows of the table by name, in order.
ROWS: dict[str, Callable[[Prepared], Iterator[object]]] = {
    "commands": commands.measure,
    "starts": starts.measure,
    "keys": keys.measure,
    "console": console.measure,
    "directory": check.measure,
    "peers": peers.measure,
}
#: A program whose figures are known: 1,000 bytes, then a fifth of a second of work, then one more byte.
KNOWN = """
import sys, time
sys.stdout.write("x" * 999 + "\\n"); sys.stdout.flush()
end = time.process_time() + 0.2
while time.process_time() < end: pass
sys.stdout.write("#"); sys.stdout.flush()
sys.stdin.read()
"""


def check_instrument() -> None:
    """AssertionError when the terminal counts bytes or processor time wrong."""
    with Terminal([sys.executable, "-c", KNOWN]) as terminal:
        terminal.wait_for("#")
        # A terminal makes two characters of the end of a line.
        assert len(terminal.received) == 1002, len(terminal.received)
        assert 0.2 <= terminal.processor_seconds < 0.35, terminal.processor_seconds
        assert terminal.text.count("x") == 999
    spent = processor_seconds((sys.executable, "-c", KNOWN.replace("sys.stdin.read()", "")))
    assert 0.18 <= spent - processor_seconds(PASS) < 0.35, spent


def main() -> None:
    """Measure and print."""
    names = sys.argv[1:] or list(ROWS)
    if unknown := [name for name in names if name not in ROWS]:
        sys.exit(f"Unknown: {', '.join(unknown)}. {__doc__}\nNames: {', '.join(ROWS)}.")
    check_instrument()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with prepared() as [ready]:
        for name in names:
            for figure in ROWS[name](ready):
                print(figure, flush=True)


if __name__ == "__main__":
    main()
