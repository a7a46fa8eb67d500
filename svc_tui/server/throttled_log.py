"""Warnings that many requests can cause: one line in ten seconds, with the number of those that it stands for."""

from __future__ import annotations

import logging
import time

_SECONDS = 10.0


class ThrottledLog:
    """One kind of warning."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._next, self._left_out = 0.0, 0

    def warning(self, sentence: str, *values: object) -> None:
        """Log it, unless it was logged a moment ago."""
        now = time.monotonic()
        if now < self._next:
            self._left_out += 1
            return
        times = f" ({self._left_out} more times before)" if self._left_out else ""
        self._next, self._left_out = now + _SECONDS, 0
        self._log.warning(sentence + times, *values)
