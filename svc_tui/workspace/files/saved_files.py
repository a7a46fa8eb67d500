"""Files saved for the user: written as a whole, and offered as a download where a browser shows the console."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from svc_tui.workspace.files.shared_files import replacing

#: The pipe on which `svc-tui web` expects the paths of saved files, each with a zero byte at the end: its descriptor
#: and inode. In other programs that get the variable, the descriptor can be another file.
VARIABLE = "SVC_TUI_SAVED_FILES"


@contextlib.contextmanager
def saved_file(path: Path, *, overwrite: bool = True) -> Iterator[BinaryIO]:
    """Write a file for the user, as `replacing` does, and report it."""
    with replacing(path, overwrite=overwrite) as file:
        yield file
    report(path)


def report(path: Path) -> None:
    """Report a saved file to the browser that shows this console, if there is one."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        descriptor, inode = map(int, os.environ[VARIABLE].split(":"))
        pipe = os.fstat(descriptor)
        if stat.S_ISFIFO(pipe.st_mode) and pipe.st_ino == inode:
            os.write(descriptor, os.fsencode(path.absolute()) + b"\0")
