"""Validation in words: the same sentences beside a form field and in a 400 body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from svc_tui.interface.access import Role, needs
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.interface.texts import IN_WORDS
from svc_tui.language import _, number_text
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import pydantic
    from pydantic import BaseModel, TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails
else:
    pydantic = lazy_import("pydantic")


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. `param` is the wire name of the field, with dots for nested fields."""

    param: str
    msg: str
    value: Any = None

    def wire(self) -> dict[str, Any]:
        return {"param": self.param, "msg": self.msg, "value": self.value}


def problems_of(model: type[BaseModel], values: Mapping[str, Any]) -> list[Problem]:
    """Every problem of a body or query. Empty when it is valid."""
    try:
        model.model_validate(dict(values))
    except pydantic.ValidationError as error:
        return problems_from(error)
    return []


def problems_from(error: ValidationError) -> list[Problem]:
    """The errors of pydantic as problems."""
    return [
        Problem(".".join(str(part) for part in item["loc"]), _sentence(item), _short(item.get("input")))
        for item in error.errors(include_url=False)
    ]


#: Longest texts in characters, and most items of a list, where the specification has no limit of its own.
LONGEST_LINE, LONGEST_TEXT, MOST_ITEMS = 4_096, 16_384, 1_000


def longest_of(spec: FieldSpec | None) -> int:
    """The most characters of a text of a field. None: an unknown field."""
    longest = LONGEST_TEXT if spec is None or spec.facet.multiline else LONGEST_LINE
    return max(longest, (spec and spec.max_length) or 0)


def most_of(spec: FieldSpec | None) -> int:
    """The most items of a list of a field. None: an unknown field."""
    return max(MOST_ITEMS, (spec and spec.most_items) or 0)


def too_long(spec: FieldSpec | None, value: Any) -> str:
    """Why a value is longer than any field of its kind, as a sentence; empty if it is not. None: an unknown field."""
    if isinstance(value, str):
        if len(value) > longest_of(spec):
            return _("must have at most {longest} characters").format(longest=number_text(longest_of(spec)))
    elif isinstance(value, list):
        if len(value) > most_of(spec):
            return _("must have at most {most_items} items").format(most_items=number_text(most_of(spec)))
        return next(filter(None, (too_long(spec, each) for each in value)), "")
    return ""


@cache
def _adapter(model: type[BaseModel], wire: str) -> TypeAdapter[Any]:
    info = model.model_fields[field_by_wire(model)[wire].name]
    declared: Any = Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation
    return pydantic.TypeAdapter(declared)


def problem_of(model: type[BaseModel], wire: str, value: Any) -> str:
    """The problem of a field's value, as a sentence. Empty when the value is valid."""
    try:
        _adapter(model, wire).validate_python(value)
    except pydantic.ValidationError as error:
        return problems_from(error)[0].msg
    return ""


def choice_value(spec: FieldSpec, text: str) -> Any:
    """The value of a query parameter from its text: a number where the choices are numbers, otherwise the text."""
    return int(text) if spec.kind == "choice" and re.fullmatch(r"-?[0-9]{1,9}", text) else text


def normalised(model: type[BaseModel], wire: str, value: Any) -> Any:
    """A text in the notation of its declaration. Anything else, and an invalid text, stays unchanged."""
    if not isinstance(value, str):
        return value
    try:
        read = _adapter(model, wire).validate_python(value)
    except pydantic.ValidationError:
        return value
    return read if isinstance(read, str) else value


def why_not_settable(spec: FieldSpec, roles: frozenset[Role]) -> str:
    """The reason why these roles cannot set the field (`needs superadmin`). Empty when they can."""
    setters = spec.facet.setters
    if setters is None or roles & setters:
        return ""
    return needs(role for role in Role if role in setters)


def _short(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool, type(None))) else None


def _sentence(item: ErrorDetails) -> str:
    context = item.get("ctx") or {}
    match item["type"]:
        case "missing":
            return _("is required")
        case "string_too_short" if context["min_length"] == 1:
            return _("must not be empty")
        case "string_too_short":
            return _("needs at least {min_length} characters").format(min_length=context["min_length"])
        case "string_too_long":
            return _("has more than {max_length} characters").format(max_length=context["max_length"])
        case "greater_than_equal":
            return _("must be {ge} or more").format(ge=context["ge"])
        case "less_than_equal":
            return _("must be {le} or less").format(le=context["le"])
        case "too_short" if context["min_length"] == 1:
            return _("must not be empty")
        case "too_long":
            return _("has more than {max_length} entries").format(max_length=context["max_length"])
        case "literal_error" | "enum":
            return _("must be one of {expected}").format(
                expected=context["expected"].replace(chr(39), "").replace(" or ", ", ")
            )
        case "string_pattern_mismatch":
            form = IN_WORDS.get(context["pattern"])
            return _("must be {form}").format(form=form) if form else _("does not have the right format")
        case "bool_parsing" | "bool_type":
            return _("must be true or false")
        case "int_parsing" | "int_type" | "int_from_float" | "finite_number":
            return _("must be a whole number")
        case "float_parsing" | "float_type" | "decimal_parsing" | "decimal_type":
            return _("must be a number")
        case "int_parsing_size":
            return _("is too large a number")
        case "string_type" | "string_unicode":
            return _("must be text")
        case "list_type":
            return _("must be a list")
        case "dict_type" | "model_type":
            return _("must be an object")
        case "value_error":
            return str(context["error"])
        case kind if kind.startswith(("date", "datetime", "time")):
            return _("must be a date") + (_(" and time (ISO 8601)") if kind.startswith("datetime") else " (YYYY-MM-DD)")
        case _:
            return str(item["msg"])
