"""From a raw response to a decoded body or a typed error (section 7), and the outer shape of responses: what a script
believes must at least be what the operation declares.

Fields of records are not checked: a deployment can be newer than the declaration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_origin

from svc_tui.client import retry
from svc_tui.client.errors import (
    Conflict,
    Forbidden,
    InvalidResponse,
    LoginRefused,
    NotFound,
    OutcomeUnknown,
    RateLimited,
    Refused,
    SessionEnded,
    ValidationFailed,
    plain,
)
from svc_tui.client.masking import mask_text, placeholder
from svc_tui.interface.access import reason_translated
from svc_tui.interface.envelopes import Page
from svc_tui.interface.errors import JWT_EXPIRED, MESSAGES, SENTENCES, Code
from svc_tui.interface.field_specs import fields_of, record_in
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.language import _

#: Refusals of a login (section 5.6), not of a session.
_OF_A_LOGIN = frozenset(
    {
        Code.WRONG_CREDENTIALS,
        Code.LOCKED,
        Code.VOICE_ONLY,
        Code.ID_TOKEN_NOT_VERIFIED,
        Code.CLIENT_TOO_OLD,
    }
)
_MOST_PROBLEMS = 4
#: The class of an error by its HTTP status, where programs react to it.
_OF_STATUS: dict[int, type[Refused]] = {
    400: ValidationFailed,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}


def check_place(host: str, status: int, headers: Mapping[str, str]) -> None:
    """InvalidResponse for a redirect: credentials are never sent to another address."""
    if 300 <= status < 400:
        place = mask_text(headers.get("location", _("another address")))
        raise InvalidResponse(
            _("{host} redirects to {place}. Set base_url to the address of the service itself.").format(
                host=host, place=place
            )
        )


def decode(host: str, headers: Mapping[str, str], body: bytes) -> Any:
    """The JSON value of a response; an empty body is an empty object. InvalidResponse when it is not JSON."""
    if not body.strip():
        return {}
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        if "html" in headers.get("content-type", "") or body.lstrip()[:1] == b"<":
            reason = _(
                "{host} responded with a web page. Check base_url, and whether this network needs a login."
            ).format(host=host)
        else:
            reason = _("The response of {host} is not JSON. Check base_url.").format(host=host)
        raise InvalidResponse(reason) from error


def check_type(host: str, operation: AnyOperation, headers: Mapping[str, str], size: int) -> None:
    """InvalidResponse when a response that is not JSON is empty or has another content type than the operation."""
    said = headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in operation.gives or not size:
        what = said if said and size else "nothing"
        raise InvalidResponse(
            _("{host} responded with {plain} instead of {gives}. Check base_url.").format(
                host=host, plain=plain(what, 60), gives=_(" or ").join(operation.gives)
            )
        )


def outcome_unknown(operation: AnyOperation, why: Exception | str) -> OutcomeUnknown:
    """The error of a change whose response is missing or cannot be believed."""
    said = str(why).rstrip(".")
    what = operation.summary.partition(":")[0]
    return OutcomeUnknown(
        _("“{what}” was sent, but its outcome is unknown. Check before you try again. {said}.").format(
            what=what, said=said
        )
    )


def refusal(operation: AnyOperation, status: int, body: Any, request_id: str, wait: float | None = None) -> Refused:
    """The typed error of an error response. `wait` is the Retry-After, in seconds."""
    fields = body if isinstance(body, dict) else {}
    code = _code(fields.get("errorDetailsCode"))
    # The token endpoint of OAuth has the fields of RFC 6749.
    details = fields.get("errorDetails") or fields.get("error_description")
    problems = tuple(_problems(details))
    message = mask_text(details) if isinstance(details, str) else ""
    sentence = _sentence(status, code, plain(reason_translated(message), 200), problems, request_id, wait)
    if status in (404, 405, 501) and code is None and operation.extension:
        sentence = _("This service does not offer {extension}, an extension of svc-tui's own server.").format(
            extension=operation.extension
        )
    kind = _kind(operation, status, code)
    refused = kind(sentence, status=status, code=code, message=message, problems=problems, request_id=request_id)
    if isinstance(refused, RateLimited):
        refused.retry_after = wait
    return refused


def _kind(operation: AnyOperation, status: int, code: int | None) -> type[Refused]:
    if operation.credentials is Credentials.LOGIN and status in (401, 403):
        return LoginRefused
    if code in _OF_A_LOGIN:
        return LoginRefused
    if status == 401 and operation.credentials is not Credentials.APPLICATION:
        return SessionEnded
    # The token endpoint of OAuth has no codes: what it refuses with 400 is no field.
    return Refused if status == 400 and code is None else _OF_STATUS.get(status, Refused)


def _code(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value[:9])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _problems(details: Any) -> list[Problem]:
    entries = details if isinstance(details, list) else [details]
    return [_problem(entry) for entry in entries if isinstance(entry, dict) and ("param" in entry or "msg" in entry)]


def _problem(entry: dict[str, Any]) -> Problem:
    param = plain(str(entry.get("param") or ""), 100)
    message = plain(mask_text(str(entry.get("msg") or _("is not accepted"))), 200)
    secret = placeholder(param.rpartition(".")[2]) is not None
    return Problem(param, message, None if secret else entry.get("value"))


def _sentence(
    status: int, code: int | None, message: str, problems: tuple[Problem, ...], request_id: str, wait: float | None
) -> str:
    if status == 429:
        return _("Too many requests. Try again {later}.").format(later=_later(wait))
    if status >= 500 and code not in SENTENCES:
        return _server_error(status, request_id, wait)
    if problems:
        listed = "; ".join(f"{problem.param or _('a value')}: {problem.msg}" for problem in problems[:_MOST_PROBLEMS])
        more = len(problems) - _MOST_PROBLEMS
        return _("The service did not accept {listed}{more}.").format(
            listed=listed, more=_("; and {more} more").format(more=more) if more > 0 else ""
        )
    if status == 401 and message == JWT_EXPIRED:
        return _("Session expired. Log in to continue.")
    known = SENTENCES.get(Code(code)) if code in SENTENCES else None
    if known is None:
        reason = message.rstrip(".") or MESSAGES.get(status, _("status {status}").format(status=status))
        return _("The service refused ({code}): {reason}.").format(code=code or status, reason=reason)
    if not message or message.rstrip(".") == known.rstrip("."):
        return known
    return f"{known} ({message})" if ". " in known else f"{known.rstrip('.')}: {message.rstrip('.')}."


def _server_error(status: int, request_id: str, wait: float | None) -> str:
    what = _("The service is unavailable") if status in (502, 503, 504) else _("The service reports an internal error")
    search = _(", request ID {plain}").format(plain=plain(request_id, 60)) if request_id else ""
    return _("{what} (status {status}{search}). Try again {later}.").format(
        what=what, status=status, search=search, later=_later(wait)
    )


def _later(seconds: float | None) -> str:
    if seconds is None:
        return _("later")
    return (
        _("in {seconds:.0f} s").format(seconds=seconds)
        if seconds < 120
        else _("in {seconds:.0f} minutes").format(seconds=seconds / 60)
    )


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
        raise error if retry.repeatable(operation) else outcome_unknown(operation, error)


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
