"""Start of a console: takes the pseudo-terminal on standard input as its own, then becomes the command."""

from __future__ import annotations

import fcntl
import os
import sys
import termios

if __name__ == "__main__":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.execv(sys.executable, [sys.executable, "-m", "svc_tui", *sys.argv[1:]])
