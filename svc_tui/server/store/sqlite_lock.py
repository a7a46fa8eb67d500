"""A lock beside an SQLite database: servers share it while they run, and a restore has it alone.

The system gives it back when its process ends, however that is.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError


class DatabaseInUse(Exception):
    """A server uses the database, or it is being restored."""


@contextmanager
def using_database(url: str, *, alone: bool = False) -> Iterator[None]:
    """Use a database while the block runs. DatabaseInUse at once if another process has it alone, or, to have it
    `alone`, if another process uses it. PostgreSQL has its own locks, and needs none."""
    handle = _opened(url)
    if handle is None:
        yield
        return
    try:
        try:
            fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatabaseInUse from error
        except OSError:
            # The file system has no locks: SQLite checks by itself whether others use the database.
            pass
        yield
    finally:
        os.close(handle)


def _opened(url: str) -> int | None:
    """The file of the lock. None where there is none: opening the database reports the reason."""
    try:
        address = make_url(url)
        if address.get_backend_name() != "sqlite" or not address.database:
            return None
        return os.open(f"{address.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except (ArgumentError, OSError):
        return None
