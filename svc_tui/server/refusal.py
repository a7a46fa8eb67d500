"""Refusals: what a rule raises when it says no; the application turns it into the error body (section 7)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.errors import Code, error_body
from svc_tui.interface.problems import Problem


class Refusal(Exception):
    """The service says no. `details` is a sentence or the list of broken rules; none is the code's own sentence."""

    def __init__(self, code: Code, details: str | list[dict[str, Any]] | None = None) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details

    def body(self) -> dict[str, Any]:
        return error_body(self.code, self.details)


def invalid(*problems: Problem) -> Refusal:
    """400000 with its broken rules."""
    return Refusal(Code.VALIDATION, [problem.wire() for problem in problems])


def not_found(thing: str, id: str, code: Code = Code.NOT_FOUND) -> Refusal:
    """404000 (or 404001, 404002) for a record that is not there."""
    return Refusal(code, f"{thing} with id {id} not found")
