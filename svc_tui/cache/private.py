"""Folders that only this user can open."""

from __future__ import annotations

import contextlib
from pathlib import Path


def private_folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing, for this user alone. OSError when that fails.

    A folder that is there already and open to others is closed to them where it is ours to do so.
    """
    if not path.is_dir():
        if path.parent != path and not path.parent.is_dir():
            private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
    elif path.stat().st_mode & 0o077:
        with contextlib.suppress(OSError):
            path.chmod(0o700)
    return path
