"""What a body holds, as it is stored: the declared fields that were sent, at every depth."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record, fields_of
from svc_tui.server.clock import stamp
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.store.tables import Document


def given(body: Record) -> Document:
    """The declared fields that were sent; null stands for 'none'. Unknown ones are left out."""
    specs = fields_of(type(body))
    return {spec.wire: _stored(getattr(body, spec.name)) for spec in specs if spec.name in body.model_fields_set}


def _stored(value: Any) -> Any:
    if isinstance(value, Record):
        return given(value)
    if isinstance(value, list):
        return [_stored(each) for each in value]
    return stamp(value) if isinstance(value, datetime) else value


def changes(body: Record, *kept: str) -> Document:
    """The fields that an update changes. Refusal 400100 without any, 400000 for null in what must have a value."""
    values = given(body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    if empty := [wire for wire in kept if wire in values and values[wire] is None]:
        raise invalid(*(Problem(wire, "must not be empty") for wire in empty))
    return values


def merged(old: Document, values: Document) -> Document:
    """A record with these values: an object changes what it names, null takes a field away."""
    found = dict(old)
    for wire, value in values.items():
        if value is None:
            found.pop(wire, None)
        elif isinstance(value, dict):
            inner = found.get(wire)
            found[wire] = merged(inner if isinstance(inner, dict) else {}, value)
        else:
            found[wire] = value
    return found
