"""The areas of the workspace and the console, one line each, and all kinds of records by name and by operation."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType

from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.search_rule import SearchRule

#: The areas, in the order of their sections: the only place that names them. An area has a module in this package with
#: KINDS, and maybe PARTS and SEARCH_RULES, and a package in `svc_tui.console.areas`.
AREAS = (
    "applications",
    "authentication",
    "companies",
    "subscriptions",
    "invoices",
    "voice",
    "directory",
    "metrics",
    "audit",
)


def _declared(name: str) -> dict[str, Kind]:
    """The kinds of one name in the modules of all areas."""
    return {kind.name: kind for module in _modules() for kind in getattr(module, name, ())}


def _modules() -> list[ModuleType]:
    return [import_module(f"svc_tui.workspace.kinds.{area}") for area in AREAS]


_KINDS = _declared("KINDS")
KINDS: Mapping[str, Kind] = MappingProxyType(_KINDS)
#: Objects inside a record that have an operation that changes them, and none that reads them.
_PARTS = _declared("PARTS")
#: How records are found by a text, in the order in which they are shown.
SEARCH_RULES: tuple[SearchRule, ...] = tuple(
    sorted((each for module in _modules() for each in getattr(module, "SEARCH_RULES", ())), key=lambda each: each.order)
)
_BY_OPERATION = {operation: kind for kind in KINDS.values() if not kind.derived for operation in (kind.list, kind.get)}


def register(kind: Kind) -> None:
    """Add a derived kind of a plug-in. It does not change which kind an operation belongs to."""
    _KINDS[kind.name] = kind


def kind_of(operation_id: str) -> Kind:
    """The kind that an operation lists or reads, or a part of a record by its name.

    An operation that belongs to no kind is its own kind.
    """
    name = operation_id.rpartition(".")[2]
    return _BY_OPERATION.get(name) or _PARTS.get(name) or Kind(name, name, name)
