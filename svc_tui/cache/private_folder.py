"""Folders that only the current user can open."""

from __future__ import annotations

import contextlib
from pathlib import Path


def private_folder(path: Path) -> Path:
    """Create a folder and its missing parents for the current user only. OSError when that fails.

    An existing folder that is open to others is closed to them, where that is permitted.
    """
    if not path.is_dir():
        if path.parent != path and not path.parent.is_dir():
            private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
    elif path.stat().st_mode & 0o077:
        with contextlib.suppress(OSError):
            path.chmod(0o700)
    return path
