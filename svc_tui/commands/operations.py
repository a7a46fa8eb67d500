"""`svc-tui operations`: the catalogue of the interface, straight from its declaration."""

from __future__ import annotations

from typing import Any

from svc_tui.commands.options import AsJson
from svc_tui.interface.access import Role
from svc_tui.interface.catalogue import AREAS, area_of, operations_of
from svc_tui.interface.catalogue import operations as all_operations
from svc_tui.interface.operations import AnyOperation


def operations(*, json: AsJson = False) -> None:
    """Every operation of the interface, and who may call it."""
    from svc_tui.commands import output

    if json:
        output.json_document([entry(operation) for operation in all_operations()])
        return
    for place, area in enumerate(AREAS):
        output.line(("\n" if place else "") + area.upper())
        rows = [_row(operation) for operation in operations_of(area).values()]
        output.table(rows, ("id", "method", "path", "who"), heading=False)


def entry(operation: AnyOperation) -> dict[str, Any]:
    """One operation as scripts read it."""
    return {
        "id": operation.id,
        "area": area_of(operation.id),
        "method": operation.method,
        "path": operation.path,
        "who": operation.who.as_text(),
        "deprecated": bool(operation.deprecated),
    }


def _row(operation: AnyOperation) -> dict[str, Any]:
    reach = operation.who.as_text()
    who = "everyone" if len(reach) == len(Role) else ", ".join(reach)
    return {
        "id": operation.id,
        "method": operation.method,
        "path": operation.path,
        "who": "deprecated" if operation.deprecated else who,
    }
