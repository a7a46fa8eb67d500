"""The child process of `svc-tui demo`: serves on loopback until its parent is gone, then removes all it made."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Literal

Scale = Literal["small", "large"]
#: Seconds that requests in flight get when the parent has gone.
PATIENCE = 4.0
#: Seconds between what happens in the demo by itself.
ACTIVITY = 4.0


def main(folder: Path, scale: Scale) -> int:
    """Serve demo data from a folder, and remove the folder at the end, however the end comes about."""
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_parent, args=(folder,), daemon=True).start()
    try:
        from svc_tui.server.serve import serve

        return serve(port=0, data_dir=folder / "service", demo_data=scale, demo_activity=ACTIVITY)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _follow_parent(folder: Path) -> None:
    """The parent never writes: reading ends when its end of the pipe is closed, be it by a crash."""
    # Not sys.stdin: its lock, held by this thread, would be a fatal error when the interpreter ends.
    while os.read(0, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(PATIENCE)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "large" if sys.argv[2] == "large" else "small"))
