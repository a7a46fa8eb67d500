"""The outer shape of responses: what a script believes must at least be what the operation declares.

Fields of records are not checked: a deployment can be newer than the declaration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from svc_tui.client import responses, retry
from svc_tui.client.errors import InvalidResponse
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.outlining import answer_of
from svc_tui.language import _

_NO_CONTENT = 204


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
    answer = answer_of(operation)
    if status == _NO_CONTENT:
        answer = replace(answer, declared=False)
    # The response to a login is bare or in `data`.
    inside = "data" not in answer.required and not answer.data and isinstance(body, dict)
    fields = body["data"] if inside and isinstance(body.get("data"), dict) else body
    return answer.difference(fields, whole=whole)
