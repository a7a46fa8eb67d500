"""Texts about a field: help, problems, and how it is edited."""

from __future__ import annotations

from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.records import FieldSpec

#: A line below a form; one with a style stands out from the help.
Hint = str | Piece


def joined(*parts: str) -> str:
    """What there is to say of a field, in one line."""
    return " · ".join(part for part in parts if part)


def warned(text: str) -> Hint:
    """What is wrong, in the colour of a warning; nothing of nothing."""
    return Piece(text, "warn") if text else ""


def how_edited(spec: FieldSpec) -> str:
    """With which keys a field is changed."""
    if spec.facet.refers:
        return "enter searches"
    return {
        "choice": "space or ← → changes, enter lists",
        "boolean": "space changes, y or n",
        "texts": "enter edits, one a line",
        "choices": "enter edits, one a line",
        "object": "enter edits",
        "objects": "enter edits",
        "date": "YYYY-MM-DD",
        "datetime": "YYYY-MM-DD, or with a time YYYY-MM-DDTHH:MM:SSZ",
    }.get(spec.kind, "")
