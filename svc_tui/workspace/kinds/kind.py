"""A kind of record. Plain values: the first screen loads no models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from svc_tui.cache.secrets import record_model
from svc_tui.interface.access import Caller
from svc_tui.interface.catalogue import query_of
from svc_tui.interface.field_specs import FieldSpec, field_by_wire

#: Whether a text typed in a filter is found in a value, given also the row with the value.
Matcher = Callable[[str, Any, Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True)
class ServerFilter:
    """A query parameter by which the service filters a column.

    `match`: the service searches a part of the text (`part`), its beginning (`start`), compares the whole value
    (`whole`), or takes one or more of the column's choices (`choices`, comma-separated).
    """

    parameter: str
    match: str = "part"
    #: Further parameters that search other parts of the same column.
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PeriodFilter:
    """The query parameters by which the service filters a column of dates: from, and until.

    They take a day (`days`) or a moment, and mean another column with any of the parameters `unless`.
    """

    first: str
    last: str
    days: bool = False
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Processing:
    """How the service processes changes of a kind of record after its response.

    `field` is true while it still does; such a record is refreshed until it is false. `complete_query` lists all
    records, those too that the list usually leaves out. `deleted` are the values of `status` of a record that was
    deleted and can still be read.
    """

    field: str
    complete_query: Mapping[str, object]
    deleted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanRules:
    """What is known of a change before it is sent.

    `contradictions` of the record before and after it are sentences; `completed` adds to an update what must be sent
    with it, of these settings; `loop` names the records through which a record leads back to itself, among others.
    """

    contradictions: Callable[[Mapping[str, Any], Mapping[str, Any]], Sequence[str]] = lambda before, after: ()
    completed: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]] = lambda update, now: dict(update)
    loop: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], Sequence[str]] = lambda record, others: ()


_NO_RULES = PlanRules()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record.

    `list` and `get` are the operations that list the records and read one. Where no operation reads one record, `get`
    is the list again, in which the record is looked up. `parameter` is the path parameter that holds its id.
    """

    name: str
    list: str
    get: str
    id: str = "id"
    parameter: str = ""
    #: The column by which the service finds a text best; empty for none.
    text_column: str = ""
    #: The fields that identify a record beside its ID, such as an e-mail address, a number or an external reference.
    #: They are searched for text without a column, also where no column shows them.
    identifiers: tuple[str, ...] = ()
    #: The object inside the record whose fields are the body of its operations.
    nested: str = ""
    #: Field -> how text is found in it, where comparing texts is not enough. The field need not be a column.
    matchers: Mapping[str, Matcher] = field(default_factory=dict)
    #: Column -> how the service filters it; an empty column: text without a column.
    server_filters: Mapping[str, ServerFilter] = field(default_factory=dict)
    #: Column of dates -> how the service filters it.
    period_filters: Mapping[str, PeriodFilter] = field(default_factory=dict)
    #: How the service processes its changes after the response; None where the response is the result.
    processing: Processing | None = None
    #: Event of the service that names a record of this kind -> the attribute with its id.
    events: Mapping[str, str] = field(default_factory=dict)
    #: Other kinds whose records include data of these, and change with them.
    affects: tuple[str, ...] = ()
    #: The rules of its changes, for plans.
    rules: PlanRules = _NO_RULES
    #: Made of records of other kinds: the operations belong to those.
    derived: bool = False

    #: The field with the ID of the user of a record, whose company it belongs to if it names none; empty for none.
    user_field: str = ""
    #: The caller's own record of this kind, where there is one.
    own: Literal["", "company_id", "user_id"] = ""

    def own_id(self, caller: Caller | None) -> str:
        """The id of the caller's own record; empty where there is none."""
        return str(getattr(caller, self.own)) if caller and self.own else ""

    def flat(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with its fields where bodies have them."""
        within = record.get(self.nested) if self.nested else None
        return {**record, **within} if isinstance(within, dict) else record

    def shown(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The flat record without the object whose fields it has."""
        flat = self.flat(dict(record))
        return {name: value for name, value in flat.items() if name != self.nested or not isinstance(value, dict)}

    def is_processed(self, record: Mapping[str, Any]) -> bool:
        """Whether the service still processes a record."""
        return self.processing is not None and bool(record.get(self.processing.field))

    def id_of(self, row: dict[str, Any]) -> str:
        """The id of a row, empty when it has none."""
        return str(row.get(self.id) or "")

    def record_in(self, data: object, record_id: str) -> dict[str, Any] | None:
        """The record in the data of a response, looked up where `get` is the list; None where there is none."""
        if isinstance(data, list) and self.get == self.list:
            data = next((row for row in data if isinstance(row, dict) and self.id_of(row) == record_id), None)
        return data if isinstance(data, dict) else None


def fields_of(kind: Kind) -> dict[str, FieldSpec]:
    """The fields of a kind's record by wire name; empty when none are declared."""
    model = record_model(kind.get)
    return field_by_wire(model) if model else {}


def query_fields_of(kind: Kind) -> dict[str, FieldSpec]:
    """The query parameters of a kind's list by wire name."""
    return dict(field_by_wire(query_of(kind.list)))
