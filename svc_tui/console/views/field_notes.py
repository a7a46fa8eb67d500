"""Notes of a form beside the value of its field: the name of a record, minutes in words, a short constraint."""

from __future__ import annotations

from typing import Any

from svc_tui.console.core.form import Form
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import minutes_in_words
from svc_tui.interface.field_specs import FieldSpec


def short_constraint(constraint: str) -> str:
    """A constraint that has room beside the value; empty for a long one."""
    return constraint if len(constraint) <= 24 else ""


def length_of_time(spec: FieldSpec, value: Any) -> str:
    """A field of at least an hour of minutes as `1 day 4 h`; empty for others."""
    if spec.facet.unit != "minutes" or isinstance(value, bool) or not isinstance(value, int) or value < 60:
        return ""
    return minutes_in_words(value)


def called(form: Form, wire: str) -> str:
    """The ID of a record whose name is the value, which differs between equal names; else the name beside an ID."""
    value = form.values.get(wire)
    if not isinstance(value, str) or form.name_of(wire, value):
        return safe_text(value).text if isinstance(value, str) else ""
    name = form.named.get(value, "")
    return safe_text(name).text if name != value else ""
