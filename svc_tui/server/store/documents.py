"""Records in the store: one collection of documents for each kind of record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    cast,
    delete,
    func,
    insert,
    select,
    update,
)

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.encoding import Show
from svc_tui.server.store.queries import column_of, sql
from svc_tui.server.store.statements import given
from svc_tui.server.store.tables import TEXT, Document, DocumentTable
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


@dataclass(frozen=True, slots=True)
class EncodedWindow:
    """The same, with records as JSON."""

    records: list[bytes]
    total: int


class DocumentCollection:
    """The records of one table, as documents with wire names."""

    def __init__(self, transaction: Transaction, kind: DocumentTable) -> None:
        self._transaction = transaction
        self._kind = kind
        self._table = kind.table

    async def get(self, id: str) -> Document | None:
        """The record with this id."""
        rows = await self._rows(("get",), lambda: self._texts().where(self._table.c.id == given("id", TEXT)), id=id)
        return from_json(rows[0][0]) if rows else None

    async def one(self, *where: Condition) -> Document | None:
        """The first record, by id, that meets all conditions."""
        rows = await self._rows(
            ("one", where), lambda: self._matching(self._texts(), where).order_by(self._table.c.id).limit(1)
        )
        return from_json(rows[0][0]) if rows else None

    async def find(
        self, *where: Condition, sort: Sort | None = None, limit: int | None = None, offset: int = 0
    ) -> DocumentWindow:
        """A window of the records that meet all conditions. Equal places are sorted by id."""
        texts, total = await self._window(where, sort, limit, offset)
        return DocumentWindow([from_json(text) for text in texts], total)

    async def encoded(
        self, show: Show, *where: Condition, sort: Sort | None = None, limit: int | None = None, offset: int = 0
    ) -> EncodedWindow:
        """The same window, as JSON of what `show` makes of each record."""
        texts, total = await self._window(where, sort, limit, offset)
        return EncodedWindow(self._transaction.encoded.of(texts, show), total)

    async def _window(
        self, where: Sequence[Condition], sort: Sort | None, limit: int | None, offset: int
    ) -> tuple[list[str], int]:
        texts = await self._texts_of(await self._ids(where, sort, limit, offset))
        # A window that is not full ends with the last record.
        last = (limit is None and not offset) or 0 < len(texts) < (limit or 0)
        return texts, offset + len(texts) if last else await self.count(*where)

    async def _ids(self, where: Sequence[Condition], sort: Sort | None, limit: int | None, offset: int) -> list[str]:
        def statement() -> Select[Any]:
            query = self._matching(select(self._table.c.id), where)
            if sort is not None:
                for field in (sort.field, sort.then) if sort.then else (sort.field,):
                    column = column_of(self._kind, field)
                    query = query.order_by(column.is_(None), column.desc() if sort.descending else column.asc())
            query = query.order_by(self._table.c.id)
            return query if whole else query.limit(given("limit")).offset(given("offset"))

        whole = limit is None and not offset
        window = {} if whole else {"limit": _FARTHEST if limit is None else limit, "offset": min(offset, _FARTHEST)}
        return [row[0] for row in await self._rows(("ids", where, sort, whole), statement, **window)]

    async def _texts_of(self, ids: list[str]) -> list[str]:
        """The documents of these records as text, without those that were just removed."""
        # Sorting ids and then reading a few documents is many times faster than sorting documents.
        found: dict[str, str] = {}
        for start in range(0, len(ids), _MOST_AT_ONCE):
            some = ids[start : start + _MOST_AT_ONCE]
            named = {f"id{place}": id for place, id in enumerate(some)}
            found.update((row[0], row[1]) for row in await self._rows(("some", len(some)), self._some(named), **named))
        return [found[id] for id in ids if id in found]

    def _some(self, names: Iterable[str]) -> Callable[[], Select[Any]]:
        return lambda: self._texts(self._table.c.id).where(self._table.c.id.in_([given(name, TEXT) for name in names]))

    async def count(self, *where: Condition) -> int:
        """How many records meet all conditions."""
        query = select(func.count()).select_from(self._table)
        return int((await self._rows(("count", where), lambda: self._matching(query, where)))[0][0])

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

    def _texts(self, *columns: ColumnElement[Any]) -> Select[Any]:
        return select(*columns, cast(self._table.c.document, Text))

    def _matching(self, query: Select[Any], where: Sequence[Condition]) -> Select[Any]:
        return query.where(*(sql(self._kind, part) for part in where))

    async def _rows(self, key: tuple[Any, ...], make: Callable[[], Select[Any]], **values: Any) -> Sequence[Any]:
        """The rows of the statement that `make` describes and `key` identifies, with these values of its parameters."""
        statement = self._transaction.statements.known((self._kind.name, *key), make)
        if statement is None:
            return await self._transaction.rows(make(), values)
        return await self._transaction.selected(statement.text, statement.parameters(values))
