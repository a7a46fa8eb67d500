"""Values in bodies and queries: as they are stored, records changed by them, lists of words, and identifiers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any

from svc_tui.interface.access import Caller, Subject, decide
from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import FieldSpec, field_by_wire, fields_of
from svc_tui.interface.problems import Problem, why_not_settable
from svc_tui.interface.records import Record
from svc_tui.server.http.parsing import id_pattern
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.store.tables import Document

_MOST_WORDS = 500


def values_of(body: Record) -> Document:
    """The declared fields of the request, at every depth. Null removes a value. Unknown fields are left out."""
    specs = fields_of(type(body))
    return {spec.wire: _stored(getattr(body, spec.name)) for spec in specs if spec.name in body.model_fields_set}


def non_null_values(body: Record) -> Document:
    """The declared fields of the request that are not null."""
    return {wire: value for wire, value in values_of(body).items() if value is not None}


def update_of(body: Record, *required: str) -> Document:
    """The fields that an update changes. Refusal 400100 without any, 400000 for null in a required field."""
    values = values_of(body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    if empty := [wire for wire in required if wire in values and values[wire] is None]:
        raise invalid(*(Problem(wire, "must not be empty") for wire in empty))
    return values


def check_setters(body: Record, values: Document, caller: Caller, subject: Subject | None = None) -> None:
    """Refuse (403000) the fields of the body that the caller may not set, each with the required roles.

    `subject` is the record, where that depends on whose it is.
    """
    specs = field_by_wire(type(body))
    problems = [
        Problem(wire, reason, None if specs[wire].facet.secret else value)
        for wire, value in values.items()
        if (reason := _why_not_settable(specs[wire], caller, subject))
    ]
    if problems:
        raise Refusal(Code.ROLE_MISSING, [problem.wire() for problem in problems])


def _why_not_settable(spec: FieldSpec, caller: Caller, subject: Subject | None) -> str:
    within = spec.facet.within
    reason = why_not_settable(spec, caller.roles)
    if reason or within is None or subject is None:
        return reason
    decision = decide(within, caller, subject)
    return "" if decision else decision.reason


def unavailable(model: type[Record], values: Document, within: str = "") -> list[Problem]:
    """The given values of fields that need another value of another field, as their declaration says."""
    found = ((spec, values.get(spec.wire)) for spec in fields_of(model))
    return [
        Problem(f"{within}{spec.wire}", f"is available {spec.facet.needs}", value)
        for spec, value in found
        if spec.facet.needs is not None and value not in (None, False) and not spec.facet.needs.met(values)
    ]


def with_values(document: Document, values: Document, *, defaults: Document, required: Collection[str]) -> Document:
    """The document with these values; null restores the default. Refusal 400000 for null in a required field."""
    changed = {**document, **values}
    for wire in (wire for wire, value in values.items() if value is None):
        if wire in required:
            raise invalid(Problem(wire, "must not be empty"))
        if wire in defaults:
            changed[wire] = defaults[wire]
        else:
            del changed[wire]
    return changed


def merged(document: Document, values: Document) -> Document:
    """The document with these values. Objects are merged; null removes a field."""
    found = dict(document)
    for wire, value in values.items():
        if value is None:
            found.pop(wire, None)
        elif isinstance(value, dict):
            inner = found.get(wire)
            found[wire] = merged(inner if isinstance(inner, dict) else {}, value)
        else:
            found[wire] = value
    return found


def _stored(value: Any) -> Any:
    if isinstance(value, Record):
        return values_of(value)
    if isinstance(value, list):
        return [_stored(each) for each in value]
    if isinstance(value, datetime):
        return stamp(value)
    return value.isoformat() if isinstance(value, date) else value


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


def checked_id(param: str, value: str, *, like: str = "") -> str:
    """The identifier, of the same form as the path parameter `like`. Refusal 400000 for a text that is none."""
    if not id_pattern(like or param).fullmatch(value):
        raise invalid(Problem(param, "is not an identifier", value))
    return value
