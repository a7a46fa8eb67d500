"""Files saved for the user: written as a whole, and offered as a download where a browser shows the console; private
files that consoles share: replaced in one step, readable by this user alone, one writer at a time; and files in
words.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from svc_tui.cache.opening import alone, private_folder
from svc_tui.language import _, number_text

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


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = True) -> Iterator[BinaryIO]:
    """Write a file that replaces another when it is complete; only this user can read it.

    Without `overwrite`, FileExistsError is raised when the file exists at the end. A symbolic link is followed, so
    that a linked configuration stays in its place. OSError leaves the old file unchanged. A device or a pipe
    (`/dev/stdout`, `>(program)`) is no file that can be replaced: it gets what is written at once.
    """
    if _is_stream(path):
        with path.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if not overwrite:
            # Creates the name, so that no other process can take it.
            target.touch(exist_ok=False)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_private(path: Path, text: str) -> None:
    """Replace a small file in one step, as `replacing` does."""
    with replacing(path) as file:
        file.write(text.encode("utf-8", "surrogatepass"))


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock beside a file while it is read, changed and written. OSError when it cannot be taken."""
    private_folder(path.parent)
    with alone(path):
        yield


def delimiter_of(text: str) -> str:
    """The delimiter of the columns in the first line: a semicolon, a comma or a tab."""
    first = text.partition("\n")[0]
    return max(";,\t", key=first.count)


def size_text(count: int) -> str:
    """A number of bytes as text: `812 bytes`, `12 kB`, `4.2 MB`."""
    if count < 1000:
        return _("{count} bytes").format(count=count)
    if count < 1_000_000:
        return _("{count:.0f} kB").format(count=count / 1000)
    return _("{size} MB").format(size=number_text(count / 1_000_000, ".1f"))


def reason_of(error: Exception) -> str:
    """The reason of a failed file access, without its number and path."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
