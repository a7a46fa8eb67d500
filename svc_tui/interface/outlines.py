"""Outlines of operations: what rights need of a declaration, from a table that loads quickly.

The declarations of one area load in a fifth of a second. The table `outlines.json` is generated from them by
`python -m docs.making.outlines`; a test fails if it is outdated.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.interface import access
    from svc_tui.interface.access import Access
else:
    access = lazy_import("svc_tui.interface.access")

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
    table: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
    return table


def outline_of(operation_id: str) -> Outline | None:
    """The outline of an operation; None for an unknown one."""
    found = _table().get(operation_id)
    if found is None:
        return None
    return Outline(operation_id, found["area"], found["module"], found["path"])


def path_of(operation_id: str) -> str:
    """The path of an operation. KeyError for an unknown one."""
    return str(_table()[operation_id]["path"])


@dataclass(frozen=True, slots=True)
class Rights:
    """Whether an operation only reads, and who may call it."""

    reads: bool
    who: Access


@cache
def rights_of(operation_id: str) -> Rights | None:
    """The rights of an operation; None for an unknown one."""
    found = _table().get(operation_id)
    if found is None:
        return None
    reaches: dict[str, list[str]] | None = found["who"]
    if reaches is None:
        return Rights(found["reads"], access.ANONYMOUS)
    roles = {access.Reach(reach): [access.Role(name) for name in names] for reach, names in reaches.items()}
    return Rights(found["reads"], access.access(**{reach.value: named for reach, named in roles.items()}))
