"""What the declaration says of a kind's records; loading it costs some milliseconds, so it is asked for when needed."""

from __future__ import annotations

from svc_tui.cache.secrets import record_model
from svc_tui.interface.records import FieldSpec, field_by_wire
from svc_tui.workspace.core.kinds import Kind


def record_of(kind: Kind) -> dict[str, FieldSpec]:
    """The fields of a kind's record by wire name; empty when nothing is declared."""
    model = record_model(kind.get)
    return field_by_wire(model) if model else {}
