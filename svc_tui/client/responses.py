"""From what came over the wire to an answer or a typed refusal (section 7)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from svc_tui.client.errors import InvalidResponse, LoginRefused, Refused, SessionEnded, plain
from svc_tui.client.masking import mask_text, placeholder
from svc_tui.interface.errors import JWT_EXPIRED, MESSAGES, SENTENCES, Code
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.interface.problems import Problem

#: Refusals of section 5.6 and its completion: they speak of a login, not of a session.
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


def check_place(host: str, status: int, headers: Mapping[str, str]) -> None:
    """InvalidResponse when the answer sends us elsewhere: credentials are never carried to another address."""
    if 300 <= status < 400:
        place = mask_text(headers.get("location", "another address"))
        raise InvalidResponse(f"{host} sends requests on to {place}: base_url should name the service itself.")


def decode(host: str, headers: Mapping[str, str], body: bytes) -> Any:
    """The JSON value of an answer; an empty body is an empty object. InvalidResponse when it is none."""
    if not body.strip():
        return {}
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        if "html" in headers.get("content-type", "") or body.lstrip()[:1] == b"<":
            said = f"{host} answered with a web page: check base_url, or whether this network asks for a login first."
        else:
            said = f"The answer of {host} is not JSON: check base_url."
        raise InvalidResponse(said) from error


def check_type(host: str, operation: AnyOperation, headers: Mapping[str, str], size: int) -> None:
    """InvalidResponse when an answer of so many bytes that should be no JSON is nothing that the operation gives."""
    said = headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in operation.gives or not size:
        what = said if said and size else "nothing"
        raise InvalidResponse(
            f"{host} answered with {plain(what, 60)} instead of {' or '.join(operation.gives)}: check base_url."
        )


def refusal(operation: AnyOperation, status: int, body: Any, request_id: str, wait: float | None = None) -> Refused:
    """The typed error behind an error answer. `wait` is what Retry-After asked for, in seconds."""
    fields = body if isinstance(body, dict) else {}
    code = _code(fields.get("errorDetailsCode"))
    details = fields.get("errorDetails")
    problems = tuple(_problems(details))
    message = mask_text(details) if isinstance(details, str) else ""
    sentence = _sentence(status, code, plain(message, 200), problems, request_id, wait)
    kind = _kind(operation, status, code)
    return kind(sentence, status=status, code=code, message=message, problems=problems, request_id=request_id)


def _kind(operation: AnyOperation, status: int, code: int | None) -> type[Refused]:
    if operation.credentials is Credentials.LOGIN and status in (401, 403):
        return LoginRefused
    if code in _OF_A_LOGIN:
        return LoginRefused
    if status == 401:
        return SessionEnded
    return Refused


def _code(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value[:9])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _problems(details: Any) -> list[Problem]:
    entries = details if isinstance(details, list) else [details]
    return [_problem(entry) for entry in entries if isinstance(entry, dict) and ("param" in entry or "msg" in entry)]


def _problem(entry: dict[str, Any]) -> Problem:
    param = plain(str(entry.get("param") or ""), 100)
    message = plain(mask_text(str(entry.get("msg") or "is not accepted")), 200)
    secret = placeholder(param.rpartition(".")[2]) is not None
    return Problem(param, message, None if secret else entry.get("value"))


def _sentence(
    status: int, code: int | None, message: str, problems: tuple[Problem, ...], request_id: str, wait: float | None
) -> str:
    if status == 429:
        return f"The service asks for fewer requests; try again in {_span(wait)}."
    if status >= 500 and code not in SENTENCES:
        return _own_trouble(status, request_id, wait)
    if problems:
        listed = "; ".join(f"{problem.param or 'a value'}: {problem.msg}" for problem in problems[:_MOST_PROBLEMS])
        more = len(problems) - _MOST_PROBLEMS
        return f"The service did not accept {listed}{f'; and {more} more' if more > 0 else ''}."
    if status == 401 and message == JWT_EXPIRED:
        return "The session has ended: log in again."
    known = SENTENCES.get(Code(code)) if code in SENTENCES else None
    if known is None:
        said = message.rstrip(".") or MESSAGES.get(status, f"status {status}")
        return f"The service refused ({code or status}): {said}."
    return known if not message or message.rstrip(".") == known.rstrip(".") else f"{known} ({message})"


def _own_trouble(status: int, request_id: str, wait: float | None) -> str:
    what = "is not available for the moment" if status in (502, 503, 504) else "has a fault of its own"
    search = f" (request id {plain(request_id, 60)})" if request_id else ""
    return f"The service {what}, status {status}{search}: try again in {_span(wait)}."


def _span(seconds: float | None) -> str:
    if seconds is None:
        return "a while"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
