"""The round trip to a terminal that no application uses, for `svc-tui doctor`."""

from __future__ import annotations

import os
import select
import termios
import time
import tty

from svc_tui.console.terminal.round_trip import QUESTION

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
