"""What a unit of work asks of its database. `sqlite.py` and `postgresql.py` answer it, each in its own way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import CursorResult, Table
from sqlalchemy.sql import Executable

from svc_tui.server.store.tables import DocumentTable, PreparedRow

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

Values = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class Session(ABC):
    """The way of one unit of work to its database."""

    #: The name of the database in SQLAlchemy: `sqlite` or `postgresql`.
    dialect: str
    #: Whether the writing transaction is open.
    is_changing = False

    @abstractmethod
    async def rows(self, query: Executable, values: Values = None) -> Sequence[Any]:
        """The rows of a query, with the changes of this unit. No connection is held after a read outside the
        transaction: who waits for what another unit reads must not keep it from reading."""

    @abstractmethod
    async def change(self, statement: Executable, values: Values = None, *, brief: bool = False) -> CursorResult[Any]:
        """Execute a statement in the transaction, which is open. `brief` as in `Transaction.change`."""

    @abstractmethod
    async def insert_rows(self, kind: DocumentTable, rows: Sequence[PreparedRow], *, replace: bool = False) -> None:
        """Insert rows in the transaction. With `replace`, those that exist are replaced. No two have the same id."""

    @abstractmethod
    def insert(self, table: Table) -> postgresql.Insert | sqlite.Insert:
        """An INSERT with the ON CONFLICT clauses of this database."""

    @abstractmethod
    async def begin(self) -> None:
        """Open the writing transaction, which is not open."""

    @abstractmethod
    async def lock(self, keys: Collection[int]) -> None:
        """Wait for these locks, in their order, and hold them until the transaction ends. It is open."""

    @abstractmethod
    async def try_lock(self, key: int) -> bool:
        """Take a lock without waiting. False when another process holds it."""

    @abstractmethod
    async def commit(self) -> None:
        """Store the changes, and end the transaction. RuntimeError if the database would undo them instead."""

    @abstractmethod
    async def rollback(self) -> None:
        """Undo the changes, and end the transaction."""

    @abstractmethod
    async def release(self) -> None:
        """Return what the session holds."""

    @abstractmethod
    async def state(self) -> int | None:
        """A number that grows with each commit of any process. None where it is not known at the moment."""
