"""Sources of values: the records of another kind, or a list of the service, that a field chooses from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.interface import catalogue, field_specs, fields
from svc_tui.interface.data import RecordData
from svc_tui.language import _, order

if TYPE_CHECKING:
    from svc_tui.interface.field_specs import FieldSpec

_FEW, _ALL = 50, 1000


def _nothing(record: RecordData) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Source:
    """An operation that lists the choices. `value` and `label` are fields of its records.

    `searched` is its query parameter for a part of the label; if it is empty, all records are read and searched here.
    `narrows` returns the query that depends on the edited record.
    """

    operation: str
    value: str
    label: str
    detail: str = ""
    searched: str = ""
    narrows: Callable[[RecordData], Mapping[str, Any]] = _nothing
    #: Path parameter -> kind, as in a resource.
    path: Mapping[str, str] = field(default_factory=dict)
    #: Whether the labels are names that the console translates; they are sorted as its language sorts them.
    translated: bool = False
    #: The kind of its records, if they have their own list.
    kind: str = ""
    #: The field of the edited record that must be chosen first; empty when none must.
    awaits: Callable[[RecordData], str] = lambda edited: ""

    def name(self, row: RecordData) -> str:
        """The label of a row."""
        label = str(row.get(self.label) or "")
        return _(label) if self.translated else label

    def query_for(self, edited: RecordData, text: str) -> dict[str, Any]:
        """The query for a typed text."""
        return {**self.narrows(edited), **({self.searched: text} if self.searched and text else {})}

    def rows(self, body: Any) -> list[RecordData]:
        """The records of a response, each once; a plain value counts as a record."""
        data = body.get("data") or () if isinstance(body, Mapping) else ()
        found = [row if isinstance(row, Mapping) else {self.value: row} for row in data]
        return list({row[self.value]: row for row in found if row.get(self.value)}.values())

    @property
    def most(self) -> int:
        """The number of records to read: a page of results, or all of them."""
        return _FEW if self.searched else _ALL

    def path_at(self, place: Place) -> dict[str, str]:
        """The path parameters of its operation at a place."""
        return {name: place.records.get(kind, "") for name, kind in self.path.items()}

    def matches(self, row: RecordData, text: str) -> bool:
        """Whether a row matches a typed text; always true when the service searches."""
        text_of_row = order(f"{self.name(row)} {row.get(self.value)}")
        return bool(self.searched) or order(text) in text_of_row

    def in_order(self, rows: Sequence[RecordData], text: str) -> list[RecordData]:
        """The rows that match a typed text, the best match first."""
        found = [row for row in rows if self.matches(row, text)]
        if self.translated:
            found.sort(key=lambda row: order(self.name(row)))
        if self.searched or not text:
            return found
        named = {id(row): order(self.name(row)) for row in found}
        return sorted(found, key=lambda row: (not named[id(row)].startswith(order(text)), len(named[id(row)])))

    def choice(self, row: RecordData, taken: list[Any], unfit_reason: str = "") -> Choice:
        """A row as a choice; with an `unfit_reason` it cannot be chosen."""
        value = str(row.get(self.value) or "")
        detail = _("chosen") if value in taken else str(row.get(self.detail) or "") if self.detail else ""
        return Choice(value, self.name(row) or value or "?", detail, unfit_reason)


#: Name -> source, for lists without a resource. Areas add theirs (`shell.resources`).
SOURCES: dict[str, Source] = {}
_NO_VALUES: RecordData = {}


def value_source(spec: FieldSpec, resources: Mapping[str, Resource], values: RecordData = _NO_VALUES) -> Source | None:
    """The source of the values of a field; None when it is typed. `values` are those of all fields."""

    facet = spec.facet
    beside, lists = facet.picks_by or ("", ())
    kind = facet.picks or facet.refers or dict(lists).get(str(values.get(beside)), "")
    if source := SOURCES.get(kind):
        return source
    resource = resources.get(kind)
    if resource is None:
        return None
    label = resource.label_field
    searched = label if label in field_specs.field_by_wire(catalogue.query_of(resource.list)) else ""
    path = resource.placement.path
    return Source(
        resource.list,
        resource.kind.id,
        label,
        resource.detail_field,
        searched,
        _accepts(spec),
        path,
        kind=kind,
        awaits=_awaits(spec),
    )


def told_apart(choices: Sequence[Choice]) -> list[Choice]:
    """The choices with their values behind those that look the same."""
    looks = Counter((choice.label, choice.detail) for choice in choices)
    return [
        replace(choice, detail=f"{choice.detail}  {choice.value}".strip())
        if looks[choice.label, choice.detail] > 1
        else choice
        for choice in choices
    ]


def _awaits(spec: FieldSpec) -> Callable[[RecordData], str]:
    def missing(record: RecordData) -> str:
        needed = (value.wire for _name, value in spec.facet.accepts if isinstance(value, fields.OwnField))
        return next((wire for wire in needed if wire != "id" and not record.get(wire)), "")

    return missing


def _accepts(spec: FieldSpec) -> Callable[[RecordData], Mapping[str, Any]]:
    def query(record: RecordData) -> Mapping[str, Any]:
        values = {
            name: record.get(value.wire) if isinstance(value, fields.OwnField) else value
            for name, value in spec.facet.accepts
        }
        return {name: value for name, value in values.items() if value not in (None, "")}

    return query
