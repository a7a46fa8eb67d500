"""What a view, a request, a finding or a change is in a case: values without personal data, and beside them the rest.

IDs of the service are kept. A filter keeps the terms whose column the declaration allows to be seen and whose value is
an ID, a number, a time or one of the declared values. Of any other term the column and how it is compared are kept: a
typed text can be anything, also a name in a column of something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from svc_tui.cache.secrets import without_secrets
from svc_tui.console.core.call_line import CommandCall, call_line, shell_word
from svc_tui.console.core.changes import made_changes
from svc_tui.console.core.place_requests import filter_columns
from svc_tui.console.core.places import FIND, Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.widgets.list.columns import GARBLED
from svc_tui.interface import catalogue
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.interface.labels import label_of
from svc_tui.interface.personal import MASKED, open_field, shown
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS, kind_of
from svc_tui.workspace.lists.filters import parse

if TYPE_CHECKING:
    from svc_tui.client.call_log import LoggedCall
    from svc_tui.interface.errors import Finding
    from svc_tui.interface.records import Record
    from svc_tui.workspace.core.events import ChangeMade, Undo
    from svc_tui.workspace.files.cases import Step
    from svc_tui.workspace.kinds.kind import Kind
    from svc_tui.workspace.lists.terms import Term
    from svc_tui.workspace.workspace import Workspace

#: The values that all may see, and the personal ones.
Collected = tuple[dict[str, Any], dict[str, Any]]

#: An ID as the service makes them. Any other text in its place was typed, and can be a name, a number or a login.
_ID = re.compile(r"[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
#: What is typed into a column of numbers or dates.
_RANGE = re.compile(r"[<>=]{0,2}[\d.:TZ-]{1,40}")
_LONG_NUMBER = re.compile(r"\d{7,}")


def of_view(link: Link, resource: Resource | None, resources: Mapping[str, Resource]) -> Collected:
    """A view by its link."""
    if link.place.kind == FIND:
        return {"place": FIND}, {"place": str(link)}
    open_link, masked = _open_link(link, resource, resources)
    values: dict[str, Any] = {"place": str(open_link)}
    if masked:
        values["masked"] = masked
    return values, {"place": str(link)} if str(link) != str(open_link) else {}


def of_request(call: LoggedCall) -> Collected:
    """A request with its result. Its address and its bodies are left out: both can hold anything."""
    values: dict[str, Any] = {"operation": call.operation_id, "status": call.status or "-"}
    if call.status is not None and call.status >= 400 and (code := _code(call.response_body)):
        values["code"] = code
    if call.retry:
        values["retry"] = call.retry
    if _ID.fullmatch(call.request_id):
        values["request"] = call.request_id
    return values, {}


def of_finding(place: Place, finding: Finding, resources: Mapping[str, Resource]) -> Collected:
    """A finding by its rule, with the sentence, in which records have names."""
    values = of_view(Link(place), resources.get(place.kind), resources)[0]
    values |= {"field": f"{finding.kind}.{finding.field}", "effect": finding.effect, "rule": finding.rule}
    if finding.code:
        values["code"] = int(finding.code)
    if _ID.fullmatch(finding.record_id):
        values["id"] = finding.record_id
    return values, {"text": finding.sentence}


def of_test(values: Mapping[str, str], text: str) -> Collected:
    """A test of a number: IDs and the verdict, beside the number, its steps and the name of its record."""
    seen = {
        name: value if name in ("kind", "result") or _ID.fullmatch(value) else MASKED for name, value in values.items()
    }
    return seen, {"text": text}


def of_change(change: ChangeMade, workspace: Workspace) -> Collected:
    """A change with its old and new values, and the command that undoes it."""
    values: dict[str, Any] = {"operation": change.operation_id, **_open_path(change.path)}
    own: dict[str, Any] = dict(change.path)
    if change.undo is None:
        return values, own
    entry = change.undo
    if fields := _fields(entry, personal=False):
        values["fields"], own["fields"] = fields, _fields(entry, personal=True)
    body = None if entry.body is None else _open_record(entry, entry.body)
    words = ["svc-tui", "call", entry.operation_id]
    words += [shell_word(f"{name}={value}") for name, value in _open_path(entry.path).items()]
    if body:
        # Without its quotation marks a masked value is no JSON: the command is refused until the value is put in.
        written = json.dumps(body, ensure_ascii=False).replace(f'"{MASKED}"', MASKED)
        words += ["--body", shell_word(written)]
    values["undo"] = " ".join(words)
    own["undo"] = call_line(CommandCall(entry.operation_id, entry.path, {}, entry.body), workspace).text
    return values, own


def in_words(step: Step, personal: bool) -> list[str]:
    """A step as texts: of a change its record, the old and new value of each field, and the command that undoes it.

    A change of a file that is not as it should be is as it was written.
    """
    values = step.seen(personal)
    if step.what == "change":
        with suppress(*GARBLED, RecursionError):
            fields = values.pop("fields", {})
            # An exported case has them as JSON.
            fields = json.loads(fields) if isinstance(fields, str) else fields
            operation_id, undo = values.pop("operation"), values.pop("undo", "")
            made = made_changes(operation_id, {str(name): (old, new) for name, (old, new) in fields.items()})
            path = (f"{label_of(name)} {value}" for name, value in values.items())
            return [
                " · ".join((operation_id, *path)),
                *(f"{each.label}: {each.old} → {each.new}" for each in made),
                *([f"{_('Undo')}: {undo}"] if undo else []),
            ]
    return [step.text(personal)]


def _code(body: str) -> int | None:
    """The code of a refusal (section 1)."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    code = found.get("errorDetailsCode") if isinstance(found, dict) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _open_path(path: Mapping[str, str]) -> dict[str, str]:
    return {name: value if _ID.fullmatch(value) else MASKED for name, value in path.items()}


