"""The description of the fields of records, for forms, server and reference. The caller has the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from svc_tui.interface import value_words
from svc_tui.interface.fields import Facet, Needs, Provided
from svc_tui.interface.labels import label_of
from svc_tui.language import _

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo


def choices_text(choices: Sequence[str], *, one: bool) -> str:
    """The values that can be chosen: one of them, or any."""
    if not choices:
        return ""
    several = _("one of ") if one else _("any of ")
    between = "; " if any("," in choice for choice in choices) else ", "
    return (several if len(choices) > 1 else _("only ")) + between.join(choices)


def length_text(least: int | None, most: int | None) -> str:
    """The length of a text."""
    if most is None:
        return ""
    return _("{min_length}..{max_length} characters").format(min_length=least or 0, max_length=most)


def range_text(minimum: float | None, maximum: float | None, unit: str) -> str:
    """The smallest and the largest number."""
    if minimum is None and maximum is None:
        return ""
    low, high = (f"{each:.15g}" if each is not None else "" for each in (minimum, maximum))
    if low and high:
        within = f"{low}..{high}"
    else:
        within = _("at least {low}").format(low=low) if low else _("at most {high}").format(high=high)
    return f"{within} {_(unit)}".rstrip()


def most_text(most: int | None) -> str:
    """The number of items of a list."""
    return "" if most is None else _("at most {most_items}").format(most_items=most)


ReadFormat = Literal["small", "medium", "full"]


def wire_name(name: str) -> str:
    """The alias rule: `login_email` is `loginEmail` on the wire."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def record_in(annotation: Any) -> Any:
    """The record in an annotation: directly, in an option, or as what a list or an object has. None without one."""
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return annotation
    return next((found for part in get_args(annotation) if (found := record_in(part)) is not None), None)


def records_in(annotation: Any, named: bool = False) -> Iterator[tuple[Any, bool]]:
    """The records in `T`, `T | None`, `list[T]`, `dict[str, T]` or what `Holds`, and whether they are values of an
    object with free names."""
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        yield annotation, named
    elif hasattr(annotation, "model"):
        yield annotation.model, named
    else:
        free = get_origin(annotation) is dict
        for part in get_args(annotation):
            yield from records_in(part, named or free)


#: Names of fields that hold IDs or addresses for programs.
_IDENTIFIES = re.compile(r"^id$|^jid_|^latin_name$|(Id|Ids|Uid|URI|CRDid|_id)$")

FieldKind = Literal[
    "text", "integer", "number", "boolean", "choice", "date", "datetime", "texts", "choices", "object", "objects"
]
#: The kinds with several values.
LISTS: tuple[FieldKind, ...] = ("texts", "choices", "objects")


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
    model: type[BaseModel]
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
    def identifies(self) -> bool:
        """Whether it holds an ID or an address or name for programs, such as a JID, and not a record by its name."""
        return self.kind in ("text", "texts") and not self.facet.refers and bool(_IDENTIFIES.search(self.wire))

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
    def record(self) -> Any:
        """The declared record of an object, or of the entries of a list or an object; None when it is not declared."""
        return record_in(self.annotation)

    @property
    def words(self) -> Mapping[str, str]:
        """The words for its values; a choice that explains itself, such as `EUR`, has none."""
        return value_words.words_of(self.choices, self.facet.choices)

    def worded(self, value: object) -> str:
        """A value of a choice in words, as screens show it; the value itself where it has none."""
        return value_words.capitalised(self.words.get(str(value)) or value_words.word(value))

    def named_in(self, record: Mapping[str, Any]) -> str:
        """The field of a record that names what this field identifies, such as `companyName`; empty without one."""
        return next((wire for wire in self.facet.named_by if record.get(wire)), "") if record.get(self.wire) else ""

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
            "; ".join(f"{value}: {word}" for value, word in self.facet.choices) if self.kind == "integer" else "",
        )
        return ", ".join(filter(None, said))


@cache
def fields_of(model: type[BaseModel]) -> tuple[FieldSpec, ...]:
    """All declared fields of a record, in their order."""
    return tuple(_spec(model, name, info) for name, info in model.model_fields.items())


@cache
def field_by_wire(model: type[BaseModel]) -> dict[str, FieldSpec]:
    """The declared fields of a record by their wire names."""
    return {spec.wire: spec for spec in fields_of(model)}


def _spec(model: type[BaseModel], name: str, info: FieldInfo) -> FieldSpec:
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
    if kind in LISTS:
        limits["most_items"] = limits.pop("max_length", None)
        limits.pop("min_length", None)
    return FieldSpec(
        name=name,
        wire=info.alias or wire_name(name),
        kind=kind,
        required=info.is_required(),
        default=None if info.is_required() or info.default_factory else info.default,
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
