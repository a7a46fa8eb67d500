"""Outlines of operations, made from their declarations (see `outlines`)."""

from __future__ import annotations

import re
from dataclasses import asdict
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_args, get_origin

from annotated_types import Ge, Le

from svc_tui.interface.access import Access, Reach, Role
from svc_tui.interface.catalogue import AREAS, operations_of, record_of
from svc_tui.interface.envelopes import Page
from svc_tui.interface.fields import Facet
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.interface.outlines import Answer
from svc_tui.interface.records import FieldSpec, Record, fields_of

_ANY = r"[\s\S]*"


def table() -> dict[str, dict[str, Any]]:
    """The outlines of all operations by ID."""
    return {
        operation.id: {
            "area": area,
            "module": _module_of(area, operation.id),
            "path": operation.path,
            "reads": operation.reads,
            "who": _reaches(operation.who),
            "query": _query(operation),
            "answer": asdict(answer_of(operation)) if _reads_json(operation) else None,
            "small": list(record.SMALL) if (record := record_of(f"{area}.{operation.id}")) else [],
        }
        for area in AREAS
        for operation in operations_of(area).values()
    }


def _module_of(area: str, operation_id: str) -> str:
    """The module of an area that declares an operation."""
    package = import_module(f"svc_tui.interface.{area}")
    modules = (import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__))
    (name,) = (module.__name__ for module in modules if operation_id in getattr(module, "__all__", ()))
    return name.rpartition(".")[2]


def _reaches(who: Access) -> dict[str, list[str]] | None:
    """Reach -> the roles that have it; None when no login is needed."""
    if who.anonymous:
        return None
    return {
        reach: [role for role in Role if reach in who.reaches.get(role, ())] for reach in Reach if reach in who.of(Role)
    }


def _reads_json(operation: AnyOperation) -> bool:
    """Whether it only reads, as the caller, and its request is complete without required parameters."""
    query: type[Record] = operation.query
    plain = not (operation.takes or operation.gives or operation.sends_body)
    complete = not any(spec.required for spec in fields_of(query))
    reads = operation.method == "GET" and operation.reads
    return plain and complete and reads and operation.credentials is Credentials.CALLER


def answer_of(operation: AnyOperation) -> Answer:
    """The outer shape of an operation's response, as far as it is declared."""
    result: Any = operation.result
    kind = get_origin(result) or result
    if kind is list:
        return Answer(bare=True, records=_record_in(result))
    if not isinstance(kind, type) or not issubclass(kind, Record):
        return Answer()
    required = tuple(spec.wire for spec in fields_of(kind) if spec.required)
    data: Any = kind.model_fields["data"].annotation if "data" in kind.model_fields else None
    if get_origin(data) is list:
        return Answer(True, required, "list", _record_in(data), total=issubclass(kind, Page))
    one = isinstance(data, type) and issubclass(data, Record)
    return Answer(True, required, "record" if one else "")


def _record_in(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return True
    return any(_record_in(part) for part in get_args(annotation))


def _query(operation: AnyOperation) -> dict[str, str | list[float | None]]:
    """Parameter -> pattern or range of its valid values, for those that need no more to be checked."""
    model: type[Record] = operation.query
    checks = model.__pydantic_decorators__
    if checks.field_validators or checks.model_validators or checks.root_validators or checks.validators:
        return {}
    found = {spec.wire: _values(model, spec) for spec in fields_of(model)}
    return {wire: values for wire, values in found.items() if values}


def _values(model: type[Record], spec: FieldSpec) -> str | list[float | None]:
    """The range of a whole number, or the pattern of a text, a choice of texts or a yes or no without other
    constraints; empty for anything else."""
    simple = [part for part in (get_args(spec.annotation) or (spec.annotation,)) if part is not type(None)]
    constraints = [item for item in model.model_fields[spec.name].metadata if not isinstance(item, Facet)]
    if spec.kind == "integer" and simple == [int] and all(isinstance(item, Ge | Le) for item in constraints):
        return [spec.minimum, spec.maximum]
    if constraints:
        return ""
    match spec.kind:
        case "text" if simple == [str]:
            return _ANY
        case "boolean" if simple == [bool]:
            return "true|false"
        case "choice" if all(isinstance(value, str) for value in simple):
            return "|".join(re.escape(choice) for choice in spec.choices)
    return ""
