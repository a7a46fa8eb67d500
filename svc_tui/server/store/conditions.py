"""What a rule asks the store for: small conditions that know no SQL. Fields are named as on the wire."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Is:
    """The field has this value; None means that it has none. Folded fields compare without regard to case."""

    field: str
    value: str | bool | int | None


@dataclass(frozen=True, slots=True)
class In:
    """The field has one of these values; of none, nothing matches."""

    field: str
    values: Collection[str]


@dataclass(frozen=True, slots=True)
class Contains:
    """A part of the text, without regard to case; the field must be folded."""

    field: str
    part: str


@dataclass(frozen=True, slots=True)
class Begins:
    """The text begins like this, case-sensitive."""

    field: str
    prefix: str


@dataclass(frozen=True, slots=True)
class Has:
    """A field of words (roles, statuses) holds at least one of these."""

    field: str
    words: Collection[str]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The field is this or more; dates compare as ISO 8601 texts."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class AtMost:
    """The field is this or less."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Related:
    """The field holds the id of a record of another kind that meets a condition."""

    field: str
    kind: str
    where: Condition


@dataclass(frozen=True, slots=True)
class Referred:
    """A record of another kind that meets a condition holds this one's id in a field."""

    kind: str
    field: str
    where: Condition


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of these holds; of none, nothing matches."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these hold."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold (a field without a value counts as not meeting it)."""

    of: Condition


Condition = Is | In | Contains | Begins | Has | AtLeast | AtMost | Related | Referred | AnyOf | AllOf | Not
