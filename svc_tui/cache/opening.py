"""Opening the file of a cache: private, made once, put aside when it cannot be used."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from svc_tui.cache.database import VERSION, Database
from svc_tui.cache.private import private_folder

try:
    import fcntl
except ImportError:  # pragma: no cover - without it one console at a time makes the file
    fcntl = None  # type: ignore[assignment]

#: Longest wait for another console that writes, in seconds.
BUSY_SECONDS = 5.0
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BESIDE = ("-wal", "-shm", "")


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file itself is damaged, or no database at all."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process kept the file for too long."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_file(path: Path, service: str) -> Database:
    """The database at a path, ready for use. sqlite3.Error or OSError when there can be none."""
    private_folder(path.parent)
    database = _usable(path, service)
    if database is not None:
        return database
    with _alone(path):
        # Another console may have made it meanwhile.
        database = _usable(path, service)
        if database is None:
            put_aside(path)
            database = _new(path, service)
    return database


def open_memory(service: str) -> Database:
    """A database that lives as long as this console."""
    database = Database(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
    database.create(service)
    return database


def put_aside(path: Path) -> None:
    """Rename a file that cannot be used, in place of one put aside before; what belongs to it goes."""
    for end in _BESIDE[:2]:
        path.with_name(path.name + end).unlink(missing_ok=True)
    if path.exists():
        path.replace(path.with_name(path.name + ".aside"))


def put_broken_aside(path: Path, number: int) -> None:
    """Put a damaged file aside, unless another console did that already and made a new one: `number` is its inode."""
    with _alone(path):
        if path.exists() and path.stat().st_ino == number:
            put_aside(path)


def remove(path: Path) -> None:
    """Delete a cache; a console that has it open goes on with what it holds."""
    with _alone(path):
        for end in (*_BESIDE, ".aside"):
            path.with_name(path.name + end).unlink(missing_ok=True)


def connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for others, and that whichever thread holds the lock may use."""
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _usable(path: Path, service: str) -> Database | None:
    """The database when it is there, whole, of this version and for this service."""
    if not path.exists():
        return None
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    connection = connect(path)
    try:
        database = Database(connection)
        connection.executescript("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4000000")
        if database.version == VERSION and database.service == service:
            return database
    except sqlite3.Error as error:
        if not is_broken(error):
            connection.close()
            raise
    connection.close()
    return None


def _new(path: Path, service: str) -> Database:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    database = Database(connect(path))
    try:
        for setting in ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL"):
            database.connection.execute(f"PRAGMA {setting}").fetchall()
        database.create(service)
    except BaseException:
        database.close()
        raise
    return database


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """While a file is made, put aside or removed, no other console does the same."""
    handle = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
