"""Conditions of queries, independent of SQL. Fields have their wire names."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Is:
    """The field has this value; None: it has no value. Folded fields ignore case."""

    field: str
    value: str | bool | int | None


@dataclass(frozen=True, slots=True)
class In:
    """The field has one of these values. No values match nothing."""

    field: str
    values: Collection[str]


@dataclass(frozen=True, slots=True)
class Contains:
    """The text contains this part, in any case. The field must be folded."""

    field: str
    part: str


@dataclass(frozen=True, slots=True)
class StartsWith:
    """The text begins with this prefix, case-sensitive."""

    field: str
    prefix: str


@dataclass(frozen=True, slots=True)
class ContainsAny:
    """A field of words (roles, statuses) contains at least one of these."""

    field: str
    words: Collection[str]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The field is this value or more. Dates compare as ISO 8601 texts."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class AtMost:
    """The field is this value or less."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Related:
    """The field holds the id of a record in another table that meets the condition."""

    field: str
    kind: str
    where: Condition


@dataclass(frozen=True, slots=True)
class ReferencedBy:
    """A record in another table that meets the condition holds the id of this record in a field."""

    kind: str
    field: str
    where: Condition


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of these conditions is met. No conditions match nothing."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyFieldIn:
    """One of these fields has one of its values: a list over several directories, companies or CloudPBXs.

    Each pair has an index in the order of the list, so a window is merged from one window of each, if they are few.
    """

    of: tuple[tuple[str, tuple[str, ...]], ...]

    def each(self) -> tuple[Is, ...]:
        """The pairs."""
        return tuple(Is(wire, value) for wire, values in self.of for value in values)


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these conditions are met."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The condition is not met. A field without a value does not meet it."""

    of: Condition


Condition = (
    Is
    | In
    | Contains
    | StartsWith
    | ContainsAny
    | AtLeast
    | AtMost
    | Related
    | ReferencedBy
    | AnyOf
    | AnyFieldIn
    | AllOf
    | Not
)
