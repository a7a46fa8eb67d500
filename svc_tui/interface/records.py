"""Records, and the description of their fields for forms, server and reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticUndefined

from svc_tui.interface.constraints import choices_text, length_text, most_text, range_text
from svc_tui.interface.fields import Facet, Needs, Provided
from svc_tui.interface.labels import label_of
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.interface import value_words
else:
    value_words = lazy_import("svc_tui.interface.value_words")

ReadFormat = Literal["small", "medium", "full"]


def record_in(annotation: Any) -> type[Record] | None:
    """The record in an annotation: directly, in an option, or as what a list or an object has. None without one."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((found for part in get_args(annotation) if (found := record_in(part)) is not None), None)


def wire_name(name: str) -> str:
    """The alias rule: `login_email` is `loginEmail` on the wire."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


@dataclass(frozen=True, slots=True)
class Belongs:
    """The fields that say whose a record is: its user, company, CloudPBX and sites, the first that is set of each."""

    user: tuple[str, ...] = ("ownerId", "userId")
    company: tuple[str, ...] = ("companyId", "ownedByCompany")
    system: tuple[str, ...] = ("systemId",)
    site: tuple[str, ...] = ("siteId",)


class Record(BaseModel):
    """Base of all records. Unknown fields are kept: a deployment can be newer than this declaration."""

    model_config = ConfigDict(
        alias_generator=wire_name,
        populate_by_name=True,
        extra="allow",
        defer_build=True,
        use_enum_values=True,
    )

    #: Wire names in the small and medium formats. Other fields are in `full` only.
    SMALL: ClassVar[tuple[str, ...]] = ()
    MEDIUM: ClassVar[tuple[str, ...]] = ()
    #: Wire names that are in each response, in every format.
    ALWAYS: ClassVar[tuple[str, ...]] = ()
    #: Wire names that the full format has only where they apply; unset ones of all others are null or an empty list.
    #: None: the full format has only fields that are set.
    WHERE_APPLICABLE: ClassVar[tuple[str, ...] | None] = None
    #: Whose it is, on which the readers of its fields depend.
    BELONGS: ClassVar[Belongs] = Belongs()

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler, /) -> dict[str, Any]:
        described = handler(core)
        if cls.ALWAYS and handler.mode == "serialization":
            whole = handler.resolve_ref_schema(described)
            whole["required"] = sorted({*whole.get("required", ()), *cls.ALWAYS})
        return described

    def wire(self) -> dict[str, Any]:
        """The fields that were set, under their wire names, as JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    @classmethod
    def shown(cls, record: dict[str, Any], format: str = "small") -> dict[str, Any]:
        """One record in the given read format."""
        names = names_of(cls, format)
        return dict(record) if names is None else {name: record[name] for name in names if name in record}

    @classmethod
    def answered(cls, record: dict[str, Any], format: str = "small") -> dict[str, Any]:
        """One stored record as the service answers it: all fields of the format, unset ones null or an empty list.

        What the record does not declare, the service has stored for itself.
        """
        declared = field_by_wire(cls)
        shown = {name: value for name, value in cls.shown(record, format).items() if name in declared}
        for name, is_list in _answered(cls, format):
            if shown.get(name) is None:
                shown[name] = [] if is_list else None
        return shown


@cache
def names_of(model: type[Record], format: str) -> tuple[str, ...] | None:
    """The wire names in a read format. None for the full one, which has all fields."""
    if format == "full" or not model.SMALL:
        return None
    return model.SMALL if format == "small" or not model.MEDIUM else model.MEDIUM


@cache
def _answered(model: type[Record], format: str) -> tuple[tuple[str, bool], ...]:
    """The wire names that each answer in this format has, and whether they are lists."""
    lists = {spec.wire: spec.kind in _LISTS for spec in fields_of(model)}
    names = names_of(model, format)
    if names is None:
        sometimes = {spec.wire for spec in fields_of(model) if spec.facet.only_in is not None}
        where = model.WHERE_APPLICABLE
        names = () if where is None else tuple(name for name in lists if name not in {*sometimes, *where})
    return tuple((name, lists[name]) for name in names)


def _single_text_as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


#: Public clients send a single text for a list of one.
TextList = Annotated[list[str], BeforeValidator(_single_text_as_list)]


@dataclass(frozen=True, slots=True)
class Holds:
    """The record in an object that is typed as a plain one: `Annotated[dict[str, Any], Holds(User)]`."""

    model: type[Record]


