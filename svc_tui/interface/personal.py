"""What may be shown of a record to readers who must not see personal data, by the declaration of its fields.

A field that is declared `personal` or `secret` is masked, and so is a value that does not fit the type of its field.
What is not declared is left out with its name: a deployment can be newer than this declaration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.interface.field_specs import FieldKind, FieldSpec, field_by_wire, records_in

if TYPE_CHECKING:
    from svc_tui.interface.records import Record

#: Stands for a value that is not shown.
MASKED = "•••"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?")


def open_field(model: type[Record] | None, path: str) -> FieldSpec | None:
    """The field at a path (`cloudpbx.language`) if it holds no personal data and no secret; None otherwise."""
    name, _, rest = path.partition(".")
    spec = field_by_wire(model).get(name) if model is not None else None
    if spec is None or spec.facet.secret or spec.facet.personal:
        return None
    if not rest:
        return None if spec.kind in ("object", "objects") else spec
    inner = (open_field(each, rest) for each, named in records_in(spec.annotation) if not named)
    return next(filter(None, inner), None)


def shown(model: type[Record] | None, record: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a record, or of some of its fields by wire names, with `MASKED` for values that are not shown."""
    declared = field_by_wire(model) if model is not None else {}
    return {name: _shown(declared[name], value) for name, value in record.items() if name in declared}


def _shown(spec: FieldSpec, value: Any) -> Any:
    if value is None or value in ("", []):
        return value
    if spec.facet.secret or spec.facet.personal:
        return MASKED
    if isinstance(value, list):
        return [_single(spec, each) for each in value] if spec.kind in ("texts", "choices", "objects") else MASKED
    return _single(spec, value)


def _single(spec: FieldSpec, value: Any) -> Any:
    """One value of a field that may be shown, if it is what the field holds."""
    if isinstance(value, Mapping):
        # The names in an object without declared fields may be personal too.
        inner = [model for model, named in records_in(spec.annotation) if not named]
        return shown(inner[0], value) if inner else MASKED
    return value if spec.kind in _FITS and _FITS[spec.kind](spec, value) else MASKED


def _is_number(_: FieldSpec, value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_choice(spec: FieldSpec, value: Any) -> bool:
    return value in spec.choices


def _is_date(_: FieldSpec, value: Any) -> bool:
    return isinstance(value, str) and bool(_DATE.fullmatch(value))


def _is_text(_: FieldSpec, value: Any) -> bool:
    return isinstance(value, str)


_FITS: Mapping[FieldKind, Callable[[FieldSpec, Any], bool]] = {
    "boolean": lambda _, value: isinstance(value, bool),
    "integer": _is_number,
    "number": _is_number,
    "choice": _is_choice,
    "choices": _is_choice,
    "date": _is_date,
    "datetime": _is_date,
    "text": _is_text,
    "texts": _is_text,
}
