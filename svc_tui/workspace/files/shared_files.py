"""Private files that consoles share: replaced in one step, readable by this user alone, one writer at a time."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from svc_tui.cache.opening import private_folder

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it has no shared files to guard
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def replacing(path: Path, *, overwrite: bool = True) -> Iterator[BinaryIO]:
    """Write a file that replaces another when it is complete; only this user can read it.

    Without `overwrite`, FileExistsError is raised when the file exists at the end. A symbolic link is followed, so
    that a linked configuration stays in its place. OSError leaves the old file unchanged.
    """
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


def write_private(path: Path, text: str) -> None:
    """Replace a small file in one step, as `replacing` does."""
    with replacing(path) as file:
        file.write(text.encode("utf-8", "surrogatepass"))


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock beside a file while it is read, changed and written. OSError when it cannot be taken."""
    private_folder(path.parent)
    handle = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
