"""Being told to end: by way of every `finally`, so that terminals and folders are left as they were found."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ending_tidily() -> Iterator[None]:
    """SIGTERM, and SIGHUP of a terminal that is gone, leave the block like an exception."""
    before = {number: signal.signal(number, _leave) for number in _NUMBERS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> None:
    # A second signal must not stop the tidying up, nor the SIGCONT that a terminal sends along wake a screen that is
    # being left. Ignoring them would be complained about when they have arrived already.
    for each in (*_NUMBERS, signal.SIGCONT):
        signal.signal(each, _nothing)
    raise SystemExit(128 + number)


def _nothing(number: int, frame: FrameType | None) -> None:
    """Take no notice."""
