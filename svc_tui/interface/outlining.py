"""Outlines of operations, made from their declarations (see `outlines`)."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from svc_tui.interface.access import Access, Reach, Role
from svc_tui.interface.catalogue import AREAS, operations_of


def table() -> dict[str, dict[str, Any]]:
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
