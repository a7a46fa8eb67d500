"""Texts about a field: help, problems, and how it is edited; and the search for fields by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.access import Role, any_of
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


def matching(specs: Sequence[FieldSpec], text: str) -> list[FieldSpec]:
    """The fields with every word of a text in label, wire name, group, help or choices."""
    words = text.casefold().split()
    return [
        spec for spec in specs if all(word in _searchable(spec.wire, spec.facet.group, _texts(spec)) for word in words)
    ]


def _texts(spec: FieldSpec) -> str:
    return " ".join((spec.label, spec.facet.help, spec.facet.deprecated, *spec.choices))


@cache
def _searchable(wire: str, group: str, texts: str) -> str:
    return f"{wire}\n{group}\n{texts}".casefold()


def declaration(spec: FieldSpec) -> str:
    """Wire name, default, roles that may set and read it, condition and deprecation of a field."""
    return " · ".join(
        part
        for part in (
            spec.wire,
            _("default {default}").format(default=value_text(spec.default, spec))
            if spec.default not in (None, "", [])
            else "",
            setters(spec),
            readers(spec),
            spec.condition,
            _("deprecated: {deprecated}").format(deprecated=spec.facet.deprecated) if spec.facet.deprecated else "",
        )
        if part
    )


def readers(spec: FieldSpec) -> str:
    """The roles that read a field; empty when everyone does who reads the record."""
    if spec.facet.readers is None:
        return ""
    return _("read by {roles}").format(roles=any_of(spec.facet.readers.roles()))


def setters(spec: FieldSpec) -> str:
    """The roles that may set a field; empty when every administrator may."""
    if spec.facet.setters is None:
        return ""
    return _("set by {roles}").format(roles=any_of(role for role in Role if role in spec.facet.setters))
