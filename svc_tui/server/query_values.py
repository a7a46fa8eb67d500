"""Comma-separated values in queries."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.server.refusal import Refusal, invalid

_MOST_WORDS = 500


def words_of(text: str | None, *, most: int = _MOST_WORDS) -> list[str]:
    """The values of a comma-separated text, without blanks around them. Refusal 400000 for more than `most`."""
    words = [word.strip() for word in (text or "").split(",") if word.strip()]
    if len(words) > most:
        raise Refusal(Code.VALIDATION, f"a list in the query has more than {most} values")
    return words


def known_values(param: str, text: str | None, known: Sequence[str]) -> list[str]:
    """The values of a comma-separated parameter. Refusal 400000 for an unknown value."""
    words = words_of(text)
    for word in words:
        if word not in known:
            raise invalid(Problem(param, f"must be one of {', '.join(known)}", word))
    return words
