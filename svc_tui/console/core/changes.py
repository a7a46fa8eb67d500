"""A change before it is sent: what differs, the exact request, how far it reaches. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from svc_tui.console.core.summaries import told, with_names
from svc_tui.console.widgets.formatting import HIDDEN, NOTHING, is_past, written
from svc_tui.interface.catalogue import body_of, operation
from svc_tui.interface.records import field_by_wire

if TYPE_CHECKING:
    from svc_tui.client.content import Content
    from svc_tui.workspace.changes.journal import UndoEntry


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field: its label, and old and new value as they are drawn."""

    label: str
    old: str
    new: str


@dataclass(frozen=True)
class Change:
    """Something about to be sent.

    `confirm` must be typed first (empty: `enter` is enough). `undo` is what the journal keeps, `content` a body that is
    no JSON.
    """

    label: str
    operation: str
    path: Mapping[str, str]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[FieldChange, ...] = ()
    reach: str = ""
    confirm: str = ""
    warning: str = ""
    undo: UndoEntry | None = None
    content: Content | None = None

    @property
    def costs(self) -> bool:
        """Whether it changes what is paid for."""
        return operation(self.operation).costs

    def request(self) -> str:
        """Method and path as they are sent, and the body with its secrets hidden."""
        declared = operation(self.operation)
        said = {name: str(value).lower() if isinstance(value, bool) else value for name, value in self.query.items()}
        asked = f"?{urlencode(said)}" if said else ""
        line = f"{declared.method} {declared.url(**self.path)}{asked}"
        if self.content is not None:
            return f"{line}\ncontent-type: {self.content.type}, {len(self.content.data)} bytes"
        if self.body is None:
            return line
        specs = field_by_wire(body_of(self.operation))
        shown = {
            wire: HIDDEN if wire in specs and specs[wire].facet.secret and value else value
            for wire, value in self.body.items()
        }
        return f"{line}\n{json.dumps(shown, indent=2, ensure_ascii=False)}"


def field_changes(
    operation_id: str,
    before: Mapping[str, Any],
    body: Mapping[str, Any],
    named: Mapping[str, str] = MappingProxyType({}),
) -> tuple[FieldChange, ...]:
    """The fields of a body that differ from the record, in the order of the body; ids as what they are `named`."""
    specs = field_by_wire(body_of(operation_id))
    found = []
    for wire, value in body.items():
        spec = specs.get(wire)
        secret = spec is not None and spec.facet.secret
        old = before.get(wire)
        if wire in before and old == value:
            continue
        label = spec.label if spec else wire
        if parts := told(wire, value):
            found += _parts(label, told(wire, old) or {}, parts)
            continue
        new = HIDDEN if secret else written(value)
        if spec is not None and spec.facet.ends and is_past(value):
            new += "  (in the past: it ends at once)"
        found.append(FieldChange(label, HIDDEN if secret and old else written(old), new))
    return tuple(replace(each, new=with_names(each.new, named)) for each in found)


def _parts(label: str, old: Mapping[str, str], new: Mapping[str, str]) -> list[FieldChange]:
    """What differs within a value that is told in parts, such as one day of a week."""
    names = dict.fromkeys((*old, *new))
    return [
        FieldChange(name or label, old.get(name, NOTHING), new.get(name, NOTHING))
        for name in names
        if old.get(name) != new.get(name)
    ]
