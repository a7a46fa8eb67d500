"""Records in the store: one collection of documents for each kind of record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic_core import from_json
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    cast,
    delete,
    func,
    select,
)

from svc_tui.server.store.audit import MOST_EACH
from svc_tui.server.store.conditions import AnyFieldIn, Condition, In, Is, Not
from svc_tui.server.store.queries import MOST_MERGED, Order, column_of, merged, ordered, sql
from svc_tui.server.store.read_cache import Show, record_key, window_key
from svc_tui.server.store.tables import Document, DocumentTable, PreparedRow
from svc_tui.server.store.transaction import Transaction

R = TypeVar("R")

#: Largest offset that both databases take.
_FARTHEST = 2**62
#: Largest documents of one window together, in characters.
LARGEST_WINDOW = 32 * 1024 * 1024
#: Offsets from which the nearer end of a list is looked for: its records are counted before.
FAR = 1000
#: Ids that one statement names; both databases take more.
_MOST_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Sort:
    """Order of a list by a wire name. Records without a value come last in both directions.

    Records with the same value are in the order of the table, and then by id, in the same direction.
    """

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class DocumentWindow:
    """One window of the matching records, and how many match in total."""

    documents: list[Document]
    total: int


class LargeWindow(ValueError):
    """The records of a window are too large together. A smaller window has a part of them."""


class DocumentCollection:
    """The records of one table, as documents with wire names."""

    def __init__(self, transaction: Transaction, kind: DocumentTable) -> None:
        self._transaction = transaction
        self._kind = kind
        self._table = kind.table

    async def get(self, id: str) -> Document | None:
        """The record with this id, a new object for each reader."""

        async def read() -> str | None:
            rows = await self._rows(self._texts().where(self._table.c.id == id))
            return str(rows[0][0]) if rows else None

        state = await self._transaction.state()
        kept = self._transaction.shared.kept
        text = await kept.read(state, record_key(self._kind.name, id), read, lambda found: len(found or ""))
        return None if text is None else from_json(text)

    async def one(self, *where: Condition) -> Document | None:
        """The first record that meets all conditions, in the order of the table."""
        order = [self._table.c[name] for name in (*self._kind.order, "id")]
        rows = await self._rows(self._matching(self._texts(), where).order_by(*order).limit(1))
        return from_json(rows[0][0]) if rows else None

    async def find(
        self, *where: Condition, sort: Sort | None = None, limit: int | None = None, offset: int = 0
    ) -> DocumentWindow:
        """A window of the records that meet all conditions. Without `sort` they are in the order of their ids."""
        texts, total = await self._transaction.shared.kept.read(
            await self._transaction.state(),
            window_key(self._kind.name, where, sort, limit, offset),
            lambda: self._window(where, sort, limit, offset),
            lambda found: sum(map(len, found[0])),
        )
        return DocumentWindow([from_json(text) for text in texts], total)

    async def page(self, show: Show, *where: Condition, sort: Sort, limit: int, offset: int) -> bytes:
        """The same window as the JSON of a page (section 4), with what `show` makes of each record."""

        async def read() -> bytes:
            texts, total = await self._window(where, sort, limit, offset)
            records = b",".join(self._transaction.shared.encoded.of(texts, show))
            return b'{"data":[%b],"limit":%d,"offset":%d,"total":%d}' % (records, limit, offset, total)

        key = window_key(self._kind.name, where, sort, limit, offset, show)
        return await self._transaction.shared.kept.read(await self._transaction.state(), key, read, len)

    async def _window(
        self, where: Sequence[Condition], sort: Sort | None, limit: int | None, offset: int
    ) -> tuple[tuple[str, ...], int]:
        # Both databases walk an index to a page: to one in the last half of a list, from the end.
        total = await self.count(*where) if limit is not None and offset >= FAR else None
        named = (
            where[0].values
            if len(where) == 1 and isinstance(where[0], In) and where[0].field == self._kind.id
            else None
        )
        if named is not None and sort is None and limit is None and not offset:
            # Of these ids, those that are there.
            ids = sorted(set(named))
        elif total is None or limit is None or offset <= total // 2:
            ids = await self._ids(where, sort, limit, offset)
        else:
            many = max(0, min(limit, total - offset))
            back = total - offset - many
            ids = await self._ids(where, sort, many, back, backwards=True) if many else []
            ids.reverse()
        texts = await self._texts_of(ids)
        if limit is not None and limit > 1 and sum(map(len, texts)) > LARGEST_WINDOW:
            raise LargeWindow
        # A window that is not full ends with the last record; the first window is empty if there is none.
        last = (limit is None and not offset) or (len(texts) < (limit or 0) and (bool(texts) or not offset))
        if last and total is None:
            total = offset + len(texts)
        return tuple(texts), await self.count(*where) if total is None else total

    async def _ids(
        self,
        where: Sequence[Condition],
        sort: Sort | None,
        limit: int | None,
        offset: int,
        *,
        backwards: bool = False,
    ) -> list[str]:
        """The ids of a window. `backwards`: the first is the last of the list."""
        if any(isinstance(part, In) and not part.values for part in where):
            return []
        offset = min(offset, _FARTHEST)
        by_value = sort is not None and sort.field != self._kind.id
        if sort is None or not (by_value and sort.descending and limit and self._transaction.dialect == "postgresql"):
            return await self._ordered_ids(where, sort, limit, offset, backwards=backwards)
        # Read backwards, an index of PostgreSQL begins with missing values: they are read by themselves.
        missing = Is(sort.field, None)
        first, second = (missing, Not(missing)) if backwards else (Not(missing), missing)
        parts = {"whole": True, "backwards": backwards}
        ids = await self._ordered_ids((*where, first), sort, limit, offset, **parts)
        if len(ids) == limit:
            return ids
        skipped = 0 if ids or not offset else max(0, offset - await self.count(*where, first))
        return ids + await self._ordered_ids((*where, second), sort, limit - len(ids), skipped, **parts)

    async def _ordered_ids(
        self,
        where: Sequence[Condition],
        sort: Sort | None,
        limit: int | None,
        offset: int,
        *,
        whole: bool = False,
        backwards: bool = False,
    ) -> list[str]:
        """The same in one statement. `whole`: every record or none has a value of the field to sort by."""

        among = next((part for part in where if isinstance(part, AnyFieldIn)), None)
        places = among.each() if among is not None else ()
        if among is not None and len(places) <= 1:
            if not places:
                return []
            where = [places[0] if part is among else part for part in where]
        if limit is None or not 1 < len(places) <= MOST_MERGED:
            places = ()
        by = sort or Sort(self._kind.id)
        order = Order(by.field, by.descending, whole, backwards)

        if places:
            rest = [part for part in where if part is not among]
            lists = [(place, *rest) for place in places]
            query = merged(self._kind, lists, (limit or _FARTHEST) + offset, order)
        else:
            query = ordered(self._kind, self._matching(select(self._table.c.id), where), order)
        if limit is not None or offset:
            query = query.limit(_FARTHEST if limit is None else limit).offset(offset)
        return [row[0] for row in await self._rows(query)]

    async def ids(self, *where: Condition, sort: Sort | None = None) -> list[str]:
        """The ids of the records that meet all conditions, without `sort` in their order. No document is read."""
        return await self._ids(where, sort, None, 0)

    async def texts(self, *where: Condition) -> list[str]:
        """The records that meet all conditions as the JSON that is stored, in the order of their ids."""
        return await self._texts_of(await self.ids(*where))

    async def few_ids(self, *where: Condition) -> list[str] | None:
        """The same ids; None if they are more than `MOST_MERGED`, whose lists are better named by the condition."""
        ids = await self._ids(where, None, MOST_MERGED + 1, 0)
        return ids if len(ids) <= MOST_MERGED else None

    async def values(self, field: str, *where: Condition) -> list[Any]:
        """The column of a field, for the records that meet all conditions. No document is read."""
        column = column_of(self._kind, field)
        rows = await self._rows(self._matching(select(column), where))
        return [row[0] for row in rows]

    async def of(self, ids: Sequence[str]) -> list[Document]:
        """The records with these ids, in this order; those that exist."""
        return [from_json(text) for text in await self._texts_of(ids)]

    async def _texts_of(self, ids: Sequence[str]) -> list[str]:
        """The documents of these records as text, without those that were just removed."""
        # Sorting ids and then reading a few documents is many times faster than sorting documents.
        found: dict[str, str] = {}
        for start in range(0, len(ids), _MOST_AT_ONCE):
            some = self._texts(self._table.c.id).where(self._table.c.id.in_(ids[start : start + _MOST_AT_ONCE]))
            found.update((row[0], row[1]) for row in await self._rows(some))
        return [found[id] for id in ids if id in found]

    async def count(self, *where: Condition) -> int:
        """How many records meet all conditions."""
        query = select(func.count()).select_from(self._table)
        return int((await self._rows(self._matching(query, where)))[0][0])

    async def extremes(self, field: str, *where: Condition) -> tuple[Any, Any]:
        """The least and the greatest value of a field in the records that meet all conditions; None without any.

        An index that begins with the conditions and the field leads to both at once, however many records there are.
        """
        column = column_of(self._kind, field)

        edges = (self._matching(select(edge(column)), where) for edge in (func.min, func.max))
        least, greatest = (await self._rows(select(*(each.scalar_subquery() for each in edges))))[0]
        return least, greatest

    async def count_by(self, field: str, *where: Condition) -> dict[Any, int]:
        """How many of the records that meet all conditions have each value of a field."""
        column = column_of(self._kind, field)
        query = select(column, func.count()).where(*(sql(self._kind, part) for part in where)).group_by(column)
        return {row[0]: int(row[1]) for row in await self._transaction.rows(query)}

    async def numbers(self, wire: str, *where: Condition) -> dict[str, int | None]:
        """A field with a whole number, by id, of the records that meet all conditions. No document is decoded."""
        number = cast(self._table.c.document[wire].as_string(), BigInteger)
        rows = await self._transaction.rows(self._matching(select(self._table.c.id, number), where))
        return {row[0]: row[1] for row in rows}

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
        added = [*documents]
        if added:
            await self._transaction.insert_rows(self._kind, self.prepared(added))
            if self._is_audited:
                self._audit_all("create", added, len(added))

    def prepared(self, documents: Iterable[Document]) -> list[PreparedRow]:
        """The rows of records, for `add_prepared` or `put_prepared` in a transaction that is to be short."""
        return [self._kind.prepared(self._kind.row(document)) for document in documents]

    async def add_prepared(self, rows: Sequence[PreparedRow]) -> None:
        """Insert many records by their rows."""
        if rows:
            await self._transaction.insert_rows(self._kind, rows)
            if self._is_audited:
                self._audit_all("create", [from_json(row[-1]) for row in rows], len(rows))

    async def put(self, document: Document) -> Document:
        """Insert or replace a record. One that may be removed at this moment is locked, or changed with `replace`."""
        if not await self.replace(document):
            await self.add(document)
        return document

    async def replace(self, document: Document) -> bool:
        """Replace a record; False when there is none, as after it was removed elsewhere."""
        row = self._kind.row(document)
        before = await self._transaction.replace_row(self._kind, row)
        if before is not None:
            self._changed(row["id"], before, document)
        return before is not None

    async def put_all(self, documents: Iterable[Document]) -> None:
        """Insert or replace many records."""
        await self.put_prepared(self.prepared(documents))

    async def put_prepared(self, rows: Sequence[PreparedRow]) -> None:
        """Insert or replace many records by their rows."""
        if rows:
            before = await self._all_before([row[0] for row in rows])
            await self._transaction.put_rows(self._kind, rows)
            if len(rows) > MOST_EACH:
                self._transaction.audit.changed_many(self._kind.name, "update", len(rows))
                return
            for row in rows if self._is_audited else ():
                self._transaction.audit.changed(self._kind.name, row[0], before.get(row[0]), from_json(row[-1]))

    async def remove(self, id: str) -> bool:
        """Remove a record; False when there was none."""
        removed = await self._transaction.remove_row(self._kind, id)
        if removed is not None:
            self._changed(id, removed, None)
        return removed is not None

    async def remove_all(self, *where: Condition) -> int:
        """Remove the records that meet all conditions. Returns how many there were."""
        some: Sequence[Any] = ()
        if self._is_audited:
            await self._transaction.begin()
            some = await self._transaction.rows(
                self._matching(select(self._table.c.document), where).limit(MOST_EACH + 1)
            )
        query = delete(self._table).where(*(sql(self._kind, part) for part in where))
        count = int((await self._transaction.change(query)).rowcount)
        if count:
            self._audit_all("delete", [row[0] for row in some], count)
        return count

    def _changed(self, id: str, before: str | None, after: Document | None) -> None:
        """Note a change for the audit log. `before` is the text of the record before."""
        if self._is_audited:
            self._transaction.audit.changed(self._kind.name, id, from_json(before) if before else None, after)

    async def _all_before(self, ids: list[str]) -> dict[str, Document]:
        """The changes of several records, if they are few enough for audit records of their own."""
        if not self._is_audited or len(ids) > MOST_EACH:
            return {}
        await self._transaction.begin()
        return {document[self._kind.id]: document for document in map(from_json, await self._texts_of(ids))}

    @property
    def _is_audited(self) -> bool:
        """Whether the changes of this unit leave audit records."""
        return self._transaction.audit.watches(self._kind.name)

    def _audit_all(self, action: Literal["create", "delete"], documents: Sequence[Document], count: int) -> None:
        """One audit record for each document, or one for all if there are very many."""
        audit = self._transaction.audit
        if len(documents) > MOST_EACH:
            companies = {str(document.get("companyId") or "") for document in documents}
            audit.changed_many(self._kind.name, action, count, companies.pop() if len(companies) == 1 else "")
            return
        for document in documents:
            created = action == "create"
            before, after = (None, document) if created else (document, None)
            audit.changed(self._kind.name, str(document[self._kind.id]), before, after)

    def _texts(self, *columns: ColumnElement[Any]) -> Select[Any]:
        return select(*columns, cast(self._table.c.document, Text))

    def _matching(self, query: Select[Any], where: Sequence[Condition]) -> Select[Any]:
        return query.where(*(sql(self._kind, part) for part in where))

    async def _rows(self, query: Select[Any]) -> Sequence[Any]:
        return await self._transaction.rows(query)
