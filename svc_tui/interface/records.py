"""Records: the base of every declared record. What describes their fields is in `field_specs`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler, PlainSerializer
from pydantic_core import CoreSchema

from svc_tui.interface.field_specs import LISTS, field_by_wire, fields_of, wire_name


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
        for name, is_list in fields_given(cls, format):
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
def fields_given(model: type[Record], format: str) -> tuple[tuple[str, bool], ...]:
    """The wire names that each answer in this format has, and whether they are lists."""
    lists = {spec.wire: spec.kind in LISTS for spec in fields_of(model)}
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


#: A decimal amount. JSON has binary numbers only: the shortest text of a number is the intended amount.
Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]
