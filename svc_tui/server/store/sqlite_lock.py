"""A lock beside an SQLite database: servers share it while they run; a restore, and an upgrade of the tables, have it
alone.

The system gives it back when its process ends, however that is.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError


class DatabaseInUse(Exception):
    """A server uses the database, or it is being restored."""


@dataclass(frozen=True, slots=True)
class DatabaseUse:
    """The use of a database by this process; `handle` is the file of the lock, if there is one."""

    handle: int | None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No other process uses the database while the block runs. DatabaseInUse otherwise, also at its end."""
        _lock(self.handle, alone=True)
        yield
        _lock(self.handle, alone=False)


@contextmanager
def using_database(url: str, *, alone: bool = False) -> Iterator[DatabaseUse]:
    """Use a database while the block runs. DatabaseInUse at once if another process has it alone, or, to have it
    `alone`, if another process uses it. PostgreSQL has its own locks, and needs none."""
    handle = _opened(url)
    try:
        _lock(handle, alone=alone)
        yield DatabaseUse(handle)
    finally:
        if handle is not None:
            os.close(handle)


def _lock(handle: int | None, *, alone: bool) -> None:
    if handle is None:
        return
    # Without locks of the file system, SQLite checks by itself whether others use the database.
    with suppress(OSError):
        try:
            fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatabaseInUse from error


def _opened(url: str) -> int | None:
    """The file of the lock. None where there is none: opening the database reports the reason."""
    try:
        address = make_url(url)
        if address.get_backend_name() != "sqlite" or not address.database:
            return None
        return os.open(f"{address.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except (ArgumentError, OSError):
        return None
