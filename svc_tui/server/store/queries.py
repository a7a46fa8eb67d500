"""Conditions as SQL: the only place that depends on how a field is stored in its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    exists,
    false,
    func,
    not_,
    or_,
    select,
    true,
    union,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from svc_tui.server.store.conditions import (
    AllOf,
    AnyFieldIn,
    AnyOf,
    AtLeast,
    AtMost,
    Condition,
    Contains,
    ContainsAny,
    In,
    Is,
    Not,
    ReferencedBy,
    Related,
    StartsWith,
)
from svc_tui.server.store.many_parts import any_part, are_many
from svc_tui.server.store.tables import DOCUMENT_TABLES, ColumnType, DocumentTable

#: Most lists that a window is merged from; of more, all matching records are sorted.
MOST_MERGED = 50


class UnknownField(LookupError):
    """The field is not a key of its table: it can be neither a filter nor a sort field."""


def column_of(kind: DocumentTable, wire: str) -> ColumnElement[str]:
    """The column of a field."""
    if wire == kind.id:
        return kind.table.c.id
    if wire not in kind.keys:
        raise UnknownField(wire)
    return kind.table.c[kind.keys[wire].column]


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a field, with what has no value last. `whole`: every record or none has a value. `backwards`: the
    same order from its end.

    Written so that an index of `declare` is in this order: databases then sort nothing.
    """

    wire: str
    descending: bool = False
    whole: bool = False
    backwards: bool = False


def ordered(kind: DocumentTable, query: Select[str], order: Order) -> Select[str]:
    """The query in an order."""
    return query.order_by(*_terms(kind, order, kind.table.c))


def merged(kind: DocumentTable, conditions: Sequence[Sequence[Condition]], most: int, order: Order) -> Select[str]:
    """The first records of each of these lists, at most this many of each, together in an order, each once.

    What is sorted does not grow with the lists.
    """
    columns = [kind.table.c[name] for name in dict.fromkeys(("id", *sorting(kind, order.wire)))]
    windows = []
    for where in conditions:
        query = select(*columns).where(*(sql(kind, each) for each in where))
        windows.append(select(ordered(kind, query, order).limit(most).subquery()))
    found = union(*windows).subquery("merged")
    return select(found.c.id).order_by(*_terms(kind, order, found.c))


def sorting(kind: DocumentTable, wire: str) -> list[str]:
    """The columns of the order of a field."""
    first = column_of(kind, wire).name
    if wire in kind.keys and not kind.keys[wire].sorts:
        raise UnknownField(wire)
    return [first] if first == "id" else [first, *(name for name in kind.order if name != first), "id"]


def _terms(kind: DocumentTable, order: Order, columns: ReadOnlyColumnCollection[str, Any]) -> list[ColumnElement[Any]]:
    chosen = [columns[name] for name in sorting(kind, order.wire)]
    descending = order.descending != order.backwards
    by: list[ColumnElement[Any]] = [column.desc() if descending else column.asc() for column in chosen]
    if order.whole or len(by) == 1:
        return by
    return [by[0].nulls_first() if order.backwards else by[0].nulls_last(), *by[1:]]


def sql(kind: DocumentTable, condition: Condition, *, each: bool = False) -> ColumnElement[bool]:
    """A condition on the records of a table as SQL. `each`: for records that are compared one by one, other tables are
    asked about each of them, instead of all records that they lead to."""
    match condition:
        case AnyOf(parts) if are_many(parts):
            found = [part for part in parts if isinstance(part, Contains)]
            texts = [text for part in found for text in _spellings(kind, part.field, part.part)]
            return any_part(column_of(kind, found[0].field), texts, [sql(kind, part) for part in found])
        case AnyOf(parts):
            return or_(false(), *(sql(kind, part, each=each) for part in parts))
        case AnyFieldIn(pairs):
            return or_(false(), *(column_of(kind, wire).in_(values) for wire, values in pairs if values))
        case AllOf(parts):
            return and_(true(), *(sql(kind, part, each=each) for part in parts))
        case Not(Is(wire, None)):
            # In these words indexes are used.
            return column_of(kind, wire).is_not(None)
        case Not(part):
            return not_(and_(sql(kind, part, each=each).is_not(None), sql(kind, part, each=each)))
        case Related(wire, other, where):
            target = DOCUMENT_TABLES[other]
            return _is_among(column_of(kind, wire), target.table.c.id, sql(target, where, each=each), each=each)
        case ReferencedBy(other, wire, where):
            target = DOCUMENT_TABLES[other]
            return _is_among(kind.table.c.id, column_of(target, wire), sql(target, where, each=each), each=each)
        case _:
            return _plain(kind, condition)


def _is_among(
    column: ColumnElement[str], other: ColumnElement[str], where: ColumnElement[bool], *, each: bool
) -> ColumnElement[bool]:
    """The column has the value of the other one in a row that meets the condition."""
    if not each:
        return column.in_(select(other).where(where))
    # Within a function, so that SQLite does not go through all rows that meet the condition for each record.
    return exists().where(other == column, func.coalesce(where, false()))


def _folded(kind: DocumentTable, field: str, value: object) -> object:
    """A value as the column of a field has it."""
    folded = field in kind.keys and kind.keys[field].column_type is ColumnType.FOLDED
    return value.casefold() if folded and isinstance(value, str) else value


def _spellings(kind: DocumentTable, field: str, part: str) -> list[str]:
    """A text as the column of a field has it: with accents that are part of their letters, or signs of their own."""
    folded = str(_folded(kind, field, part))
    return list(dict.fromkeys(folded if folded.isascii() else normalize(form, folded) for form in ("NFC", "NFD")))


def _plain(
    kind: DocumentTable, condition: Is | In | Contains | StartsWith | ContainsAny | AtLeast | AtMost
) -> ColumnElement[bool]:
    column = column_of(kind, condition.field)

    def fold(value: object) -> object:
        return _folded(kind, condition.field, value)

    match condition:
        case Is(_, None):
            return column.is_(None)
        case Is(_, value):
            return column == fold(value)
        case In(_, values):
            return column.in_([fold(value) for value in values])
        case Contains(field, part):
            spellings = _spellings(kind, field, part)
            return or_(*(column.contains(text, autoescape=True) for text in spellings))
        case StartsWith(_, prefix):
            # LIKE ignores case on SQLite. A range is case-sensitive on both databases.
            return and_(column >= prefix, column < prefix + "\U0010ffff")
        case ContainsAny(_, words):
            return or_(false(), *(column.contains(f",{word},", autoescape=True) for word in words))
        case AtLeast(_, value):
            return column >= fold(value)
        case AtMost(_, value):
            return column <= fold(value)
