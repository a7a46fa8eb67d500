"""Identifiers of records in queries and bodies."""

from __future__ import annotations

from svc_tui.interface.problems import Problem
from svc_tui.server.parsing import id_pattern
from svc_tui.server.refusal import invalid


def checked_id(param: str, value: str, *, like: str = "") -> str:
    """The identifier, of the same form as the path parameter `like`. Refusal 400000 for a text that is none."""
    if not id_pattern(like or param).fullmatch(value):
        raise invalid(Problem(param, "is not an identifier", value))
    return value
