"""A resource as the console shows it: a declaration of columns, related lists and actions, not a screen class."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from svc_tui.console.core.consistency import Consistency
from svc_tui.console.core.places import Place
from svc_tui.console.core.stage import Stage, TopView
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Role, Subject
from svc_tui.interface.data import RecordData
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.changes import FieldChange
    from svc_tui.console.core.choice import Narrowed
    from svc_tui.console.core.form_rules import Rules
    from svc_tui.interface.records import FieldSpec
    from svc_tui.workspace.workspace import Workspace


def managed(company_id: str, caller: Caller) -> Subject:
    """What belongs to a company of which only the id is known: of another company than his own the caller sees it
    because he manages that company."""
    if company_id == caller.company_id:
        return Subject(company_id=company_id)
    return Subject(company_id=company_id, organisation_id=caller.organisation_id, bp_id=caller.company_id)


V = TypeVar("V")

#: An editor of a field: its label and value in a dialog; the new value, or None when it is cancelled.
Editor = Callable[["Context", str, Any], Awaitable[Any]]


class ListViewClass(Protocol):
    """The class of a list view."""

    def __call__(
        self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True
    ) -> TopView[Resource]: ...


@dataclass(frozen=True, slots=True)
class Context:
    """What an action works on: the view on top and the selected or marked records in it."""

    stage: Stage[Resource]
    workspace: Workspace
    view: TopView[Resource]
    resource: Resource | None = None
    record: RecordData | None = None
    marked: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.resource.name if self.resource else ""

    def require_resource(self) -> Resource:
        """The resource, for an action that is possible only where there is one; LookupError elsewhere."""
        if self.resource is None:
            raise LookupError("the view on top has no resource")
        return self.resource

    def require_record(self) -> RecordData:
        """The record, for an action that is possible only on one; LookupError when none is selected."""
        if self.record is None:
            raise LookupError("no record is selected")
        return self.record

    def require_view(self, *kinds: type[V]) -> V:
        """The view on top, for an action of these views only; LookupError when it is another."""
        if not isinstance(self.view, kinds):
            raise LookupError(f"the view on top is a {type(self.view).__name__}")
        return self.view

    def with_keys(self, sentence: str) -> str:
        """A sentence with the present key for each `{action}`."""
        return self.stage.registry.keys.sentence(sentence)


@dataclass(frozen=True)
class Related:
    """A list that belongs to a record: one key away from it. One that is `beside` belongs to the same record above."""

    key: str
    kind: str
    label: str
    beside: bool = False
    #: Why a record has no such list; empty when it has.
    why_not: Callable[[RecordData], str] = lambda record: ""


@dataclass(frozen=True)
class Tree:
    """How records lie below each other: the queries of its list that give the first ones, and those below one.

    `roots` are headings (may be empty) with their queries; `below` is None where nothing can lie below; `says` is
    what stands beside the name.
    """

    roots: Callable[[Caller], Sequence[tuple[str, Mapping[str, Any]]]]
    below: Callable[[RecordData], Mapping[str, Any] | None]
    says: Callable[[RecordData], str]


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where the records are: what they belong to, and where a row leads."""

    #: Kind above -> the query parameter that takes its id.
    parents: Mapping[str, str] = field(default_factory=dict)
    #: Kind above -> whether a record belongs to the one with an id, where the list has no parameter for it.
    within: Mapping[str, Callable[[RecordData, str], bool]] = field(default_factory=dict)
    #: Path parameter of the operations -> the kind above whose id it takes; without one above, the caller's own.
    path: Mapping[str, str] = field(default_factory=dict)
    #: Where a row of the list leads, when that is not a place below the list.
    leads: Callable[[RecordData], Place | None] = lambda record: None
    #: The id of the only record, where there is no list.
    only: str = ""
    #: The kind above whose record decides about these too, and is kept at hand.
    above: str = ""
    #: The kind under whose place a record is opened, where the list shows records of another kind.
    opens: str = ""
    #: The kind that lists the records across everything they belong to, for roles that may list only that.
    across: str = ""
    #: How the records lie below each other, if they do.
    tree: Tree | None = None


