"""`svc-tui operations`: the catalogue of the API or one operation of it, read from the declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from svc_tui.commands import output
from svc_tui.commands.options import AsJson
from svc_tui.interface.access import Role
from svc_tui.interface.paths import readable
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import operation_details, request
    from svc_tui.interface import catalogue
    from svc_tui.interface.operations import AnyOperation
else:
    operation_details = lazy_import("svc_tui.commands.operation_details")
    request = lazy_import("svc_tui.commands.request")
    catalogue = lazy_import("svc_tui.interface.catalogue")


def operations(
    name: Annotated[str, Parameter(show_default=False, help="ID of an operation, to show its parameters.")] = "",
    /,
    *,
    json: AsJson = False,
) -> None:
    """List the operations of the API with their roles, or show one with its parameters and body."""
    if name:
        operation = request.named(name)
        if json:
            output.write_json(operation_details.details(operation))
        else:
            operation_details.write(operation)
        return
    if json:
        output.write_json([entry(operation) for operation in catalogue.operations()])
        return
    by_area: dict[str, list[dict[str, Any]]] = {}
    for operation in catalogue.operations():
        by_area.setdefault(catalogue.specified_area_of(operation.id), []).append(_row(operation))
    for place, (area, rows) in enumerate(by_area.items()):
        output.write_line(("\n" if place else "") + area.upper())
        output.write_table(rows, ("id", "method", "path", "who"), heading=False)


def entry(operation: AnyOperation) -> dict[str, Any]:
    """One operation in the JSON document."""
    return {
        "id": operation.id,
        "area": catalogue.specified_area_of(operation.id),
        "method": operation.method,
        "path": readable(operation.path),
        "who": operation.who.as_text(),
        "deprecated": bool(operation.deprecated),
    }


def _row(operation: AnyOperation) -> dict[str, Any]:
    roles = operation.who.as_text()
    who = "everyone" if len(roles) == len(Role) else ", ".join(roles)
    return {
        "id": operation.id,
        "method": operation.method,
        "path": readable(operation.path),
        "who": "deprecated" if operation.deprecated else who,
    }
