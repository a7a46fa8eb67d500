"""Comma-separated values in queries."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.problems import Problem
from svc_tui.server.refusal import invalid


def words_of(text: str | None) -> list[str]:
    """The values of a comma-separated text, without blanks around them."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def known_words_of(param: str, text: str | None, known: Sequence[str]) -> list[str]:
    """The values of a comma-separated parameter. Refusal 400000 for an unknown value."""
    words = words_of(text)
    for word in words:
        if word not in known:
            raise invalid(Problem(param, f"must be one of {', '.join(known)}", word))
    return words
