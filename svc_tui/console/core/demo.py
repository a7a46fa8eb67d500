"""Functions of the console for the private demo service that it was started with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from svc_tui.console.terminal.recording import ScreenRecording


@dataclass(frozen=True, slots=True)
class Demo:
    """A private demo service. `reset` puts its data back and blocks; it returns the error, empty when it is done."""

    reset: Callable[[], str]
    #: Blocks until the service responds; its argument is called with the percentage of the data that is prepared.
    #: Raises what ends the console.
    wait: Callable[[Callable[[int], None]], None] = lambda _: None
    #: The factor for the pauses of the tour, 0 for a tour without pauses that ends the console; None without a tour.
    tour: float | None = None
    #: Records the output of the console.
    recording: ScreenRecording | None = None
