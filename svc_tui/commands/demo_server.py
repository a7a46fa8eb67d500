"""The child process of `svc-tui demo`: serves until its parent ends, then removes its files."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.server import serve
else:
    serve = late("svc_tui.server.serve")

#: Seconds for requests in flight after the parent has ended.
DRAIN_SECONDS = 4.0
#: Seconds between two changes that the demo makes by itself.
ACTIVITY_SECONDS = 4.0


def main(folder: Path, scale: str) -> int:
    """Serve demo data from a folder and remove the folder at the end."""
    # Both before the server is imported: the parent can end during that second too.
    signal.signal(signal.SIGTERM, _exit)
    threading.Thread(target=_follow_parent, args=(folder,), daemon=True).start()
    try:
        return serve.serve(port=0, data_dir=folder / "service", demo_data=scale, demo_activity=ACTIVITY_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _follow_parent(folder: Path) -> None:
    """End with the parent. It never writes, so the read ends when its end of the pipe closes, even after a crash."""
    # Not sys.stdin: its lock, held by this thread, would be a fatal error when the interpreter ends.
    while os.read(0, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(DRAIN_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
