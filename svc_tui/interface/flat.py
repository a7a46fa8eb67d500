"""Flat records: fields of nested objects under names with dots, `barringOptions.permissions`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pydantic

from svc_tui.interface import records
from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.fields import UNGROUPED, Facet

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from svc_tui.interface.records import Record


@cache
def flat(*models: tuple[type[Record], str, str], required: bool = False) -> type[Record]:
    """One record with the fields of all these models. Each has the prefix of its names (`cliOptions.` or none) and the
    group of its ungrouped fields.

    A declared object is replaced by its fields, in its group. No field is required, as in an update; with `required`
    the required fields of the operation are.
    """
    fields: dict[str, Any] = {}
    for model, under, group in models:
        fields |= dict(_flat(model, under, group, required))
    return pydantic.create_model("Flat", __base__=records.Record, **fields)


def _flat(model: type[Record], under: str, group: str, required: bool) -> Iterator[tuple[str, tuple[Any, FieldInfo]]]:
    for spec in fields_of(model):
        wire = under + spec.wire
        own = spec.facet.group if spec.facet.group != UNGROUPED else group
        if (inner := spec.record) is not None and spec.kind == "object":
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
    """A facet in its group. The field that it depends on gets the same prefix."""
    needs = replace(facet.needs, wire=under + facet.needs.wire) if facet.needs else None
    return replace(facet, group=group, needs=needs)


def flattened(record: Mapping[str, Any], model: type[Record]) -> dict[str, Any]:
    """The values of a record for the fields of its flat model. Missing values are left out."""
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
    """Values under names with dots, nested in objects as they are sent."""
    found: dict[str, Any] = {}
    for wire, value in values.items():
        *above, last = wire.split(".")
        inner = found
        for name in above:
            inner = inner.setdefault(name, {})
        inner[last] = value
    return found
