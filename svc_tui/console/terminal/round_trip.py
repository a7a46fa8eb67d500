"""The round trip to the terminal: the time from a question to its reply, measured while the console is used."""

from __future__ import annotations

import os
import re
import select
import subprocess
import termios
import time
import tty
from collections import deque
from collections.abc import Callable, Mapping, Sequence

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


#: How a reply ends, and the seconds for which one is waited.
_END, _PATIENCE = b"R", 2.0


def ask_terminal(reader: int, writer: int, times: int) -> list[float]:
    """Seconds of this many round trips to a terminal that no application uses; fewer when it does not reply.

    The file descriptors are those of the terminal. OSError when they are not.
    """
    before = termios.tcgetattr(reader)
    tty.setcbreak(reader)
    try:
        trips: list[float] = []
        for _ in range(times):
            sent = time.monotonic()
            os.write(writer, QUESTION.encode())
            if not _wait_for_reply(reader):
                break
            trips.append(time.monotonic() - sent)
        return trips
    finally:
        termios.tcsetattr(reader, termios.TCSADRAIN, before)


def _wait_for_reply(reader: int) -> bool:
    while select.select([reader], [], [], _PATIENCE)[0]:
        data = os.read(reader, 1024)
        if not data or _END in data:
            return bool(data)
    return False


#: Milliseconds in the output of `ss`, before their deviation.
_ROUND_TRIP = re.compile(r"\brtt:([\d.]+)/")


def ssh_round_trip(environment: Mapping[str, str]) -> float | None:
    """Seconds of a round trip to the SSH client; None without SSH, and where the system does not report it.

    In tmux, the connection is that of the client that attached last.
    """
    connection = environment.get("SSH_CONNECTION", "")
    if environment.get("TMUX"):
        connection = _output(["tmux", "show-environment", "SSH_CONNECTION"]).strip().partition("=")[2]
    match connection.split():
        case [client, client_port, server, server_port]:
            ends = ["src", _socket(server, server_port), "dst", _socket(client, client_port)]
            measured = _ROUND_TRIP.search(_output(["ss", "-tinH", *ends]))
            return float(measured[1]) / 1_000 if measured else None
    return None


def _socket(address: str, port: str) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _output(command: Sequence[str]) -> str:
    """The standard output of a command; empty if it is missing or does not respond."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=2, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
