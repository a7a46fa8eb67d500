"""The child process of `svc-tui demo`: serves until its parent ends, then removes its files.

A line on standard input, the address of the server, resets the data. The answer on standard output is `RESET`,
followed by the error when the data could not be reset.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.server import serve
else:
    serve = lazy_import("svc_tui.server.serve")

#: Seconds for requests in flight after the parent has ended.
DRAIN_SECONDS = 4.0
#: Seconds between two changes that the demo makes by itself.
ACTIVITY_SECONDS = 4.0
#: The first word of the answer to a reset, and of a line with the percentage of the data that is prepared.
RESET, PREPARED = "reset", "prepared"


def main(folder: Path, scale: str, listener: socket.socket) -> int:
    """Serve demo data from a folder on a socket, and remove the folder at the end."""
    # What a start makes stays until the end; `serve` collects garbage again.
    gc.disable()
    # Both before the server is imported: the parent can end during that second too.
    signal.signal(signal.SIGTERM, _exit)
    threading.Thread(target=_follow_parent, args=(folder, scale), daemon=True).start()
    try:
        return serve.serve(
            listener=listener,
            data_dir=folder / "service",
            demo_data=scale,
            demo_activity=ACTIVITY_SECONDS,
            report=_report,
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _report(percent: int) -> None:
    sys.stdout.write(f"{PREPARED} {percent}\n")
    sys.stdout.flush()


def _follow_parent(folder: Path, scale: str) -> None:
    """Reset the data when the parent writes, and end with it: its end of the pipe closes even after a crash."""
    # Not sys.stdin: its lock, held by this thread, would be a fatal error when the interpreter ends.
    while line := os.read(0, 1024):
        error_message = serve.reset_demo(folder / "service", scale, line.decode().strip())
        sys.stdout.write(f"{RESET} {error_message}".rstrip() + "\n")
        sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(DRAIN_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], socket.socket(fileno=int(sys.argv[3]))))
