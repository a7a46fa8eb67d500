"""SQLite: reads and changes on connections of the event loop's own thread, as long as they are short.

SQLite answers most reads in microseconds, far less than handing them to another thread and back takes. What takes
longer is stopped and done on another thread, so that no request holds up the others.

SQLite has one writer at a time. Units have their turns in the order in which they came: SQLite itself lets the others
try again after growing pauses, so that some wait for seconds.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, CursorResult, Table, create_engine, event, insert, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import NullPool
from sqlalchemy.sql import Executable

from svc_tui.server.store import many_parts
from svc_tui.server.store.session import Session, Values
from svc_tui.server.store.tables import DOCUMENT_TABLES, DocumentTable, PreparedRow

R = TypeVar("R")

#: How long a unit waits for its turn, and for other processes that change the database, in seconds.
LOCK_SECONDS = 30
#: Most rows that are written at once on the event loop.
MOST_BRIEF = 20
#: SQLite counts its steps; this many of these rounds, some ten milliseconds, are a short read.
_STEPS_OF_A_ROUND, _ROUNDS = 10_000, 50
#: Statements that SQLite keeps prepared.
_CACHED = 512
#: After this many reads the event loop does its other work.
_IN_A_ROW = 16
#: Errors after which the same read succeeds elsewhere: stopped by `_over`, or the database is locked for a moment.
_ELSEWHERE = (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
#: Seconds between two checks whether another process still changes something.
_LOOK_SECONDS = 0.01
#: Changed rows after which the log of SQLite is copied into the database.
_ROWS_IN_LOG = 500
_VERSION = text("PRAGMA data_version")


class SqliteReader:
    """The connection of one event loop; opened with the first read. Each read sees all commits before it."""

    _pragmas: tuple[str, ...] = ("query_only=ON", "mmap_size=268435456")

    def __init__(self, url: URL, options: dict[str, Any]) -> None:
        # It is closed by whichever thread ends the service.
        arguments = {"timeout": 0, "check_same_thread": False, "cached_statements": _CACHED}
        self.engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, connect_args=arguments, **options)
        event.listen(self.engine, "connect", self._prepare)
        self._connection: Connection | None = None
        self._rounds = self._reads = 0
        #: Whether statements may take as long as they need.
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

    def rows(self, query: Executable, values: Values = None) -> Sequence[Any] | None:
        """The rows; None when the read takes long, and another thread is to read them."""
        self._rounds = 0
        try:
            return self.connected().execute(query, values).all()
        except OperationalError as error:
            if _code(error) in _ELSEWHERE:
                return None
            raise

    def version(self) -> int | None:
        """A number that changes with each commit of other connections; None when the database is locked."""
        found = self.rows(_VERSION)
        return int(found[0][0]) if found else None

    def connected(self) -> Connection:
        """The connection."""
        if self._connection is None:
            self._connection = self.engine.connect()
        return self._connection

    def driver(self) -> sqlite3.Connection:
        """The same, as the driver has it."""
        driver = self.connected().connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class SqliteWriter(SqliteReader):
    """The connection for changes, which the units of a process have in turn; opened with the first of them."""

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
                while not self._try_begin():  # noqa: ASYNC110 - another process does not report when it is ready
                    await asyncio.sleep(_LOOK_SECONDS)
            except BaseException:
                self._turn.release()
                raise
        self._large = False

    def _try_begin(self) -> bool:
        """Whether a transaction was begun. False while another process changes something."""
        try:
            self.connected().exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            # Also ends a transaction that something has left open. Opening a connection can find a locked database too.
            self._end("ROLLBACK")
            if _code(error) == sqlite3.SQLITE_BUSY:
                return False
            raise
        return True

    async def all(self, query: Executable, values: Values) -> Sequence[Any]:
        """The rows of a query, with the changes of this transaction."""
        await self.pause()
        found = self.rows(query, values)
        return found if found is not None else await self._elsewhere(lambda: self._all(query, values))

    def _all(self, query: Executable, values: Values) -> Sequence[Any]:
        return self.connected().execute(query, values).all()

    async def do(self, work: Callable[[Connection], R], *, brief: bool) -> R:
        """Change something; on the event loop if it is `brief`."""
        if not brief:
            self._large = True
            return await self._elsewhere(lambda: work(self.connected()))
        await self.pause()
        # A change that is stopped would undo all of its transaction.
        self._patient = True
        try:
            return work(self.connected())
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
            self._connection.exec_driver_sql(statement)

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


class SqliteSession(Session):
    """The way of one unit of work. Its locks are the turn of the writer: one unit changes something at a time."""

    dialect = "sqlite"

    def __init__(self, engine: AsyncEngine, reader: SqliteReader, writer: SqliteWriter) -> None:
        self._engine, self._reader, self._writer = engine, reader, writer

    async def rows(self, query: Executable, values: Values = None) -> Sequence[Any]:
        if self.is_changing:
            return await self._writer.all(query, values)
        await self._reader.pause()
        found = self._reader.rows(query, values)
        if found is not None:
            return found
        async with self._engine.connect() as connection:
            return (await connection.execute(query, values)).all()

    async def change(self, statement: Executable, values: Values = None, *, brief: bool = False) -> CursorResult[Any]:
        return await self._writer.do(lambda connection: connection.execute(statement, values), brief=brief)

    async def insert_rows(self, kind: DocumentTable, rows: Sequence[PreparedRow], *, replace: bool = False) -> None:
        statement, listed = _insertion(kind.name, replace=replace), [*rows]
        await self._writer.do(
            lambda connection: connection.exec_driver_sql(statement, listed), brief=len(rows) <= MOST_BRIEF
        )

    def insert(self, table: Table) -> sqlite.Insert:
        return sqlite.insert(table)

    async def begin(self) -> None:
        await self._writer.begin()
        self.is_changing = True

    async def lock(self, keys: Collection[int]) -> None:
        """The transaction is exclusive."""

    async def try_lock(self, key: int) -> bool:
        return True

    async def commit(self) -> None:
        await self._writer.commit()
        # The changes are stored. Whatever happens from here on, they are not to be rolled back.
        self.is_changing = False
        await self._writer.end()

    async def rollback(self) -> None:
        self.is_changing = False
        await self._writer.rollback()

    async def release(self) -> None:
        """Nothing is held between two statements but the turn, which ends with the transaction."""

    async def state(self) -> int | None:
        return self._reader.version()


@cache
def _insertion(name: str, *, replace: bool) -> str:
    """The text of the insertion of a row, with documents as text."""
    kind = DOCUMENT_TABLES[name]
    if not replace:
        return str(insert(kind.table).compile(dialect=sqlite.dialect()))
    new = sqlite.insert(kind.table)
    values = {each: new.excluded[each] for each in kind.names if each != "id"}
    return str(new.on_conflict_do_update(index_elements=["id"], set_=values).compile(dialect=sqlite.dialect()))


def _code(error: OperationalError) -> int | None:
    """The code of an error of SQLite. Other bytes than the lower one say more precisely where it happened."""
    return error.orig.sqlite_errorcode & 0xFF if isinstance(error.orig, sqlite3.OperationalError) else None


def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "writer")
