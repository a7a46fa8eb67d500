"""The outer shape of responses: what a script believes must at least be what the operation declares.

Fields of records are not checked: a deployment can be newer than the declaration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, get_origin

from svc_tui.client import responses, retry
from svc_tui.client.errors import InvalidResponse
from svc_tui.interface.envelopes import Page
from svc_tui.interface.field_specs import fields_of, record_in
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import Record
from svc_tui.language import _

_NO_CONTENT = 204


@dataclass(frozen=True, slots=True)
class _Answer:
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


def check_shape(operation: AnyOperation, status: int, body: Any, *, whole: bool = False) -> None:
    """InvalidResponse for a body of another shape than declared; OutcomeUnknown where the operation changes something.

    `whole`: a page must also have the total of its list.
    """
    wrong = "" if operation.gives else _wrong(operation, status, body, whole)
    if wrong:
        error = InvalidResponse(_("The response of {id} {wrong}. Check base_url.").format(id=operation.id, wrong=wrong))
        raise error if retry.repeatable(operation) else responses.outcome_unknown(operation, error)


def _wrong(operation: AnyOperation, status: int, body: Any, whole: bool) -> str:
    """How the shape differs; empty when it does not."""
    answer = _answer_of(operation)
    if status == _NO_CONTENT:
        answer = replace(answer, declared=False)
    # The response to a login is bare or in `data`.
    inside = "data" not in answer.required and not answer.data and isinstance(body, dict)
    fields = body["data"] if inside and isinstance(body.get("data"), dict) else body
    return answer.difference(fields, whole=whole)


def _answer_of(operation: AnyOperation) -> _Answer:
    """The outer shape of an operation's response, as far as it is declared."""
    result: Any = operation.result
    kind = get_origin(result) or result
    if kind is list:
        return _Answer(bare=True, records=record_in(result) is not None)
    if not isinstance(kind, type) or not issubclass(kind, Record):
        return _Answer()
    required = tuple(spec.wire for spec in fields_of(kind) if spec.required)
    data: Any = kind.model_fields["data"].annotation if "data" in kind.model_fields else None
    if get_origin(data) is list:
        return _Answer(True, required, "list", record_in(data) is not None, total=issubclass(kind, Page))
    one = isinstance(data, type) and issubclass(data, Record)
    return _Answer(True, required, "record" if one else "")
