"""Where the value of a field is searched: records of another kind, or a list that the service keeps for choosing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.interface.catalogue import query_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.records import FieldSpec, field_by_wire

_FEW, _ALL = 50, 1000


def _nothing(record: RecordData) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What is asked of the records that a field can name, and why one of them does not do; empty when it does."""

    query: Mapping[str, Any] = field(default_factory=dict)
    unfit: Callable[[RecordData], str] = lambda row: ""


@dataclass(frozen=True, slots=True)
class Source:
    """An operation that lists what can be chosen. `value` and `label` are fields of its records.

    `searched` is its query parameter for a part of the label; empty: everything comes, and is searched here.
    `narrows` gives the query that the record being edited adds.
    """

    operation: str
    value: str
    label: str
    detail: str = ""
    searched: str = ""
    narrows: Callable[[RecordData], Mapping[str, Any]] = _nothing
    #: What its list belongs to: path parameter -> kind, as a resource has it.
    path: Mapping[str, str] = field(default_factory=dict)

    def query_for(self, edited: RecordData, text: str) -> dict[str, Any]:
        """The query for what is typed."""
        return {**self.narrows(edited), **({self.searched: text} if self.searched and text else {})}

    def rows(self, body: Any) -> list[RecordData]:
        """The records of an answer that can be named, each once; of a list of plain values each is one of its own."""
        data = body.get("data") or () if isinstance(body, Mapping) else ()
        found = [row if isinstance(row, Mapping) else {self.value: row} for row in data]
        return list({row[self.value]: row for row in found if row.get(self.value)}.values())

    @property
    def most(self) -> int:
        """Records that are read at once: some of those that are searched for, or all to be searched here."""
        return _FEW if self.searched else _ALL

    def path_at(self, place: Place) -> dict[str, str]:
        """The path parameters of its operation at a place."""
        above = {**place.parents, **({place.kind: place.record_id} if place.record_id else {})}
        return {name: above.get(kind, "") for name, kind in self.path.items()}

    def matches(self, row: RecordData, text: str) -> bool:
        """Whether a row is meant by what is typed, as far as that is found out here."""
        told = f"{row.get(self.label)} {row.get(self.value)}".casefold()
        return bool(self.searched) or text.casefold() in told

    def in_order(self, rows: Sequence[RecordData], text: str) -> list[RecordData]:
        """The rows that are meant by what is typed, the nearest first where that is found out here."""
        found = [row for row in rows if self.matches(row, text)]
        if self.searched or not text:
            return found
        named = {id(row): str(row.get(self.label) or "").casefold() for row in found}
        return sorted(found, key=lambda row: (not named[id(row)].startswith(text.casefold()), len(named[id(row)])))

    def choice(self, row: RecordData, taken: list[Any], unfit: str = "") -> Choice:
        """A row as it is chosen; not at all where something is `unfit`."""
        value = str(row.get(self.value) or "")
        detail = "chosen" if value in taken else str(row.get(self.detail) or "") if self.detail else ""
        return Choice(value, str(row.get(self.label) or value or "?"), detail, unfit)


_NO_VALUES: RecordData = {}
#: What belongs to the CloudPBX of a place.
_OF_PBX = {"systemId": "cloudpbxs"}
#: Kinds that are chosen from and have no list of their own in the console.
_KEPT = {
    "countries": Source("list_countries", "isoAlpha3Code", "fullname", "isoAlpha3Code"),
    "catalogs": Source("list_catalogs", "id", "name", "description", "name"),
    "offers": Source("list_all_offers", "id", "name", "groupName", "name"),
    "devicemodels": Source("list_cloudpbx_device_models", "id", "model", "vendor", path=_OF_PBX),
    "freenumbers": Source("list_free_internal_numbers", "number", "number", path=_OF_PBX),
    "extensions": Source("list_system_phone_numbers", "userId", "names", "shortNumber", "name", path=_OF_PBX),
    # No operation lists attendants: those that welcome services call are known.
    "attendants": Source("list_welcome_services", "voiceAutoAttendantId", "voiceAutoAttendantName", path=_OF_PBX),
    "offer_groups": Source("list_all_offers", "groupName", "name", "groupName", "name"),
}
#: Fields whose values are codes that stand in a list of the service.
_CODES = {"country": "countries", "shortNumber": "freenumbers"}
#: Where calls go that have a destination: by the type that stands beside it.
_CALLED = {"user": "extensions", "auto_attendant": "attendants"}
#: What is said of a record beside its name, of kinds whose names do not say enough.
_TOLD = {"users": "loginEmail", "ddis": "names", "externaltrunks": "description"}
#: Fields that do not take just any record of their kind.
_NARROWED: Mapping[str, Callable[[RecordData], Mapping[str, Any]]] = {
    "bpId": lambda record: {"isBP": True},
    "companyContactId": lambda record: {"companyId": record["id"]} if record.get("id") else {},
}


def value_source(spec: FieldSpec, resources: Mapping[str, Resource], values: RecordData = _NO_VALUES) -> Source | None:
    """Where the value of a field is searched; None when it is typed. `values` are those of the fields beside it."""
    called = _CALLED.get(str(values.get("type")), "") if spec.wire == "destinationId" else ""
    kind = _CODES.get(spec.wire, spec.facet.refers or called)
    if kind in _KEPT:
        return _KEPT[kind]
    resource = resources.get(kind)
    if resource is None:
        return None
    detail = _TOLD.get(kind, "")
    narrows = _NARROWED.get(spec.wire, _nothing)
    label = resource.label_field
    searched = label if label in field_by_wire(query_of(resource.list)) else ""
    return Source(resource.list, resource.kind.id, label, detail, searched, narrows, resource.placement.path)
