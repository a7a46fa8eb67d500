"""Records seen flat: the fields of objects inside a record under names with dots, `barringOptions.permissions`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from types import NoneType
from typing import Any, get_args

from pydantic import create_model
from pydantic.fields import FieldInfo

from svc_tui.interface.records import UNGROUPED, Facet, FieldSpec, Record, field_by_wire, fields_of


@cache
def flat(*models: tuple[type[Record], str, str], required: bool = False) -> type[Record]:
    """One record with the fields of all these; each stands with what its names begin with (`cliOptions.` or nothing)
    and the group of fields that have none.

    An object whose fields are declared is replaced by them, in its own group. Nothing is required, for it is what an
    update can change; with `required` everything is that has to be sent with the others of its operation.
    """
    fields: dict[str, Any] = {}
    for model, under, group in models:
        fields |= dict(_flat(model, under, group, required))
    return create_model("Flat", __base__=Record, **fields)


def _flat(model: type[Record], under: str, group: str, required: bool) -> Iterator[tuple[str, tuple[Any, FieldInfo]]]:
    for spec in fields_of(model):
        wire = under + spec.wire
        own = spec.facet.group if spec.facet.group != UNGROUPED else group
        if (inner := record_in(spec)) is not None and spec.kind == "object":
            yield from _flat(inner, f"{wire}.", own, required)
            continue
        info = copy(model.model_fields[spec.name])
        info.alias = info.validation_alias = info.serialization_alias = wire
        info.alias_priority = 2
        if info.is_required() and not required:
            info.default = None
        info.metadata = [_placed(item, under, own) if isinstance(item, Facet) else item for item in info.metadata]
        yield wire.replace(".", "__"), (spec.annotation, info)


def _placed(facet: Facet, under: str, group: str) -> Facet:
    """A facet in its group; the field that it needs stands under the same name."""
    needs = replace(facet.needs, wire=under + facet.needs.wire) if facet.needs else None
    return replace(facet, group=group, needs=needs)


def record_in(spec: FieldSpec) -> type[Record] | None:
    """The record that an object, or each entry of a list, is; None when that is not declared."""
    todo = [spec.annotation]
    while todo:
        part = todo.pop()
        if isinstance(part, type) and part is not NoneType and issubclass(part, Record):
            return part
        todo += get_args(part)
    return None


def flattened(record: Mapping[str, Any], model: type[Record]) -> dict[str, Any]:
    """The values that a record has for the fields of a flat one; what is missing stays out."""
    found = {}
    for wire in field_by_wire(model):
        *above, last = wire.split(".")
        values: Any = record
        for name in above:
            values = values.get(name) if isinstance(values, Mapping) else None
        if isinstance(values, Mapping) and last in values:
            found[wire] = values[last]
    return found


def folded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values under names with dots as they are sent: in objects."""
    found: dict[str, Any] = {}
    for wire, value in values.items():
        *above, last = wire.split(".")
        inner = found
        for name in above:
            inner = inner.setdefault(name, {})
        inner[last] = value
    return found
