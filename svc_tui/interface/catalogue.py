"""The catalogue: every area and its operations. The module of an operation is loaded at its first use. The table of
`outlines` is made from it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, get_origin

from svc_tui.interface.access import Access, Reach, Role
from svc_tui.interface.field_specs import field_by_wire, record_in
from svc_tui.interface.outlines import outline_of, path_of
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.interface import operations as declaring
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.interface.records import Record
else:
    declaring = lazy_import("svc_tui.interface.operations")


AREAS = (
    "authentication",
    "applications",
    "companies",
    "customisation",
    "images",
    "directory",
    "metrics",
    "subscriptions",
    "invoicing",
    "voice",
    "audit",
)


def declared_in(area: str) -> list[Any]:
    """What the modules of an area declare for others: their records, operations and values."""
    package = import_module(f"svc_tui.interface.{area}")
    modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
    return [getattr(module, name) for module in modules for name in getattr(module, "__all__", ())]


@cache
def operations_of(area: str) -> dict[str, AnyOperation]:
    """The operations of one area by id, in the order of their declaration."""
    found = [value for value in declared_in(area) if isinstance(value, declaring.Operation)]
    return {operation.id: operation for operation in found}


def operations() -> list[AnyOperation]:
    """All operations of all areas."""
    return [operation for area in AREAS for operation in operations_of(area).values()]


@cache
def area_of(operation_id: str) -> str:
    """The area that declares an operation. KeyError when there is none."""
    outline = outline_of(operation_id)
    return outline.area if outline is not None else _found_by_importing(operation_id)[0]


def specified_area_of(operation_id: str) -> str:
    """The area that the specification counts an operation to: 4.4 has templates and splash screens of companies."""
    area = area_of(operation_id)
    if area == "customisation" or (area == "images" and "/companies/{companyId}/splashscreen" in path_of(operation_id)):
        return "companies"
    return area


def usage_group_of(operation_id: str) -> str:
    """The group of an operation in the usage of applications: the one of its area, otherwise technical."""
    group: str = getattr(import_module(f"svc_tui.interface.{area_of(operation_id)}"), "USAGE_GROUP", "technical")
    return group


def operation(operation_id: str) -> AnyOperation:
    """The operation with this id, with or without its area as a prefix. KeyError when there is none.

    Without the prefix, only the module that declares it is loaded: the records of a whole area take up to 3 MB.
    """
    area, _, name = operation_id.rpartition(".")
    if area in AREAS:
        return operations_of(area)[name]
    if (outline := outline_of(name)) is not None:
        try:
            found: AnyOperation = getattr(import_module(f"svc_tui.interface.{outline.area}.{outline.module}"), name)
        except (ModuleNotFoundError, AttributeError):
            # It was moved since the table was generated.
            pass
        else:
            return found
    return _found_by_importing(name)[1]


def _found_by_importing(operation_id: str) -> tuple[str, AnyOperation]:
    """The area and the declaration of an operation that the table of outlines does not know. KeyError for none."""
    for area in AREAS:
        if operation_id in (declared := operations_of(area)):
            return area, declared[operation_id]
    raise KeyError(operation_id)


def body_of(operation_id: str) -> type[Record]:
    """The declared body of an operation."""
    found: type[Record] = operation(operation_id).body
    return found


def query_of(operation_id: str) -> type[Record]:
    """The declared query of an operation."""
    found: type[Record] = operation(operation_id).query
    return found


def record_of(operation_id: str) -> type[Record] | None:
    """The record in the `data` of an operation's response, or in its list. None when there is none."""
    result = operation(operation_id).result
    data = getattr(result, "model_fields", {}).get("data")
    return record_in(data.annotation if data else result) if data or get_origin(result) is list else None


def record_at(operation_id: str, field: str) -> type[Record]:
    """The record in a field of what an operation returns, such as `officehours.exceptions`."""
    found: Any = record_of(operation_id)
    for wire in field.split("."):
        found = record_in(field_by_wire(found)[wire].annotation)
    record: type[Record] = found
    return record


def outline_table() -> dict[str, dict[str, Any]]:
    """The outlines of all operations by ID."""
    return {
        operation.id: {
            "area": area,
            "module": _module_of(area, operation.id),
            "path": operation.path,
            "reads": operation.reads,
            "who": _reaches(operation.who),
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
