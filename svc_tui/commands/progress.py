"""A progress line on standard error while standard error is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from svc_tui.commands.styles import measured

#: Seconds between two updates of the line.
INTERVAL = 0.5
#: Columns of the line, for terminals of 80.
WIDTH = 78


class ProgressLine:
    """One line that is overwritten with the current progress."""

    def __init__(self) -> None:
        self._shown, self._next, self._began = 0, 0.0, time.monotonic()
        self._enabled = sys.stderr.isatty()

    def update(self, text: Callable[[], str]) -> None:
        """Show the current text, at most once in each interval."""
        now = time.monotonic()
        if self._enabled and now >= self._next:
            self._next = now + INTERVAL
            line = text()[:WIDTH]
            sys.stderr.write("\r" + line.ljust(self._shown))
            sys.stderr.flush()
            self._shown = len(line)

    def count(self, done: int, total: int, text: str, unit: str) -> None:
        """Show how much is done, with a bar where the total is known, how fast, and the time left."""
        seconds = time.monotonic() - self._began
        self.update(lambda: measured(done, total, text, unit, seconds))

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0
