"""Declared choices, nested records and secrets of bodies, for translation and masking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from svc_tui.interface.field_specs import fields_of, record_in

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.interface.records import Record

#: Fields with free keys, which are not part of the interface.
FREE = frozenset({"customData"})


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of a record by wire names: choices with their values, and nested records."""

    names: frozenset[str]
    choices: Mapping[str, tuple[str, ...]]
    nested: Mapping[str, type[Record]]


@cache
def shape_of(model: type[Record]) -> Shape:
    """The shape of a declared record."""
    fields = fields_of(model)
    return Shape(
        names=frozenset(spec.wire for spec in fields),
        choices={spec.wire: spec.choices for spec in fields if spec.choices},
        nested={spec.wire: inner for spec in fields if (inner := spec.record) is not None},
    )


@cache
def secrets_of(model: type[Record]) -> frozenset[str]:
    """Wire names of secrets anywhere in a record."""
    own = {spec.wire for spec in fields_of(model) if spec.facet.secret}
    return frozenset(own.union(*(secrets_of(inner) for inner in shape_of(model).nested.values())))


_BY_OPERATION: dict[str, frozenset[str]] = {}


def secrets_in(operation: AnyOperation) -> frozenset[str]:
    """Wire names of secrets in the query, the body or the response of an operation."""
    known = _BY_OPERATION.get(operation.id)
    if known is None:
        models = [model for part in (operation.query, operation.body, operation.result) if (model := record_in(part))]
        known = frozenset[str]().union(*(secrets_of(model) for model in models))
        _BY_OPERATION[operation.id] = known
    return known