FieldKind = Literal[
    "text", "integer", "number", "boolean", "choice", "date", "datetime", "texts", "choices", "object", "objects"
]
_LISTS: tuple[FieldKind, ...] = ("texts", "choices", "objects")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """Description of a declared field. Lengths in characters, `most_items` in entries."""

    name: str
    wire: str
    kind: FieldKind
    required: bool
    default: Any
    facet: Facet
    #: The record that it is a field of.
    model: type[Record]
    choices: tuple[str, ...] = ()
    min_length: int | None = None
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    most_items: int | None = None
    annotation: Any = None

    @property
    def label(self) -> str:
        """The label on screens: `SSO authentication redirect URL` for `ssoAuthenticationRedirectUrl`."""
        return self.facet.label or label_of(self.wire)

    @property
    def condition(self) -> str:
        """The condition under which it can be set, with labels. Empty without one."""
        return self.in_words(self.facet.needs) if self.facet.needs else ""

    def in_words(self, condition: Needs | Provided) -> str:
        """A condition on the field with the labels of its record: `only when Business partner (BP) is yes`."""
        wire = condition.needs.wire if isinstance(condition, Provided) else condition.wire
        other = field_by_wire(self.model).get(wire)
        return condition.in_words(other.label if other else label_of(wire), other.words if other else {})

    @property
    def record(self) -> type[Record] | None:
        """The declared record of an object, or of the entries of a list or an object; None when it is not declared."""
        return record_in(self.annotation)

    @property
    def words(self) -> Mapping[str, str]:
        """The words for its values; a choice that explains itself, such as `EUR`, has none."""
        return value_words.words_of(self.choices, self.facet.choices)

    def worded(self, value: object) -> str:
        """A value of a choice in words, as screens show it; the value itself where it has none."""
        return value_words.capitalised(self.words.get(str(value)) or value_words.word(value))

    @property
    def constraint(self) -> str:
        """The constraint in a few words, with choices as the API writes them. Empty without one."""
        return self._constraint(self.choices)

    @property
    def constraint_in_words(self) -> str:
        """The constraint with choices in words."""
        return self._constraint([self.words.get(choice, choice) for choice in self.choices])

    def _constraint(self, choices: Sequence[str]) -> str:
        said = (
            choices_text(choices, one=self.kind == "choice"),
            length_text(self.min_length, self.max_length),
            range_text(self.minimum, self.maximum, self.facet.unit),
            most_text(self.most_items),
        )
        return ", ".join(filter(None, said))


@cache
def fields_of(model: type[Record]) -> tuple[FieldSpec, ...]:
    """All declared fields of a record, in their order."""
    return tuple(_spec(model, name, info) for name, info in model.model_fields.items())


@cache
def field_by_wire(model: type[Record]) -> dict[str, FieldSpec]:
    """The declared fields of a record by their wire names."""
    return {spec.wire: spec for spec in fields_of(model)}


def _spec(model: type[Record], name: str, info: FieldInfo) -> FieldSpec:
    facet = next((item for item in info.metadata if isinstance(item, Facet)), Facet())
    kind, choices = _kind(info.annotation)
    limits: dict[str, Any] = {}
    for item in info.metadata:
        for short, name_here in (
            ("ge", "minimum"),
            ("le", "maximum"),
            ("min_length", "min_length"),
            ("max_length", "max_length"),
            ("pattern", "pattern"),
        ):
            found = getattr(item, short, None)
            if found is not None:
                limits[name_here] = found
    if kind in _LISTS:
        limits["most_items"] = limits.pop("max_length", None)
        limits.pop("min_length", None)
    return FieldSpec(
        name=name,
        wire=info.alias or wire_name(name),
        kind=kind,
        required=info.is_required(),
        default=None if info.default is PydanticUndefined else info.default,
        facet=facet,
        model=model,
        choices=choices,
        annotation=info.annotation,
        **limits,
    )


def _kind(annotation: Any) -> tuple[FieldKind, tuple[str, ...]]:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kind(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return _kind(next(part for part in get_args(annotation) if part is not NoneType))
    if origin is Literal:
        return "choice", tuple(str(value) for value in get_args(annotation))
    if origin is list:
        kind, choices = _kind(get_args(annotation)[0])
        if kind == "choice":
            return "choices", choices
        return ("objects" if kind == "object" else "texts"), ()
    if isinstance(annotation, type):
        if issubclass(annotation, Enum):
            return "choice", tuple(str(member.value) for member in annotation)
        for known, kind_name in _SIMPLE:
            if issubclass(annotation, known):
                return kind_name, ()
    return "object", ()


_SIMPLE: tuple[tuple[type, FieldKind], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (datetime, "datetime"),
    (date, "date"),
    (str, "text"),
)
