"""Pages of SQLite whose filter and order have no index in common.

SQLite finds the records by the filter then, and sorts them all. If they are many, the page is found sooner on a walk
through the index of the order, on which each record is compared with the filter. A walk that turns out to be long is
given up, so no page takes much longer than sorting. PostgreSQL chooses between the two by its statistics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from sqlalchemy import Select, Table, select

from svc_tui.server.store.conditions import (
    AllOf,
    AnyFieldIn,
    AnyOf,
    AtLeast,
    AtMost,
    Condition,
    In,
    Is,
    ReferencedBy,
    Related,
    StartsWith,
)
from svc_tui.server.store.queries import MOST_MERGED, Order, column_of, ordered, sorting, sql
from svc_tui.server.store.statements import given
from svc_tui.server.store.tables import DocumentTable

#: So many records are sorted faster than a walk begins.
FEW = 500


def steps(total: int) -> int:
    """How many records a walk passes at most, where so many meet the filter: sorting them takes longer."""
    return total // 2


def is_sorted(kind: DocumentTable, where: Sequence[Condition], wire: str) -> bool:
    """Whether SQLite sorts the records that meet these conditions, for a list in the order of a field."""
    parts = [*_parts(where)]
    fixed = {column_of(kind, part.field).name for part in parts if isinstance(part, Is)}
    names = [name for name in sorting(kind, wire) if name not in fixed]
    return any(_finds(kind, part, fixed) and not _in_order(kind, part, names) for part in parts)


def walk(kind: DocumentTable, where: Sequence[Condition], order: Order) -> Select[str]:
    """The ids of a window of the records that meet these conditions, of the first `steps` records in the order."""
    parts, names = [*_parts(where)], sorting(kind, order.wire)
    first = [part for part in parts if isinstance(part, Is) and _in_order(kind, part, names)][:1]
    columns = [column for column in kind.table.c if column.name != "document"]
    passed = select(*columns).where(*(sql(kind, part) for part in first))
    walked = ordered(kind, cast("Select[str]", passed), order).limit(given("steps")).subquery("walked")
    these = replace(kind, table=cast("Table", walked))
    rest = (sql(these, part, each=True) for part in parts if part not in first)
    return select(walked.c.id).where(*rest).limit(given("limit")).offset(given("offset"))


def _parts(where: Sequence[Condition]) -> Iterator[Condition]:
    """The conditions that all have to be met."""
    for part in where:
        if isinstance(part, AllOf) or (isinstance(part, AnyOf) and len(part.of) == 1):
            yield from _parts(part.of)
        elif isinstance(part, AnyFieldIn) and len(part.each()) == 1:
            yield part.each()[0]
        else:
            yield part


def _finds(kind: DocumentTable, part: Condition, fixed: set[str]) -> bool:
    """Whether SQLite may find records by this condition. `fixed` are columns of which each has one value."""
    match part:
        case Is() | In() | AtLeast() | AtMost() | StartsWith() | Related():
            name = column_of(kind, part.field).name
            return any(
                name == columns[0] or (name in columns[1:2] and columns[0] in fixed) for columns in kind.index_columns
            )
        case ReferencedBy() | AnyFieldIn():
            return True
        case AnyOf(parts):
            return all(_finds(kind, each, fixed) for each in parts)
        case _:
            return False


def _in_order(kind: DocumentTable, part: Condition, names: Sequence[str]) -> bool:
    """Whether the records that a condition finds are in the order of these columns, or are one at most."""
    match part:
        case Is(wire, _):
            name = column_of(kind, wire).name
            wanted = (name, *(each for each in names if each != name))
            if wire not in kind.keys or kind.keys[wire].unique:
                return True
            return not names or any(columns[:2] == wanted[:2] for columns in kind.index_columns)
        case AtLeast() | AtMost() | StartsWith():
            return [column_of(kind, part.field).name] == names[:1]
        case AnyFieldIn():
            return len(part.each()) <= MOST_MERGED and all(_in_order(kind, each, names) for each in part.each())
        case _:
            return False
