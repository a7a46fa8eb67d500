"""The outer shape of responses: what a script believes must at least be what the operation declares.

Fields of records are not checked: a deployment can be newer than the declaration.
"""

from __future__ import annotations

from typing import Any, get_origin

from svc_tui.client import responses, retry
from svc_tui.client.declared import record_in
from svc_tui.client.errors import InvalidResponse
from svc_tui.interface.envelopes import Page
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import Record

_NO_CONTENT = 204


def check_shape(operation: AnyOperation, status: int, body: Any, *, whole: bool = False) -> None:
    """InvalidResponse for a body of another shape than declared; OutcomeUnknown where the operation changes something.

    `whole`: a page must also have the total of its list.
    """
    wrong = "" if operation.gives else _wrong(operation, status, body, whole)
    if wrong:
        error = InvalidResponse(f"The response of {operation.id} {wrong}. Check base_url.")
        raise error if retry.repeatable(operation) else responses.outcome_unknown(operation, error)


def _wrong(operation: AnyOperation, status: int, body: Any, whole: bool) -> str:
    """How the shape differs; empty when it does not."""
    result: Any = operation.result
    kind = get_origin(result) or result
    if kind is list:
        return "" if _is_list(body, result) else "is not a list of records"
    if not isinstance(body, dict):
        return "is not an object"
    if not isinstance(kind, type) or not issubclass(kind, Record):
        return ""
    if not body and status != _NO_CONTENT:
        return "is empty"
    # The response to a login is bare or in `data`.
    fields = body["data"] if "data" not in kind.model_fields and isinstance(body.get("data"), dict) else body
    for name, declared in kind.model_fields.items():
        wire = declared.alias or name
        if declared.is_required() and wire not in fields:
            return f"has no {wire}"
    return _wrong_data(kind, body, whole) if "data" in kind.model_fields else ""


def _wrong_data(kind: type[Record], body: dict[str, Any], whole: bool) -> str:
    declared: Any = kind.model_fields["data"].annotation
    data = body.get("data")
    if get_origin(declared) is list and not _is_list(data, declared):
        return "has no list of records"
    if isinstance(declared, type) and issubclass(declared, Record) and not isinstance(data, dict):
        return "has no record"
    total = body.get("total", None if whole else 0)
    if issubclass(kind, Page) and (not isinstance(total, int) or isinstance(total, bool)):
        return "has no number of records"
    return ""


def _is_list(data: Any, declared: Any) -> bool:
    """Whether this is a list, of objects where records are declared."""
    return isinstance(data, list) and (record_in(declared) is None or all(isinstance(each, dict) for each in data))
