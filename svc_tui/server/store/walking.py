"""Walking through very many records in the order of their table: a few are in memory at a time.

Each step is a range of an index that begins after the last record, so the last step costs as much as the first, and no
connection is held between two steps.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, select

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.database import Database
from svc_tui.server.store.queries import sql
from svc_tui.server.store.tables import DocumentTable

#: Records of a step.
STEP = 500

_Range = tuple[list[ColumnElement[bool]], int]


async def walked(
    database: Database, kind: DocumentTable, *where: Condition, step: int = STEP
) -> AsyncIterator[list[str]]:
    """The documents, as JSON, of all records that meet the conditions; those without a value of the first field last.

    A record that changes on the way is there once, unless the change moves it in the order.
    """
    columns = [kind.table.c[name] for name in (*kind.order, "id")]
    conditions = [sql(kind, part) for part in where]
    last: Sequence[Any] | None = None
    more = True
    while more:
        more = False
        for within, level in _after(columns, last, nulls_first=database.engine.dialect.name == "sqlite"):
            query = select(*columns, cast(kind.table.c.document, Text)).where(*conditions, *within)
            async with database.unit() as store:
                rows = await store.rows(query.order_by(*columns[level:]).limit(step))
            if rows:
                last = rows[-1][:-1]
                yield [row[-1] for row in rows]
            if len(rows) == step:
                more = True
                break


def _after(columns: Sequence[ColumnElement[Any]], last: Sequence[Any] | None, *, nulls_first: bool) -> Iterator[_Range]:
    """The ranges after a record, in their order, each with the first column that differs within it."""
    if last is None:
        yield [columns[0].is_not(None)], 0
        yield [columns[0].is_(None)], 0
        return
    for level in range(len(columns) - 1, -1, -1):
        column, value = columns[level], last[level]
        same = [each == known for each, known in zip(columns[:level], last, strict=False)]
        if value is not None:
            yield [*same, column > value], level
        # In the first column missing values are last, in others where the database has them.
        if value is None and level and nulls_first:
            yield [*same, column.is_not(None)], level
        if value is not None and column is not columns[-1] and not (level and nulls_first):
            yield [*same, column.is_(None)], level
