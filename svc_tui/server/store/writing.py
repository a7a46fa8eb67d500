"""Changes of an SQLite database, on one connection that the units of work of a process have in turn.

SQLite has one writer at a time. Units have their turns in the order in which they came: SQLite itself lets the others
try again after growing pauses, so that some wait for seconds. What changes a few rows is done on the thread of the
event loop, as reads are: another thread waits for the interpreter at each statement, and all other units for its end.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import URL, CursorResult
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.sql import Executable

from svc_tui.server.store.reading import SqliteReader

R = TypeVar("R")

#: How long a unit waits for its turn, and for other processes that change the database, in seconds.
LOCK_SECONDS = 30
#: Most rows that are written at once on the event loop.
MOST_BRIEF = 20
#: Seconds between two checks whether another process still changes something.
_LOOK_SECONDS = 0.01
#: The lower byte of the error of a database that another process changes.
_BUSY = sqlite3.SQLITE_BUSY
#: Changed rows after which the log of SQLite is copied into the database.
_ROWS_IN_LOG = 500


class SqliteWriter(SqliteReader):
    """The connection for changes; opened with the first of them."""

    # A commit survives the end of this process. SQLite waits for the disk when it copies its log, which is done in
    # `end`, on another thread.
    # Only rows of a megabyte, such as images, let the commit itself do it, after 32 MB.
    _pragmas = ("journal_mode=WAL", "synchronous=NORMAL", "mmap_size=268435456", "wal_autocheckpoint=8192")

    def __init__(self, url: URL, options: dict[str, Any]) -> None:
        super().__init__(url, options)
        self._turn = asyncio.Lock()
        self._thread = _thread()
        #: Whether this transaction can be large: then also its end takes long.
        self._large = False
        self._copied = 0

    async def begin(self) -> None:
        """Wait for the turn and begin a transaction. TimeoutError after a long time."""
        async with asyncio.timeout(LOCK_SECONDS):
            await self._turn.acquire()
            try:
                while not self._begun():  # noqa: ASYNC110 - another process does not report when it is ready
                    await asyncio.sleep(_LOOK_SECONDS)
            except BaseException:
                self._turn.release()
                raise
        self._large = False

    def _begun(self) -> bool:
        """Whether a transaction was begun. False while another process changes something."""
        try:
            self.changed("BEGIN IMMEDIATE", (), many=False)
        except OperationalError as error:
            # Also ends a transaction that something has left open. Opening a connection can find a locked database too.
            self._end("ROLLBACK")
            if isinstance(error.orig, sqlite3.OperationalError) and error.orig.sqlite_errorcode & 0xFF == _BUSY:
                return False
            raise
        return True

    async def rows_of(self, query: Executable, values: Mapping[str, Any] | None) -> Sequence[Any]:
        """The rows of a query, with the changes of this transaction."""
        await self.pause()
        found = self.rows(query, values)
        return found if found is not None else await self._elsewhere(lambda: self._all(query, values))

    def _all(self, query: Executable, values: Mapping[str, Any] | None) -> Sequence[Any]:
        return self.connected().execute(query, values).all()

    async def selected_of(self, statement: str, parameters: Sequence[Any]) -> Sequence[Any]:
        """The rows of a statement, with the changes of this transaction."""
        await self.pause()
        found = self.selected(statement, parameters)
        if found is not None:
            return found
        return await self._elsewhere(lambda: self.connected().exec_driver_sql(statement, tuple(parameters)).all())

    async def execute(
        self, statement: Executable, values: Sequence[Mapping[str, Any]] | None, *, brief: bool
    ) -> CursorResult[Any]:
        """Execute a statement that changes something; on the event loop if it is `brief`."""
        return await self._done(lambda: self.connected().execute(statement, values), brief=brief)

    async def change_rows(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Execute the text of a statement with the values of each row."""
        await self._done(lambda: self.changed(statement, rows), brief=len(rows) <= MOST_BRIEF)

    async def returned(self, statement: str, parameters: Sequence[Any]) -> Sequence[Any]:
        """The rows that the text of a statement returns, which changes a few."""
        return await self._done(lambda: self.changed(statement, parameters, many=False), brief=True)

    def changed(self, statement: str, values: Sequence[Any], *, many: bool = True) -> Sequence[Any]:
        """The same at once, by the driver alone."""
        driver = self.driver()
        try:
            return (driver.executemany if many else driver.execute)(statement, values).fetchall()
        except sqlite3.Error as error:
            raise DBAPIError.instance(statement, None, error, sqlite3.Error) from error

    async def _done(self, work: Callable[[], R], *, brief: bool) -> R:
        if not brief:
            self._large = True
            return await self._elsewhere(work)
        await self.pause()
        # A change that is stopped would undo all of its transaction.
        self._patient = True
        try:
            return work()
        finally:
            self._patient = False

    async def commit(self) -> None:
        """Store the changes. The turn ends with `end`, or with `rollback` after an error."""
        await self._ended("COMMIT")

    async def end(self) -> None:
        """End the turn. After many changes, the log of SQLite is copied into the database before."""
        try:
            changes = self.driver().total_changes
            if changes - self._copied >= _ROWS_IN_LOG:
                self._copied = changes
                # What cannot be copied stays in the log, where it is read too.
                with suppress(sqlite3.Error):
                    await self._elsewhere(lambda: self.driver().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
        finally:
            self._release()

    async def rollback(self) -> None:
        """Undo the changes, and end the turn."""
        try:
            await self._ended("ROLLBACK")
        finally:
            self._release()

    def _release(self) -> None:
        # A turn also ends when the connection is closed.
        if self._turn.locked():
            self._turn.release()

    def close(self) -> None:
        """Close the connection, when what its thread does is done. Changes that were not committed are undone.

        It is opened again with the next change, which can be of another event loop.
        """
        self._thread.shutdown()
        super().close()
        self._turn, self._thread, self._copied = asyncio.Lock(), _thread(), 0

    async def _ended(self, statement: str) -> None:
        if self._large:
            await self._elsewhere(lambda: self._end(statement))
        else:
            self._end(statement)

    def _end(self, statement: str) -> None:
        """End the transaction. If the connection was closed, that has undone it."""
        if self._connection is not None and self.driver().in_transaction:
            self.changed(statement, (), many=False)

    async def _elsewhere(self, work: Callable[[], R]) -> R:
        """Do what takes long on the connection's thread. Only when it is done can a task be cancelled: the connection
        does one thing at a time."""
        cancelled: asyncio.CancelledError | None = None
        self._patient = True
        doing = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            while not doing.done():
                try:
                    await asyncio.wait([doing])
                except asyncio.CancelledError as error:
                    cancelled = error
        finally:
            self._patient = False
        if cancelled is not None:
            raise cancelled
        return doing.result()


def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "writer")
