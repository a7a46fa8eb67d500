"""Texts about a field: help, problems, and how it is edited."""

from __future__ import annotations

from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.language import _

#: A line below a form; a warning has a style.
Hint = str | Piece


def joined(*parts: str) -> str:
    """Texts about a field in one line."""
    return " · ".join(part for part in parts if part)


def warned(text: str) -> Hint:
    """A problem in the style of a warning; empty for none."""
    return Piece(text, "warn") if text else ""


def how_edited(spec: FieldSpec, replaces: bool = False) -> str:
    """How a field is edited; the keys are placeholders. `replaces`: what is typed replaces its value."""
    if spec.facet.refers:
        return _("{enter_field} searches")
    return {
        "choice": _("{next_value} changes, {enter_field} lists all"),
        "boolean": _("{next_value} changes, {yes} and {no} set"),
        "text": _("typing replaces the value, end edits it") if replaces else "",
        "texts": _("{enter_field} edits, one per line"),
        "choices": _("{enter_field} adds and removes"),
        "object": _("{enter_field} edits"),
        "objects": _("{enter_field} edits"),
        "date": "YYYY-MM-DD",
        "datetime": _("{day} or {moment}").format(day="YYYY-MM-DD", moment="YYYY-MM-DDTHH:MM:SSZ"),
    }.get(spec.kind, "")
