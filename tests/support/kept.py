"""Files that are made once a run, by whichever of its processes needs them first."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

_folders: list[Path] = []


def keep_in(folder: Path) -> None:
    """Say where the files of this run are: a folder that all its processes name alike."""
    folder.mkdir(parents=True, exist_ok=True)
    _folders[:] = [folder]


def kept(name: str, make: Callable[[Path], object]) -> Path:
    """A file of this run, to be copied and never changed. `make` writes it, once; other processes wait for it."""
    [folder] = _folders
    path = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            draft = folder / f"{name}.draft"
            make(draft)
            draft.replace(path)
    return path
