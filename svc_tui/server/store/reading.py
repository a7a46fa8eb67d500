"""Reads of an SQLite database on a connection of the event loop's own thread.

SQLite answers most reads in microseconds, far less than handing them to another thread and back takes. What takes
longer is stopped and left to a connection with its own thread, so that no request holds up the others.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool
from sqlalchemy.sql import Executable

from svc_tui.server.store import many_parts

#: SQLite counts its steps; this many of these rounds, some ten milliseconds, are a short read.
_STEPS_OF_A_ROUND, _ROUNDS = 10_000, 50
#: Statements that SQLite keeps prepared.
_CACHED = 512
#: After this many reads the event loop does its other work.
_IN_A_ROW = 16
#: Errors after which the same read succeeds elsewhere: stopped by `_in_time`, or the database is locked for a moment.
_ELSEWHERE = (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class SqliteReader:
    """The connection of one event loop; opened with the first read. Each read sees all commits before it."""

    _pragmas: tuple[str, ...] = ("query_only=ON", "mmap_size=268435456")

    def __init__(self, url: URL, options: dict[str, Any]) -> None:
        # It is closed by whichever thread ends the service.
        arguments = {"timeout": 0, "check_same_thread": False, "cached_statements": _CACHED}
        self.engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, connect_args=arguments, **options)
        event.listen(self.engine, "connect", self._prepare)
        self._connection: Connection | None = None
        self._driver: sqlite3.Connection | None = None
        self._rounds = self._reads = 0
        #: Whether reads may take as long as they need.
        self._patient = False

    def _prepare(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        many_parts.add_to(connection)
        for pragma in self._pragmas:
            connection.execute(f"PRAGMA {pragma}")
        connection.set_progress_handler(self._over, _STEPS_OF_A_ROUND)

    def _over(self) -> bool:
        """Whether SQLite stops the read."""
        self._rounds += 1
        return self._rounds > _ROUNDS and not self._patient

    async def pause(self) -> None:
        """Let others work after some reads: work that reads much in a row does not wait for anything else."""
        self._reads += 1
        if self._reads % _IN_A_ROW == 0:
            await asyncio.sleep(0)

    def rows(self, query: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any] | None:
        """The rows; None when the read takes long, and another connection is to read them."""
        connection = self.connected()
        self._rounds = 0
        try:
            return connection.execute(query, values).all()
        except OperationalError as error:
            # The lower byte: other bytes say more precisely where it happened.
            if isinstance(error.orig, sqlite3.OperationalError) and error.orig.sqlite_errorcode & 0xFF in _ELSEWHERE:
                return None
            raise

    def selected(self, statement: str, parameters: Sequence[Any]) -> Sequence[Any] | None:
        """The rows of a statement, as SQLite has them. None, also for an error, when another connection is to read."""
        self._rounds = 0
        try:
            return self.driver().execute(statement, parameters).fetchall()
        except sqlite3.Error:
            return None

    def version(self) -> int | None:
        """A number that changes with each commit of other connections; None when the database is locked."""
        found = self.selected("PRAGMA data_version", ())
        return int(found[0][0]) if found else None

    def connected(self) -> Connection:
        """The connection."""
        if self._connection is None:
            self._connection = self.engine.connect()
        return self._connection

    def driver(self) -> sqlite3.Connection:
        """The same, as the driver has it: statements as text take less time there."""
        if self._driver is None:
            driver = self.connected().connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)
            self._driver = driver
        return self._driver

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = self._driver = None
