"""The declaration of a resource: its columns, related lists, operations and rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from svc_tui.console.core.form_rules import Consistency
from svc_tui.console.core.places import Place
from svc_tui.console.core.stage import Stage, TopView
from svc_tui.console.widgets.formatting import english_title_in_sentence, title_in_sentence
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import OWN_COMPANY_ONLY, Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import ENGLISH, current, plural, translated
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.changes import Change, FieldChange
    from svc_tui.console.core.choice import ChoiceLimits
    from svc_tui.console.core.form_rules import Rules
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.interface.records import Record
    from svc_tui.workspace.lists.reports import Report
    from svc_tui.workspace.workspace import Workspace


def managed(company_id: str, caller: Caller) -> Subject:
    """A record of a company of which only the ID is known. The caller sees records of another company because they
    manage it."""
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
    """The context of an action: the view on top with its selected and marked records."""

    stage: Stage[Resource]
    workspace: Workspace
    view: TopView[Resource]
    resource: Resource | None = None
    record: RecordData | None = None
    marked: tuple[str, ...] = ()
    #: The action that is performed: see `performed` in `core/actions.py`.
    action: object | None = None

    @property
    def kind(self) -> str:
        return self.resource.name if self.resource else ""

    @property
    def marks_others(self) -> bool:
        """Whether other records than the selected one are marked."""
        selected = self.resource.record_id(self.record) if self.resource and self.record is not None else None
        return any(marked != selected for marked in self.marked)

    def with_keys(self, sentence: str) -> str:
        """A sentence with the current key for each `{action}`."""
        return self.stage.registry.keys.sentence(sentence)

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


@dataclass(frozen=True)
class RelatedList:
    """A related list of a record, with the key that opens it. A list `beside` belongs to the same parent record."""

    key: str
    kind: str
    label: str
    beside: bool = False
    #: Why a record has no such list; empty when it has one.
    why_not: Callable[[RecordData], str] = lambda record: ""
    #: Its place in the footer, as of an action.
    footer: int = 45
    #: Its sentence in the help, if "LABEL of this RECORD" is none.
    help: str = ""

    def __post_init__(self) -> None:
        translated(self, "label")


@dataclass(frozen=True, kw_only=True)
class Placement:
    """The place of the records: their parents, and what a row opens."""

    #: Parent kind -> the query parameter for its ID.
    parents: Mapping[str, str] = field(default_factory=dict)
    #: Parent kind -> whether a record belongs to the parent with an ID, for lists without a parameter for it.
    within: Mapping[str, Callable[[RecordData, str], bool]] = field(default_factory=dict)
    #: Path parameter of the operations -> the parent kind whose ID it takes; without a parent, the caller's.
    path: Mapping[str, str] = field(default_factory=dict)
    #: The place that a row opens, if it is not below the list.
    leads: Callable[[RecordData], Place | None] = lambda record: None
    #: The parent kind that its list belongs to, if the operation does not take its ID.
    under: str = ""
    #: The ID of the only record, for a resource without a list.
    only: str = ""
    #: The parent kind whose record is loaded too, because rules depend on it.
    above: str = ""
    #: The kind under which a record is opened, for a list that shows records of another kind.
    opens: str = ""
    #: The kind that lists the records across all parents, for roles that may list only that.
    across: str = ""


@dataclass(frozen=True, kw_only=True)
class Editing:
    """How records are created and edited."""

    #: Why a record is read-only (its state or kind); empty when it is not.
    frozen: Callable[[RecordData], str] = lambda record: ""
    #: Why a caller may not set a field of a record, if that depends on more than roles.
    may_set: Callable[[FieldSpec, Caller, RecordData], str] | None = None
    #: The rule that an operation on a record breaks, as far as the console can check; empty when none.
    forbids: Callable[[str, RecordData, Context], str] = lambda operation_id, record, context: ""
    #: Asks for the first values of a new record before its form opens; None when cancelled.
    begins: Callable[[Context], Awaitable[Mapping[str, Any] | None]] | None = None
    #: The fields of a record that a new one like it does not have, such as its name; None: there is no such action.
    not_alike: frozenset[str] | None = None
    #: The changes that give a new record what other operations have set in the selected one; `CREATED` is its ID.
    alike: Callable[[Context], Awaitable[Sequence[Change]]] | None = None
    #: The records that a reference field accepts, and why others are unfit; None: all are accepted.
    narrows: Callable[[Context, str], Awaitable[ChoiceLimits | None]] | None = None
    #: The rules of a form: of a record, or (None) of a new one with its first values. Forbidden when a rule is broken
    #: whatever is typed.
    rules: Callable[[Context, RecordData | None, Mapping[str, Any]], Awaitable[Rules]] | None = None
    #: The fields of a record that the service empties with a change (the record, the changed values).
    empties: Callable[[RecordData, Mapping[str, Any]], Sequence[str]] = lambda record, changed: ()
    #: Rules between fields that apply while they are edited.
    consistency: Consistency | None = None
    #: Field -> its special editor.
    editors: Mapping[str, Editor] = field(default_factory=dict)
    #: The prices of the changes of several records, by their IDs, before these are sent.
    priced: Callable[[Context, Mapping[str, Change]], Awaitable[Prices]] | None = None
    #: Fields of the form that other operations set; a function, since they are declared with records.
    also: Callable[[], AlsoEdited] | None = None


@dataclass(frozen=True, kw_only=True)
class Prices:
    """The prices of several changes: a text for each record, why others cannot be ordered, and a sentence for all."""

    notes: Mapping[str, str]
    reasons: Mapping[str, str]
    total: str


@dataclass(frozen=True, kw_only=True)
class AlsoEdited:
    """Fields of a form that other operations set, such as the licences of a user, sent after the record itself."""

    #: The fields, as declared for a body.
    fields: type[Record]
    #: The values of a record in these fields.
    before: Callable[[RecordData], Mapping[str, Any]]
    #: The changes for new values: the values before, the new ones, the ID of the record, and the names of IDs.
    changes: Callable[[Mapping[str, Any], Mapping[str, Any], str, Mapping[str, str]], Sequence[Change]]
    #: The names of the IDs among the values of a record.
    names: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda record: {}


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """The records that are deleted with a record; shown in the preview."""

    #: Whether the area has its own action for the deletion, because it is called otherwise.
    own_action: bool = False
    #: For one record: the losses, and how many records are affected; None when it was shown why it is not deleted.
    consequences: Callable[[RecordData, Context], Awaitable[tuple[tuple[FieldChange, ...], str] | None]] | None = None
    #: For several: one text for each record, and a sentence for all.
    bulk_consequences: Callable[[Sequence[RecordData]], tuple[Sequence[str], str]] | None = None
    #: When the deletion undoes a creation: what was set or assigned since, by its labels. It gets the path of the
    #: record and what the job of its creation gave it. ReadError when it cannot be read.
    set_since: Callable[[Mapping[str, str], RecordData, Context], Awaitable[Sequence[str]]] | None = None


@dataclass(frozen=True, kw_only=True)
class Display:
    """The views of the records."""

    columns: tuple[Column, ...] = ()
    #: The fields of the columns that the head of a record shows; none: the first columns after the name. Entries that
    #: an overview declares as `asked` come in their place.
    facts: tuple[str, ...] = ()
    #: The name of a record made of several fields; empty if one field is the name.
    called: Callable[[RecordData], str] = lambda record: ""
    #: A heading, and the sentences at the top of the detail view.
    says: tuple[str, Callable[[RecordData], Sequence[str]]] | None = None
    #: The message and its style after a synchronisation, from the record and the fields that were not saved.
    settled: Callable[[RecordData, Sequence[str]], tuple[str, str]] = lambda record, missed: ("", "")
    #: The message about a record that was changed elsewhere: the content of the event, the record as it was shown, and
    #: the name of its company.
    elsewhere: Callable[[RecordData, RecordData | None, str], str] = lambda content, before, company: ""
    #: The class of a special list view, and a function for a special view of one record.
    list_view: Callable[[], ListViewClass] | None = None
    record_view: Callable[[Place, Workspace, RecordData | None], TopView[Resource]] | None = None


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One kind of record. Operations are named by ID, so that their declarations are loaded only when needed."""

    kind: Kind
    title: str
    singular: str
    #: Other names that can be typed.
    aliases: tuple[str, ...] = ()
    #: What users call the records; found in the menu of places and in the palette.
    known_as: tuple[str, ...] = ()
    #: Several of its records in a sentence, if that is not the title.
    plural: str = ""
    #: Its name in the menu of places, if that is not the title.
    place_name: str = ""
    create: str = ""
    update: str = ""
    delete: str = ""
    label_field: str = "name"
    #: A field that distinguishes records of the same name in a picker.
    detail_field: str = ""
    #: Number key of the section, 0 for none.
    section: int = 0
    #: The query of all its lists.
    query: Mapping[str, Any] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    #: What must be chosen before the list can be read with a query; empty when nothing must.
    awaits: Callable[[Caller | None, Mapping[str, Any]], str] = lambda caller, query: ""
    subject: Callable[[RecordData, Caller], Subject] | None = None
    related: tuple[RelatedList, ...] = ()
    display: Display = Display()
    placement: Placement = Placement()
    editing: Editing = Editing()
    deletion: Deletion = Deletion()
    #: The report across companies that its rows are.
    report: Report | None = None

    def __post_init__(self) -> None:
        if current() != ENGLISH:
            # Singular and plural are one entry of the catalogue.
            several = plural(2, self.singular, self.plural or english_title_in_sentence(self.title))
            object.__setattr__(self, "plural", several)
            translated(self, "title", "singular", "place_name")

    def with_columns(self, columns: tuple[Column, ...]) -> Resource:
        """The same resource with other columns."""
        return replace(self, display=replace(self.display, columns=columns))

    def counted(self, number: int) -> str:
        """A number of its records, such as `2 applications`."""
        return counted(number, self.singular, self.plural or title_in_sentence(self.title))

    @property
    def name(self) -> str:
        """The name of the kind."""
        return self.kind.name

    @property
    def reading(self) -> str:
        """The operation that reads what its place shows."""
        return self.list or self.kind.get

    @property
    def list(self) -> str:
        """The operation of its list; empty when there is only one record."""
        return "" if self.placement.only else self.kind.list

    def place(self, record_id: str = "") -> Place:
        """The place of its list, or of one record."""
        id = record_id or self.placement.only
        return Place((self.name, id) if id else (self.name,))

    def path_at(self, place: Place, caller: Caller | None, record_id: str = "") -> dict[str, str]:
        """The path parameters of its operations at a place, with the ID of a record if there is one."""
        filled = {
            name: place.parents.get(kind) or KINDS[kind].own_id(caller) for name, kind in self.placement.path.items()
        }
        return {**filled, self.kind.parameter: record_id} if record_id and self.kind.parameter else filled

    def is_of_own_company(self, place: Place, caller: Caller | None) -> bool:
        """Whether the list is that of the caller's company, where the caller sees other companies too."""
        kinds = [KINDS[kind] for kind in self.placement.path.values() if kind not in place.parents]
        if self.kind.derived:
            # Its rows are of all companies; only their records have a company in the path.
            return False
        sees_others = caller is not None and bool(caller.roles - OWN_COMPANY_ONLY)
        return sees_others and any(kind.own == "company_id" for kind in kinds)

    def missing(self, place: Place) -> str:
        """The parent kind that a place lacks, such as for the paths of its operations; empty when it lacks none.

        The view of a resource with only one record asks for parents itself.
        """
        if self.placement.only:
            return ""
        needed = (*self.placement.path.values(), *filter(None, [self.placement.under]))
        return next((kind for kind in needed if kind not in place.parents and not KINDS[kind].own), "")

    def related_place(self, place: Place, record: RecordData, record_id: str = "") -> Place:
        """The place of a record (or of the list), referred to from another record or place."""
        above = place.records
        parts: list[str] = []
        for parameter, kind in self.placement.path.items():
            found = above.get(kind) or str(record.get(parameter) or "")
            parts += [kind, found] if found else []
        return Place((*parts, *self.place(record_id).parts))

    def path_to(self, record: RecordData, place: Place, caller: Caller | None) -> dict[str, str]:
        """The path parameters of a record that is shown at a place but may have other parents."""
        record_id = self.record_id(record)
        return self.path_at(self.related_place(place, record, record_id), caller, record_id)

    def query_at(self, place: Place) -> dict[str, Any]:
        """The query parameters for the parents of a place."""
        above = place.parents
        return {name: above[kind] for kind, name in self.placement.parents.items() if kind in above}

    def belongs_at(self, place: Place) -> Callable[[RecordData], bool] | None:
        """A check whether a record belongs to the list at a place; None when the service checks it."""
        above = [
            (belongs, place.parents[kind]) for kind, belongs in self.placement.within.items() if kind in place.parents
        ]
        return (lambda record: all(belongs(record, id) for belongs, id in above)) if above else None

    def label(self, record: RecordData) -> str:
        """The name of a record for users."""
        return self.display.called(record) or str(record.get(self.label_field) or self.record_id(record) or "?")

    @property
    def singular_title(self) -> str:
        """The name of one record as a title: `CloudPBX`, `API key`."""
        return self.singular[:1].upper() + self.singular[1:]

    def record_id(self, record: RecordData) -> str:
        """The ID of a record."""
        return str(record.get(self.kind.id) or "")
