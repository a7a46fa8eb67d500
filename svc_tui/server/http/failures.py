"""Failures of a request that are no refusals: what the database or the disk could not do, in a response and in the log.

Only a second record with the same unique value is the caller's conflict. Whatever is not named here is a fault of the
server: 500 with its traceback in the log.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

FULL = "The server has no room left to store data, and nothing was changed. Try again later."
NO_ANSWER = "The database does not respond. Try again."

#: Errors of the system without room: a full disk, a quota, and the largest file of a process.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
#: The same of SQLite, which knows only a full disk by its name: writing fails, or a file cannot grow.
_SQLITE_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
_SQLITE_UNIQUE = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT_UNIQUE,
        sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        sqlite3.SQLITE_CONSTRAINT_ROWID,
    }
)
#: Codes of PostgreSQL: `unique_violation` and `disk_full`.
_UNIQUE, _DISK_FULL = "23505", "53100"


@dataclass(frozen=True, slots=True)
class Failure:
    """Status and sentence of the response, and the line in the log. Status 409: the record exists already."""

    status: int
    sentence: str = ""
    line: str = ""


def failure_of(error: Exception) -> Failure | None:
    """What a failure is to the caller and the operator. None for a fault of the server that has no other name."""
    if has_no_room(error):
        return Failure(503, FULL, f"the disk is full: {type(error).__name__}")
    if isinstance(error, IntegrityError):
        if _is_duplicate(error):
            return Failure(409)
        return Failure(500, "", f"a change violates {_constraint(error)}")
    if isinstance(error, ProgrammingError | DataError | NotSupportedError):
        # A wrong statement.
        return None
    if isinstance(error, DBAPIError | PoolTimeout | TimeoutError):
        # The database is unreachable, was stopped, is busy, or ended this transaction to resolve a deadlock.
        return Failure(503, NO_ANSWER, f"the database does not respond: {type(error).__name__}")
    return None


def has_no_room(error: BaseException) -> bool:
    """Whether something could not be stored because a disk is full."""
    return any(
        (isinstance(each, OSError) and each.errno in _NO_ROOM)
        or getattr(each, "sqlite_errorcode", None) in _SQLITE_NO_ROOM
        or getattr(each, "sqlstate", None) == _DISK_FULL
        for each in _causes(error)
    )


def _is_duplicate(error: IntegrityError) -> bool:
    return any(
        getattr(each, "sqlite_errorcode", None) in _SQLITE_UNIQUE or getattr(each, "sqlstate", None) == _UNIQUE
        for each in _causes(error)
    )


def _constraint(error: IntegrityError) -> str:
    """The violated constraint by its name; of SQLite, its kind and columns. No value is in it."""
    for each in _causes(error):
        if isinstance(each, sqlite3.Error):
            return str(each)
        places = [getattr(each, name, None) for name in ("constraint_name", "table_name", "column_name")]
        if any(places):
            name, table, column = places
            return f"the constraint {name or 'NOT NULL'} of {'.'.join(filter(None, (table, column)))}"
    return "an unknown constraint"


def _causes(error: BaseException) -> Iterator[Any]:
    """The error, the error of the driver behind it, and what caused them."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        each = todo.pop(0)
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            yield each
            todo += [getattr(each, "orig", None), each.__cause__]
