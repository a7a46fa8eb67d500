"""Records in the store: one collection of documents for each kind of record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Select, cast, delete, func, insert, select, update

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.queries import column_of, sql
from svc_tui.server.store.tables import Document, DocumentTable
from svc_tui.server.store.transaction import Transaction

#: Largest offset that both databases take.
_FARTHEST = 2**62
#: Ids that one statement names; both databases take more.
_MOST_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Sort:
    """Order of a list by a wire name. Records without a value come last in both directions.

    Records with the same value are sorted by the field `then`, in the same direction.
    """

    field: str
    descending: bool = False
    then: str = ""


@dataclass(frozen=True, slots=True)
class DocumentWindow:
    """One window of the matching records, and how many match in total."""

    documents: list[Document]
    total: int


class DocumentCollection:
    """The records of one table, as documents with wire names."""

    def __init__(self, transaction: Transaction, kind: DocumentTable) -> None:
        self._transaction = transaction
        self._kind = kind
        self._table = kind.table

    async def get(self, id: str) -> Document | None:
        """The record with this id."""
        return await self._first(select(self._table.c.document).where(self._table.c.id == id))

    async def one(self, *where: Condition) -> Document | None:
        """The first record, by id, that meets all conditions."""
        return await self._first(self._matching(where).order_by(self._table.c.id).limit(1))

    async def find(
        self, *where: Condition, sort: Sort | None = None, limit: int | None = None, offset: int = 0
    ) -> DocumentWindow:
        """A window of the records that meet all conditions. Equal places are sorted by id."""
        query = select(self._table.c.id).where(*(sql(self._kind, part) for part in where))
        if sort is not None:
            for field in (sort.field, sort.then) if sort.then else (sort.field,):
                column = column_of(self._kind, field)
                query = query.order_by(column.is_(None), column.desc() if sort.descending else column.asc())
        query = query.order_by(self._table.c.id).limit(limit).offset(min(offset, _FARTHEST))
        ids = [row[0] for row in await self._transaction.rows(query)]
        documents = await self._documents(ids)
        whole = limit is None and not offset
        return DocumentWindow(documents, len(documents) if whole else await self.count(*where))

    async def _documents(self, ids: list[str]) -> list[Document]:
        # Sorting ids and then reading a few documents is many times faster than sorting documents.
        found: dict[str, Document] = {}
        for start in range(0, len(ids), _MOST_AT_ONCE):
            some = ids[start : start + _MOST_AT_ONCE]
            query = select(self._table.c.id, self._table.c.document).where(self._table.c.id.in_(some))
            found.update((row[0], row[1]) for row in await self._transaction.rows(query))
        return [found[id] for id in ids if id in found]

    async def count(self, *where: Condition) -> int:
        """How many records meet all conditions."""
        query = select(func.count()).select_from(self._table).where(*(sql(self._kind, part) for part in where))
        return int((await self._transaction.rows(query))[0][0])

    async def count_by(self, field: str, *where: Condition) -> dict[Any, int]:
        """How many of the records that meet all conditions have each value of a field."""
        column = column_of(self._kind, field)
        query = select(column, func.count()).where(*(sql(self._kind, part) for part in where)).group_by(column)
        return {row[0]: int(row[1]) for row in await self._transaction.rows(query)}

    async def sums(self, field: str, path: str, names: Sequence[str], *where: Condition) -> dict[Any, dict[str, int]]:
        """Sums over the records that meet all conditions, for each value of a field.

        The numbers are under `names` in the nested document `path`. Names that no record has are left out.
        """
        column, inner = column_of(self._kind, field), self._table.c.document
        numbers = [func.sum(cast(inner[(path, name)].as_string(), BigInteger)) for name in names]
        query = select(column, *numbers).where(*(sql(self._kind, part) for part in where)).group_by(column)
        return {
            row[0]: {name: int(value) for name, value in zip(names, row[1:], strict=True) if value is not None}
            for row in await self._transaction.rows(query)
        }

    async def add(self, document: Document) -> Document:
        """Insert a record. sqlalchemy.exc.IntegrityError when its id or the value of a unique field exists."""
        await self.add_all([document])
        return document

    async def add_all(self, documents: Iterable[Document]) -> None:
        """Insert many records."""
        rows = [self._kind.row(document) for document in documents]
        if rows:
            await self._transaction.change(insert(self._table), rows)

    async def put(self, document: Document) -> Document:
        """Insert or replace a record."""
        row = self._kind.row(document)
        changed = await self._transaction.change(update(self._table).where(self._table.c.id == row["id"]).values(**row))
        if not changed.rowcount:
            await self._transaction.change(insert(self._table), [row])
        return document

    async def remove(self, id: str) -> bool:
        """Remove a record; False when there was none."""
        gone = await self._transaction.change(delete(self._table).where(self._table.c.id == id))
        return bool(gone.rowcount)

    async def remove_all(self, *where: Condition) -> int:
        """Remove the records that meet all conditions. Returns how many there were."""
        query = delete(self._table).where(*(sql(self._kind, part) for part in where))
        return int((await self._transaction.change(query)).rowcount)

    def _matching(self, where: Sequence[Condition]) -> Select[Document]:
        return select(self._table.c.document).where(*(sql(self._kind, part) for part in where))

    async def _first(self, query: Select[Document]) -> Document | None:
        row = await self._transaction.first(query)
        return None if row is None else row[0]
