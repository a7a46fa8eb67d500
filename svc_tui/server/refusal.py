"""Refusals: a rule raises one, and the application responds with its error body (section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.interface.errors import Code, error_body
from svc_tui.interface.problems import Problem


class Refusal(Exception):
    """The service refuses the request. `details` is a sentence or the problems; without it, the code's sentence."""

    #: Headers of the response.
    headers: Mapping[str, str] = {}

    def __init__(self, code: Code, details: str | list[dict[str, Any]] | None = None) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details

    def body(self) -> dict[str, Any]:
        return error_body(self.code, self.details)


class TooManyRequests(Refusal):
    """429000, with the time after which the client may try again."""

    def __init__(self, seconds: int, sentence: str | None = None) -> None:
        super().__init__(Code.TOO_MANY_REQUESTS, sentence)
        self.headers = {"retry-after": str(seconds)}


def invalid(*problems: Problem) -> Refusal:
    """400000 with its problems."""
    return Refusal(Code.VALIDATION, [problem.wire() for problem in problems])


def not_found(thing: str, id: str, code: Code = Code.NOT_FOUND) -> Refusal:
    """404000 (or 404001, 404002) for a record that does not exist."""
    return Refusal(code, f"{thing} with id {id} not found")
