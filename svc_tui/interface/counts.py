"""A number with its noun."""

from __future__ import annotations

from svc_tui.language import number_text, plural


def counted(number: int, one: str, several: str = "") -> str:
    """`1 row`, `12,345 rows`; `several` for a plural that does not only add an s."""
    return f"{number_text(number)} {plural(number, one, several or one + 's')}"
