"""A change before it is sent: changed fields, the exact request, and how many records it affects. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.summaries import summary_of, with_names
from svc_tui.console.widgets.formatting import HIDDEN, NOTHING, is_past
from svc_tui.interface.catalogue import body_of, operation
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.labels import label_of
from svc_tui.interface.personal import MASKED
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.service import CREATED as CREATED

if TYPE_CHECKING:
    from svc_tui.client.content import Content
    from svc_tui.workspace.changes.journal import UndoEntry


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A changed field: its label, and the old and new value as text."""

    label: str
    old: str
    new: str


@dataclass(frozen=True)
class Change:
    """A change that is about to be sent.

    `confirm` must be typed first, unless it is empty. `undo` is the entry for the journal, `content` a body that is not
    JSON. Each change `following` is sent after it, also when another one is refused; `refused` then has the sentences.
    In their paths, `CREATED` stands for the ID of the record that is created.
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
    following: tuple[Change, ...] = ()
    refused: list[str] = field(default_factory=list, compare=False)

    @property
    def costs(self) -> bool:
        """Whether the change affects costs."""
        return operation(self.operation).costs

    @property
    def calls(self) -> Sequence[CommandCall]:
        """The requests, for the commands that send the same."""
        takes_file = bool(operation(self.operation).takes)
        own = CommandCall(self.operation, self.path, self.query, self.body, takes_file)
        return (own, *(call for each in self.following for call in each.calls))

    def request(self) -> str:
        """Method, path and body of the requests, with secrets hidden."""
        return "\n".join([self._own_request(), *(each.request() for each in self.following)])

    def _own_request(self) -> str:
        declared = operation(self.operation)
        values = {name: str(value).lower() if isinstance(value, bool) else value for name, value in self.query.items()}
        query = f"?{urlencode(values)}" if values else ""
        line = f"{declared.method} {declared.url(**self.path)}{query}"
        if self.content is not None:
            return f"{line}\ncontent-type: {self.content.type}, {counted(len(self.content.data), 'byte')}"
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
    """The fields of a body that differ from the record, in the order of the body; IDs are replaced by names."""
    specs = field_by_wire(body_of(operation_id))
    found = []
    for wire, value in body.items():
        spec = specs.get(wire)
        secret = spec is not None and spec.facet.secret
        old = before.get(wire)
        if wire in before and old == value:
            continue
        label = spec.label if spec else wire
        if parts := summary_of(wire, value):
            found += _parts(label, summary_of(wire, old) or {}, parts)
            continue
        new = HIDDEN if secret else value_text(value, spec)
        if spec is not None and spec.facet.ends and is_past(value):
            new += _("  (in the past: ends at once)")
        found.append(FieldChange(label, HIDDEN if secret and old else value_text(old, spec), new))
    return tuple(replace(each, old=with_names(each.old, named), new=with_names(each.new, named)) for each in found)


def made_changes(operation_id: str, values: Mapping[str, tuple[Any, Any]]) -> list[FieldChange]:
    """The fields of a change that was made, by their old and new values; those with masked values too."""
    specs, found = field_by_wire(body_of(operation_id)), []
    for wire, (old, new) in values.items():
        spec = specs.get(wire)
        label = spec.label if spec else label_of(wire)
        if old != new and (parts := summary_of(wire, new)):
            found += _parts(label, summary_of(wire, old) or {}, parts)
        elif old != new or MASKED in str(new):
            found.append(FieldChange(label, value_text(old, spec), value_text(new, spec)))
    return found


def _parts(label: str, old: Mapping[str, str], new: Mapping[str, str]) -> list[FieldChange]:
    """The changed parts of a value that is summarised in parts, for example one day of a week."""
    names = dict.fromkeys((*old, *new))
    return [
        FieldChange(name or label, old.get(name, NOTHING), new.get(name, NOTHING))
        for name in names
        if old.get(name) != new.get(name)
    ]