def _fields(entry: Undo, *, personal: bool) -> dict[str, list[Any]]:
    """Name -> the old and the new value of each changed field. Secrets are in neither."""
    names = entry.body if entry.body is not None else entry.after
    before, after = ({name: row.get(name) for name in names} for row in (entry.before, entry.after))
    if personal:
        before, after = (_without_secrets(entry, row) for row in (before, after))
    else:
        before, after = _open_record(entry, before), _open_record(entry, after)
    return {name: [before[name], after.get(name)] for name in before}


def _kind(entry: Undo) -> Kind:
    return KINDS.get(entry.kind) or kind_of(entry.kind)


def _without_secrets(entry: Undo, row: dict[str, Any]) -> dict[str, Any]:
    return without_secrets(_kind(entry).get, without_secrets(entry.operation_id, row))


def _open_record(entry: Undo, row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record, or of the object whose fields its bodies have, without personal data."""
    kind = _kind(entry)
    model = catalogue.record_of(kind.get)
    seen = shown(model, row)
    spec = field_by_wire(model).get(kind.nested) if model is not None and kind.nested else None
    if spec is not None and spec.record is not None:
        seen |= shown(spec.record, {name: value for name, value in row.items() if name not in seen})
    return seen


def _open_link(link: Link, resource: Resource | None, resources: Mapping[str, Resource]) -> tuple[Link, list[str]]:
    """The link without what may be personal, and the names of what was left out."""
    parts: list[str] = []
    for at, part in enumerate(link.place.parts):
        fits = part in resources if at % 2 == 0 else _is_id(part, resources.get(link.place.parts[at - 1]))
        if not fits and link.place.parts != ("home",):
            # The list above it, without what another one shows.
            return Link(Place(tuple(parts))), [link.place.parts[at - 1] if at % 2 else "place"]
        parts.append(part)
    if resource is None or not resource.list:
        return Link(link.place), []
    model = catalogue.record_of(resource.list)
    terms, masked = [], []
    for term in parse(link.filter, resource.kind, filter_columns(resource.display.columns)).terms:
        if _is_open_term(term, model):
            terms.append(str(term))
        else:
            masked.append(_masked_term(term))
    where = {}
    for name, value in link.where.items():
        if _is_open_parameter(name, value, resource, model):
            where[name] = value
        else:
            masked.append(name)
    marks = tuple(each for each in link.marks if _ID.fullmatch(each))
    if link.sort and link.sort not in {column.sort_field for column in resource.display.columns}:
        link = replace(link, sort="")
        masked.append("sort")
    return replace(link, filter=" ".join(terms), where=where, marks=marks), masked


def _is_id(text: str, resource: Resource | None) -> bool:
    return bool(_ID.fullmatch(text)) or (resource is not None and text in (resource.placement.only, "own"))


def _is_open_term(term: Term, model: type[Record] | None) -> bool:
    spec = open_field(model, term.column) if term.column and term.match != "expression" else None
    return spec is not None and _is_value(term.text, spec)


def _masked_term(term: Term) -> str:
    """A term without its text: `!name:=•••`, `name:/•••/`."""
    sign = {"letters": "~", "whole": "="}.get(term.match, "")
    if term.match == "range" and (found := re.match("[<>]=?", term.text)):
        sign = found[0]
    text = f"/{MASKED}/" if term.match == "expression" else sign + MASKED
    return f"{'!' * term.excludes}{f'{term.column}:' * bool(term.column)}{text}"


def _is_value(text: str, spec: FieldSpec) -> bool:
    """Whether a typed text is an ID, or what a field of numbers, times or declared values holds, or a part of it."""
    match spec.kind:
        case "choice" | "choices" | "boolean":
            words = (*spec.choices, *spec.words.values(), *(("true", "false", "yes", "no") * (spec.kind == "boolean")))
            return any(text.lower() in word.lower() for word in words)
        case "integer" | "number" | "date" | "datetime":
            return bool(_RANGE.fullmatch(text)) and not _LONG_NUMBER.search(text)
    return bool(_ID.fullmatch(text))


def _is_open_parameter(name: str, value: Any, resource: Resource, model: type[Record] | None) -> bool:
    """Whether a parameter of the filter form compares only fields without personal data, with such a value."""
    query = catalogue.query_of(resource.list)
    spec = field_by_wire(query).get(name)
    if spec is None or MASKED in json.dumps(shown(query, {name: value}), ensure_ascii=False):
        return False
    compared = [open_field(model, each) for each in spec.facet.filters or (name,)]
    texts = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
    return all(field is not None and all(_is_value(each, field) for each in texts) for field in compared)
