"""The declared fields of a kind's records. Loading the declaration takes some milliseconds: import this when needed."""

from __future__ import annotations

from svc_tui.cache.secrets import record_model
from svc_tui.interface.catalogue import query_of
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.workspace.kinds.kind import Kind


def fields_of(kind: Kind) -> dict[str, FieldSpec]:
    """The fields of a kind's record by wire name; empty when none are declared."""
    model = record_model(kind.get)
    return field_by_wire(model) if model else {}


def query_fields_of(kind: Kind) -> dict[str, FieldSpec]:
    """The query parameters of a kind's list by wire name."""
    return dict(field_by_wire(query_of(kind.list)))
