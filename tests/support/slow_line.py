"""A slow line as the proxy command of an SSH client: `python slow_line.py HOST PORT MILLISECONDS KILOBITS`.

Each byte arrives after half a round trip and not before those ahead of it have passed, in either direction. It knows
nothing of the project, so that it starts fast.
"""

import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable

#: Bytes that pass together; a full one takes 8 ms at 256 kbit/s.
PIECE = 256


def carry(read: Callable[[], bytes], write: Callable[[bytes], object], delay: float, second: float) -> None:
    """Pass bytes on until the source ends; `second` is the number of bytes that pass in one."""
    pieces: queue.Queue[tuple[float, bytes]] = queue.Queue()

    def take() -> None:
        passed = 0.0
        while data := read():
            for start in range(0, len(data), PIECE):
                piece = data[start : start + PIECE]
                passed = max(passed, time.monotonic()) + len(piece) / second
                pieces.put((passed + delay, piece))
        pieces.put((0.0, b""))

    threading.Thread(target=take, daemon=True).start()
    while True:
        due, piece = pieces.get()
        if not piece:
            return
        time.sleep(max(0.0, due - time.monotonic()))
        write(piece)


def main() -> None:
    """Connect, and carry both ways until one side ends."""
    host, port, milliseconds, kilobits = sys.argv[1], *map(int, sys.argv[2:5])
    delay, second = milliseconds / 2000, kilobits * 1000 / 8
    with socket.create_connection((host, port)) as far:
        far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        up = threading.Thread(target=carry, args=(lambda: os.read(0, 65536), far.sendall, delay, second), daemon=True)
        up.start()
        try:
            carry(lambda: far.recv(65536), lambda piece: os.write(1, piece), delay, second)
        except OSError:
            # One of the sides is gone, which ends the line.
            return


if __name__ == "__main__":
    main()
