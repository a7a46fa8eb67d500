"""How many records a list has, kept by triggers of PostgreSQL: its total costs the same however many there are.

Triggers count each statement in the transaction of its change (migration 0019). A directory is changed by one
transaction at a time, so they never wait for each other. SQLite counts when it is asked: it has triggers for each row
only, which would double the time of an import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Insert,
    PrimaryKeyConstraint,
    Select,
    Table,
    func,
    insert,
    literal,
    select,
)

from svc_tui.server.store.conditions import AllOf, AnyFieldIn, Condition, Is, Related
from svc_tui.server.store.queries import sql
from svc_tui.server.store.tables import DOCUMENT_TABLES, TEXT, DocumentTable, metadata

#: Table, the values of its two columns that are counted by (empty for a missing one), and how many records have them.
#: Empty on SQLite.
RECORD_COUNTS = Table(
    "record_counts",
    metadata,
    Column("name", TEXT, nullable=False),
    Column("scope", TEXT, nullable=False),
    Column("part", TEXT, nullable=False),
    Column("number", BigInteger, nullable=False),
    PrimaryKeyConstraint("name", "scope", "part"),
)


def kept_count(kind: DocumentTable, where: Sequence[Condition]) -> Select[Any] | None:
    """How many records meet all conditions, as a query that counts none. None where it is not kept."""
    if not kind.counted:
        return None
    scope, part = kind.counted
    query = select(func.coalesce(func.sum(RECORD_COUNTS.c.number), 0)).where(RECORD_COUNTS.c.name == kind.name)
    where = [part for each in where for part in (each.of if isinstance(each, AllOf) else (each,))]
    scopes = [chosen for each in where if (chosen := _chosen(each, scope)) is not None]
    parts = [RECORD_COUNTS.c.part == each.value for each in where if isinstance(each, Is) and _is(each, part)]
    if len(scopes) != 1 or len(scopes) + len(parts) != len(where):
        return None
    return query.where(*scopes, *parts)


def counted(kind: DocumentTable) -> Insert:
    """Counts the records of a table, for those that were added without its triggers."""
    scope, part = (kind.table.c[kind.keys[wire].column] for wire in kind.counted)
    values = literal(kind.name), func.coalesce(scope, ""), func.coalesce(part, ""), func.count()
    return insert(RECORD_COUNTS).from_select([*RECORD_COUNTS.c], select(*values).group_by(scope, part))


def _chosen(condition: Condition, field: str) -> ColumnElement[bool] | None:
    """The records of these directories, and no other condition."""
    match condition:
        case Is(_, value) if _is(condition, field):
            return RECORD_COUNTS.c.scope == value
        case AnyFieldIn(pairs) if all(wire == field for wire, _ in pairs):
            return RECORD_COUNTS.c.scope.in_([value for _, values in pairs for value in values])
        case Related(wire, other, where) if wire == field:
            target = DOCUMENT_TABLES[other]
            return RECORD_COUNTS.c.scope.in_(select(target.table.c.id).where(sql(target, where)))
        case _:
            return None


def _is(condition: Is, field: str) -> bool:
    return condition.field == field and isinstance(condition.value, str)
