"""Measures the list through a pseudo terminal and prints it: `python tests/bench/run.py [--plain] [--theme NAME]`.

For each key: the median milliseconds from key to last byte, and the bytes. Then the same list with 100 and with 100,000
rows: the ratios say whether length costs anything.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.pty import Terminal

HOST = str(Path(__file__).with_name("host.py"))
#: Name of the step, keys that lead there, the keys measured in turn.
STEPS = (
    ("cursor move", ["home"], ["down"]),
    ("scrolled row", ["home", *["down"] * 21], ["down"]),
    ("scrolled row back", ["end", *["up"] * 21], ["up"]),
    ("page", ["home"], ["pagedown", "pageup"]),
    ("mark", ["home"], ["space"]),
)
REPEATS = 15


def measured(rows: int, options: list[str]) -> dict[str, tuple[float, float]]:
    """For each step the median milliseconds and the median bytes; for the start too."""
    begin = time.perf_counter()
    found = {}
    with Terminal([sys.executable, HOST, str(rows), *options], environment={"COLORTERM": "truecolor"}) as terminal:
        terminal.wait_for(r"\? Help")
        found["start"] = ((time.perf_counter() - begin) * 1000, float(len(terminal.received)))
        terminal.settle(0.5)
        for name, before, keys in STEPS:
            terminal.press(*before, answer=0.3)
            found[name] = key_cost(terminal, keys)
        before_idle = len(terminal.received)
        terminal.settle(3.0)
        found["idle, 3 s"] = (0.0, float(len(terminal.received) - before_idle))
    return found


def key_cost(terminal: Terminal, keys: list[str]) -> tuple[float, float]:
    """Median milliseconds from a key to its last byte, and median bytes."""
    times, sizes = [], []
    for number in range(REPEATS):
        begin = time.perf_counter()
        sizes.append(len(terminal.press(keys[number % len(keys)], answer=0.5, quiet=0.05)))
        times.append((time.perf_counter() - begin - 0.05) * 1000)
    return statistics.median(times), statistics.median(sizes)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", action="store_true", help="with Textual's own driver")
    parser.add_argument("--theme", default="terminal")
    options = parser.parse_args()
    arguments = ["--theme", options.theme, *(["--plain"] if options.plain else [])]
    short, long = measured(100, arguments), measured(100_000, arguments)
    print(f"{'':20}{'100 rows':>18}{'100,000 rows':>18}{'ratio of time':>15}")
    for name, (milliseconds, size) in short.items():
        more, larger = long[name]
        ratio = f"{more / milliseconds:.2f}" if milliseconds else ""
        print(f"{name:20}{milliseconds:8.1f} ms{size:6.0f} B{more:9.1f} ms{larger:6.0f} B{ratio:>13}")


if __name__ == "__main__":
    main()