@dataclass(frozen=True, kw_only=True)
class Editing:
    """How a record is created and edited."""

    #: Why a record cannot be changed at all (a state, a kind); empty when it can.
    frozen: Callable[[RecordData], str] = lambda record: ""
    #: Why a caller may not set a field of a record, where that depends on more than roles.
    may_set: Callable[[FieldSpec, Caller, RecordData], str] | None = None
    #: A caller with a role, in the relation to a record that the role is for; for the role lens.
    seen_as: Callable[[Role, RecordData], Caller] = lambda role, record: Caller("", frozenset({role}))
    #: Why an operation on a record breaks a rule, as far as the console can know; empty when it does not.
    forbids: Callable[[str, RecordData, Context], str] = lambda operation_id, record, context: ""
    #: The first values of a new record, where they are asked for before its form opens; None when cancelled.
    begins: Callable[[Context], Awaitable[Mapping[str, Any] | None]] | None = None
    #: Which records a reference field accepts, and why others do not fit; None: all are accepted.
    narrows: Callable[[Context, str], Awaitable[Narrowed | None]] | None = None
    #: What contradicts the values of a form: of a record, or (None) of a new one with its first values.
    #: Forbidden when a rule is broken whatever is typed.
    rules: Callable[[Context, RecordData | None, Mapping[str, Any]], Awaitable[Rules]] | None = None
    #: Rules between fields, which act while they are edited.
    consistency: Consistency | None = None
    #: Field -> the editor that `enter` opens for it, where the usual one does not do.
    editors: Mapping[str, Editor | str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """What a deletion takes away with the record; shown before it is sent."""

    #: Of one record: what it takes away, and how far it reaches.
    consequences: Callable[[RecordData, Context], tuple[tuple[FieldChange, ...], str]] | None = None
    #: Of several: one text for each record, and a sentence for all.
    bulk_consequences: Callable[[Sequence[RecordData]], tuple[Sequence[str], str]] | None = None


@dataclass(frozen=True, kw_only=True)
class Display:
    """What is shown of the records, and in which views."""

    columns: tuple[Column, ...] = ()
    #: The name of a record that is made of several fields; empty when it is not.
    called: Callable[[RecordData], str] = lambda record: ""
    #: A heading, and the sentences that stand first in the detail view.
    says: tuple[str, Callable[[RecordData], Sequence[str]]] | None = None
    #: The sentence and its style when the service has finished with a record; with the fields that were not kept.
    settled: Callable[[RecordData, Sequence[str]], tuple[str, str]] = lambda record, missed: ("", "")
    #: The class of its list, and what makes the view of one record, where the usual ones do not do.
    list_view: Callable[[], ListViewClass] | None = None
    record_view: Callable[[Place, Workspace, RecordData | None], TopView[Resource]] | None = None


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One kind of record. Operations are named by id, so that this costs nothing before they are needed."""

    kind: Kind
    title: str
    singular: str
    aliases: tuple[str, ...] = ()
    create: str = ""
    update: str = ""
    delete: str = ""
    label_field: str = "name"
    #: A field that tells two records of the same name apart, where one is chosen.
    detail_field: str = ""
    #: Number key of the section, 0 for none.
    section: int = 0
    #: Query of every list of it.
    query: Mapping[str, Any] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    #: Why its list is not asked for with a query: what must be chosen first; empty when nothing must.
    awaits: Callable[[Caller | None, Mapping[str, Any]], str] = lambda caller, query: ""
    subject: Callable[[RecordData, Caller], Subject] | None = None
    related: tuple[Related, ...] = ()
    display: Display = Display()
    placement: Placement = Placement()
    editing: Editing = Editing()
    deletion: Deletion = Deletion()

    def with_columns(self, columns: tuple[Column, ...]) -> Resource:
        """The same resource with other columns."""
        return replace(self, display=replace(self.display, columns=columns))

    @property
    def name(self) -> str:
        """The name of the kind."""
        return self.kind.name

    @property
    def list(self) -> str:
        """The operation that lists it; empty when there is one record only."""
        return "" if self.placement.only else self.kind.list

    def place(self, record_id: str = "") -> Place:
        """Where its list, or one record of it, is."""
        wanted = record_id or self.placement.only
        return Place((self.name, wanted) if wanted else (self.name,))

    def path_at(self, place: Place, caller: Caller | None, record_id: str = "") -> dict[str, str]:
        """The path parameters of its operations at a place, with the id of a record where one is meant."""
        filled = {
            name: place.parents.get(kind) or KINDS[kind].own_id(caller) for name, kind in self.placement.path.items()
        }
        return {**filled, self.kind.parameter: record_id} if record_id and self.kind.parameter else filled

    def missing(self, place: Place) -> str:
        """The kind that a place lacks above it, without which its operations have no path; empty when none.

        A view of its own, which is there only once, asks for what it needs itself.
        """
        if self.placement.only:
            return ""
        return next(
            (kind for kind in self.placement.path.values() if kind not in place.parents and not KINDS[kind].own), ""
        )

    def place_near(self, place: Place, record: RecordData, record_id: str = "") -> Place:
        """Where a record of it (or its list) is, that is referred to from another record or from a place."""
        above = {**place.parents, **({place.kind: place.record_id} if place.record_id else {})}
        parts: list[str] = []
        for parameter, kind in self.placement.path.items():
            found = above.get(kind) or str(record.get(parameter) or "")
            parts += [kind, found] if found else []
        return Place((*parts, *self.place(record_id).parts))

    def path_to(self, record: RecordData, place: Place, caller: Caller | None) -> dict[str, str]:
        """The path parameters of a record that is shown at a place, and may belong elsewhere."""
        record_id = self.record_id(record)
        return self.path_at(self.place_near(place, record, record_id), caller, record_id)

    def query_at(self, place: Place) -> dict[str, Any]:
        """The query that the places above add."""
        above = place.parents
        return {name: above[kind] for kind, name in self.placement.parents.items() if kind in above}

    def belongs_at(self, place: Place) -> Callable[[RecordData], bool] | None:
        """Whether a record belongs to the list at a place, as far as that is found out here; None when nothing is."""
        above = [
            (belongs, place.parents[kind]) for kind, belongs in self.placement.within.items() if kind in place.parents
        ]
        return (lambda record: all(belongs(record, id) for belongs, id in above)) if above else None

    def label(self, record: RecordData) -> str:
        """What a record is called by people."""
        return self.display.called(record) or str(record.get(self.label_field) or self.record_id(record) or "?")

    def record_id(self, record: RecordData) -> str:
        """The id under which the service knows a record."""
        return str(record.get(self.kind.id) or "")
