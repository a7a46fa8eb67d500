"""The round trip to the terminal: the time from a question to its reply, measured while the console is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

#: Asks for the position of the cursor, which every terminal reports, in four bytes.
QUESTION = "\x1b[6n"
#: A round trip above this many seconds is slow, and one below the second is fast again.
SLOW_TERMINAL, FAST_TERMINAL = 0.1, 0.06
#: Seconds between measurements while keys are pressed.
INTERVAL = 60.0
#: A slower reply was held up by something else, such as a console that was stopped.
LONGEST = 10.0


class RoundTrip:
    """Round trips to a terminal, in seconds.

    The faster one of the last two counts: a long picture before the question, or other work here, delays a reply.
    `ask` sends the question; `clock` counts seconds like the times of events.
    """

    def __init__(self, ask: Callable[[], None], clock: Callable[[], float]) -> None:
        self._ask, self._clock = ask, clock
        self._sent: float | None = None
        self._due = 0.0
        self._replies: deque[float] = deque(maxlen=2)

    @property
    def seconds(self) -> float | None:
        """The round trip; None until two replies came."""
        return min(self._replies) if len(self._replies) == self._replies.maxlen else None

    def used(self) -> None:
        """A key was pressed: measure when the last measurement is old, unless the terminal never replies."""
        if self._clock() >= self._due and (self._sent is None or self._replies):
            self.measure()

    def measure(self) -> None:
        """Ask now."""
        self._sent = self._clock()
        self._due = self._sent + INTERVAL
        self._ask()

    def replied(self, at: float) -> bool:
        """A reply arrived; whether it is used. Until two are known, the next question is asked at once."""
        sent, self._sent = self._sent, None
        if sent is None or not 0 <= at - sent <= LONGEST:
            return False
        self._replies.append(at - sent)
        if self.seconds is None:
            self.measure()
        return True
