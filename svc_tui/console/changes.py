"""A change before it is sent: what differs, the exact request, how far it reaches. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc_tui.console.values import HIDDEN, is_past, written
from svc_tui.interface.catalogue import body_of, operation
from svc_tui.interface.records import field_by_wire

if TYPE_CHECKING:
    from svc_tui.client.content import Content
    from svc_tui.workspace.journal import Entry

#: From this many records on, the name (or number) must be typed.
MANY = 10


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
    fields: tuple[FieldChange, ...] = ()
    reach: str = ""
    confirm: str = ""
    warning: str = ""
    undo: Entry | None = None
    content: Content | None = None
    query: tuple[tuple[str, str], ...] = ()

    @property
    def costs(self) -> bool:
        """Whether it changes what is paid for."""
        return operation(self.operation).costs

    def request(self) -> str:
        """Method and path as they are sent, and the body with its secrets hidden."""
        declared = operation(self.operation)
        asked = "&".join(f"{name}={value}" for name, value in self.query)
        line = f"{declared.method} {declared.url(**self.path)}{f'?{asked}' if asked else ''}"
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


def field_changes(operation_id: str, before: Mapping[str, Any], body: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    """The fields of a body that differ from the record, in the order of the body."""
    specs = field_by_wire(body_of(operation_id))
    found = []
    for wire, value in body.items():
        spec = specs.get(wire)
        secret = spec is not None and spec.facet.secret
        old = before.get(wire)
        if wire in before and old == value:
            continue
        label = spec.label if spec else wire
        new = HIDDEN if secret else written(value)
        if spec is not None and spec.facet.ends and is_past(value):
            new += "  (in the past: it ends at once)"
        found.append(FieldChange(label, HIDDEN if secret and old else written(old), new))
    return tuple(found)
