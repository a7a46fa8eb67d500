"""Small files that several consoles share: written whole or not at all, for this user alone, one writer at a time."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from svc_tui.cache.private_folder import private_folder

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it has no shared files to guard
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def replacing(path: Path, *, over: bool = True) -> Iterator[BinaryIO]:
    """Write a file that takes the place of another when it is whole; readable by this user alone.

    Where it may not take another's place (`over` false), FileExistsError is raised when there is one in the end.
    A link is followed: who keeps his configuration elsewhere and links to it finds it there. OSError leaves the old
    file as it was.
    """
    target = Path(os.path.realpath(path))
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if not over:
            # The name is ours from here on, whoever else wanted it.
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
