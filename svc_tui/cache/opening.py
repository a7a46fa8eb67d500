"""Opening the file of a cache: private, created once, set aside when it cannot be used; and the folder of all caches,
for `svc-tui cache info` and `svc-tui cache clear`.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from svc_tui.cache.database import VERSION, CacheDatabase
from svc_tui.language import _

try:
    import fcntl
except ImportError:  # pragma: no cover - without it one console at a time makes the file
    fcntl = None  # type: ignore[assignment]

#: Longest wait for another console that writes, in seconds.
BUSY_SECONDS = 5.0
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BESIDE = ("-wal", "-shm", "")


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file is damaged, or not a database."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process locked the file for too long."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_file(path: Path, service: str) -> CacheDatabase:
    """The database at a path, ready for use. sqlite3.Error or OSError when it cannot be opened or created."""
    private_folder(path.parent)
    database = _usable(path, service)
    if database is not None:
        return database
    with alone(path):
        # Another console may have created it since.
        database = _usable(path, service)
        if database is None:
            set_aside(path)
            database = _new(path, service)
    return database


def open_memory(service: str) -> CacheDatabase:
    """A database in memory."""
    database = CacheDatabase(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
    database.create(service)
    return database


def set_aside(path: Path) -> None:
    """Rename a file that cannot be used, in place of an earlier one, and delete the files that belong to it."""
    for end in _BESIDE[:2]:
        path.with_name(path.name + end).unlink(missing_ok=True)
    if path.exists():
        path.replace(path.with_name(path.name + ".aside"))


def set_damaged_file_aside(path: Path, number: int) -> None:
    """Set a damaged file aside, unless another console already replaced it: `number` is its inode."""
    with alone(path):
        if path.exists() and path.stat().st_ino == number:
            set_aside(path)


def remove(path: Path) -> None:
    """Delete a cache. A console that has it open continues with its copy."""
    with alone(path):
        for end in (*_BESIDE, ".aside"):
            path.with_name(path.name + end).unlink(missing_ok=True)


def connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for other processes, for use in any thread that holds the lock."""
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _usable(path: Path, service: str) -> CacheDatabase | None:
    """The database, if it exists, is readable, and has this version and service."""
    if not path.exists():
        return None
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    connection = connect(path)
    try:
        database = CacheDatabase(connection)
        connection.executescript("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4000000")
        if database.version == VERSION and database.has_all_tables and database.service == service:
            return database
    except sqlite3.Error as error:
        if not is_broken(error):
            connection.close()
            raise
    connection.close()
    return None


def _new(path: Path, service: str) -> CacheDatabase:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    database = CacheDatabase(connect(path))
    try:
        for setting in ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL"):
            database.connection.execute(f"PRAGMA {setting}").fetchall()
        database.create(service)
    except BaseException:
        database.close()
        raise
    return database


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Only one console at a time creates, changes or removes a file. OSError when that cannot be ensured."""
    handle = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


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
