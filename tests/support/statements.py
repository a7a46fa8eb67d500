"""The statements that a database is sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from sqlalchemy import Engine, event

from svc_tui.server.store.database import Database

#: The block that a task belongs to.
_BLOCK: ContextVar[object] = ContextVar("_BLOCK", default=None)
#: What begins and ends a transaction of SQLite, where neither is a round trip.
_TRANSACTION = ("BEGIN", "COMMIT", "ROLLBACK")


class Statement(NamedTuple):
    """One statement as the driver gets it, and its values."""

    sql: str
    values: Any


@contextmanager
def statements(database: Database) -> Iterator[list[Statement]]:
    """All statements of the block, on every connection of the database, without the beginnings and ends of
    transactions.

    Tasks that were started before, such as those in the background of a server, are not part of the block.
    """
    found: list[Statement] = []
    block = _BLOCK.set(found)

    def note(_connection: Any, _cursor: Any, sql: str, values: Any, _context: Any, _many: bool) -> None:
        if _BLOCK.get() is found and not sql.startswith(_TRANSACTION):
            found.append(Statement(sql, values))

    own = [each for each in (database.reader, database.writer) if each is not None]
    engines: list[Engine] = [database.engine.sync_engine, *(each.engine for each in own)]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        _BLOCK.reset(block)
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)
