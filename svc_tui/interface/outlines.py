"""Outlines of operations: what rights need of a declaration, from a table that loads quickly.

The declarations of one area load in a fifth of a second. The table `outlines.json` is generated from them by
`python -m docs.making.outlines`; a test fails if it is outdated. An outdated one does no harm: a declaration that
is loaded answers itself, and one that the table lacks is found by importing.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.interface import access

if TYPE_CHECKING:
    from svc_tui.interface.access import Access

TABLE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class Outline:
    """An operation in brief; `module` of its area declares it."""

    id: str
    area: str
    module: str
    path: str


@cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]]
    try:
        table = json.loads(TABLE.read_text("utf-8"))
    except (OSError, ValueError):
        table = import_module("svc_tui.interface.catalogue").outline_table()
    return table


def _declared(operation_id: str) -> Any:
    """The declaration of an operation, if it is loaded."""
    found = _table().get(operation_id)
    module = sys.modules.get(f"svc_tui.interface.{found['area']}.{found['module']}") if found else None
    return getattr(module, operation_id, None)


def outline_of(operation_id: str) -> Outline | None:
    """The outline of an operation; None for an unknown one."""
    found = _table().get(operation_id)
    if found is None:
        return None
    return Outline(operation_id, found["area"], found["module"], path_of(operation_id))


def path_of(operation_id: str) -> str:
    """The path of an operation. KeyError for an unknown one."""
    declared = _declared(operation_id)
    return str(declared.path if declared is not None else _table()[operation_id]["path"])


@dataclass(frozen=True, slots=True)
class Rights:
    """Whether an operation only reads, and who may call it."""

    reads: bool
    who: Access


def rights_of(operation_id: str) -> Rights | None:
    """The rights of an operation; None for one that the table lacks."""
    declared = _declared(operation_id)
    return _tabled_rights(operation_id) if declared is None else Rights(declared.reads, declared.who)


@cache
def _tabled_rights(operation_id: str) -> Rights | None:
    found = _table().get(operation_id)
    if found is None:
        return None
    reaches: dict[str, list[str]] | None = found["who"]
    if reaches is None:
        return Rights(found["reads"], access.ANONYMOUS)
    roles = {access.Reach(reach): [access.Role(name) for name in names] for reach, names in reaches.items()}
    return Rights(found["reads"], access.access(**{reach.value: named for reach, named in roles.items()}))
