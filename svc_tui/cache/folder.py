"""The folder of all caches, for `svc-tui cache info` and `svc-tui cache clear`."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from svc_tui.cache.database import VERSION, CacheDatabase
from svc_tui.cache.opening import connect, remove
from svc_tui.language import _


@dataclass(frozen=True, slots=True)
class CacheFile:
    """One cache. `profile` and `user_id` are names of its folder and file, `size` is in bytes with all its files.

    `newest` is seconds since 1970, None when it is empty. `error_message` is the reason when it cannot be read.
    """

    profile: str
    user_id: str
    path: Path
    size: int
    records: int = 0
    lists: int = 0
    newest: float | None = None
    error_message: str = ""


def info(folder: Path) -> list[CacheFile]:
    """All caches in the folder, by profile and user."""
    return [_info(path) for path in sorted(folder.glob("*/*.db"))]


def clear(folder: Path, profile: str = "") -> int:
    """Delete the caches of one profile (by the name of its folder), or of all. Returns the freed bytes.

    OSError when a file cannot be deleted.
    """
    found = [cache for cache in info(folder) if not profile or cache.profile == profile]
    for cache in found:
        remove(cache.path)
    return sum(cache.size for cache in found)


def _info(path: Path) -> CacheFile:
    size = sum(part.stat().st_size for part in path.parent.glob(path.name + "*"))
    named = (path.parent.name, path.stem, path, size)
    try:
        database = CacheDatabase(connect(path))
        try:
            if database.version != VERSION:
                return CacheFile(*named, error_message=_("made by another version"))
            return CacheFile(*named, *database.counts())
        finally:
            database.close()
    except sqlite3.Error as error:
        return CacheFile(*named, error_message=str(error))
