"""Outlines of operations: what rights and reading calls need of a declaration, from a table that loads quickly.

The declarations of one area load in a fifth of a second. The table `outlines.json` is generated from them by
`python -m docs.making.outlines`; a test fails if it is outdated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.fast_dataclasses import dataclass
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.interface import access
    from svc_tui.interface.access import Access
else:
    access = lazy_import("svc_tui.interface.access")

TABLE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class Answer:
    """The outer shape of a response: an object with these fields and, in `data`, a list or one record.

    `data` is list, record or empty (anything). `records`: the entries of the list are objects. `total`: it is one page
    of a list. `bare` is a list without an object around it.
    """

    declared: bool = False
    required: tuple[str, ...] = ()
    data: str = ""
    records: bool = False
    total: bool = False
    bare: bool = False

    def difference(self, body: Any, *, whole: bool = False) -> str:
        """How a body differs; empty when it does not. `whole`: a page must also have the total of its list."""
        if self.bare:
            return "" if self._is_list(body) else "is not a list of records"
        if not isinstance(body, dict):
            return "is not an object"
        if self.declared and not body:
            return "is empty"
        for name in self.required:
            if name not in body:
                return f"has no {name}"
        data = body.get("data")
        if self.data == "list" and not self._is_list(data):
            return "has no list of records"
        if self.data == "record" and not isinstance(data, dict):
            return "has no record"
        total = body.get("total", None if whole else 0)
        if self.total and (not isinstance(total, int) or isinstance(total, bool)):
            return "has no number of records"
        return ""

    def _is_list(self, data: Any) -> bool:
        return isinstance(data, list) and (not self.records or all(isinstance(each, dict) for each in data))


@dataclass(frozen=True, slots=True)
class Outline:
    """An operation in brief; `module` of its area declares it.

    `query` holds the parameters whose values can be checked without the declaration: a pattern, or the smallest and
    largest whole number. `answer` is None for an operation that changes something, or that takes or gives anything but
    JSON. `small` are the wire names in the small format of the records in its response.
    """

    id: str
    area: str
    module: str
    path: str
    query: Mapping[str, str | list[float | None]]
    answer: Answer | None
    small: tuple[str, ...]

    def accepts(self, name: str, value: str) -> bool:
        """Whether a value of the query is certainly valid."""
        values = self.query.get(name)
        if values is None:
            return False
        if isinstance(values, str):
            return re.fullmatch(values, value) is not None
        low, high = values
        whole = re.fullmatch("-?[0-9]{1,15}", value) is not None
        return whole and (low is None or low <= int(value)) and (high is None or int(value) <= high)


@cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
    return table


def outline_of(operation_id: str) -> Outline | None:
    """The outline of an operation; None for an unknown one."""
    found = _table().get(operation_id)
    if found is None:
        return None
    answer = found["answer"]
    shape = None if answer is None else Answer(**{**answer, "required": tuple(answer["required"])})
    return Outline(
        operation_id,
        found["area"],
        found["module"],
        found["path"],
        found["query"],
        shape,
        tuple(found["small"]),
    )


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
