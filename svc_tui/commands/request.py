"""The request of `svc-tui call`, built from its arguments; names and values are checked before anything is sent."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svc_tui.client.content import Content
from svc_tui.commands.exits import UsageError
from svc_tui.interface import texts
from svc_tui.interface.addresses import filled
from svc_tui.interface.catalogue import operation as find
from svc_tui.interface.catalogue import operations
from svc_tui.interface.envelopes import LARGEST_LIMIT
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.problems import choice_value, problems_of
from svc_tui.interface.records import Record
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.files.uploads import UnsuitableFile, checked, read_file, size_limit

_LISTS = ("texts", "choices")


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One request, with the names that the API uses. `all_pages`: fetch every page of the list."""

    operation: AnyOperation
    path: dict[str, str]
    query: dict[str, Any]
    body: dict[str, Any] | Content | None
    all_pages: bool = False


def prepare(operation_id: str, values: Sequence[str], body: Sequence[str], *, all_pages: bool = False) -> CallRequest:
    """The request. UsageError, with the closest names, for an unknown operation or parameter."""
    operation = named(operation_id)
    path, query = _parameters(operation, values)
    if all_pages:
        if "offset" not in {spec.wire for spec in query_fields(operation)}:
            raise UsageError(_("{id} does not return pages. Remove --all.").format(id=operation.id))
        query.setdefault("limit", LARGEST_LIMIT)
    return CallRequest(operation, path, query, body_of(operation, body), all_pages)


def named(operation_id: str) -> AnyOperation:
    """The operation with this ID. UsageError, with the closest IDs, when there is none."""
    try:
        return find(operation_id)
    except KeyError:
        known = [operation.id for operation in operations()]
        hint = suggestion(operation_id, known, _("Run `svc-tui operations` for a list."), most=3)
        raise UsageError(
            _('Unknown operation "{operation_id}". {hint}').format(operation_id=operation_id, hint=hint)
        ) from None


def query_fields(operation: AnyOperation) -> tuple[FieldSpec, ...]:
    """The query parameters of an operation."""
    model: type[Record] = operation.query
    return fields_of(model)


def _parameters(operation: AnyOperation, values: Sequence[str]) -> tuple[dict[str, str], dict[str, Any]]:
    specs = {spec.wire: spec for spec in query_fields(operation)}
    path: dict[str, str] = {}
    query: dict[str, Any] = {}
    for word in values:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(_('"{word}" is not in the form NAME=VALUE.').format(word=word))
        if name in operation.parameters:
            path[name] = value
        elif name not in specs:
            raise UsageError(_unknown(operation, name, [*operation.parameters, *specs]))
        elif specs[name].kind in _LISTS:
            query.setdefault(name, []).append(value)
        elif name in query:
            raise UsageError(_("{id} takes one value for {name}.").format(id=operation.id, name=name))
        else:
            query[name] = choice_value(specs[name], value)
    missing = [name for name in operation.parameters if not path.get(name)]
    if missing:
        raise UsageError(
            _("{id} requires {values}.").format(
                id=operation.id, values=_(" and ").join(f"{name}=…" for name in missing)
            )
        )
    _check_path(operation, path)
    problems = problems_of(operation.query, query)
    if problems:
        raise UsageError("; ".join(f"{problem.param} {problem.msg}" for problem in problems) + ".")
    return path, query


def _check_path(operation: AnyOperation, path: dict[str, str]) -> None:
    """UsageError for a value that an address would lose: `.` and `..` are steps in it, and not parts."""
    try:
        filled(operation.path, path)
    except ValueError as error:
        name = str(error)
        raise UsageError(
            _('{name}="{value}" cannot be part of an address: dots alone are steps in it. Check {name}.').format(
                name=name, value=path[name]
            )
        ) from None


def _unknown(operation: AnyOperation, name: str, known: list[str]) -> str:
    if not known:
        return _('Unknown parameter "{name}". {id} has no parameters.').format(name=name, id=operation.id)
    hint = suggestion(name, known, _("{id} has {known}.").format(id=operation.id, known=", ".join(known)), most=3)
    return _('Unknown parameter "{name}". {hint}').format(name=name, hint=hint)


def check_output(request: CallRequest, format: str | None, *, terminal: bool) -> None:
    """UsageError for a file that would go to a terminal, or that cannot have the requested format."""
    gives = request.operation.gives
    if gives and format:
        raise UsageError(
            _("{id} returns {gives} unchanged. Remove --output.").format(
                id=request.operation.id, gives=_(" or ").join(gives)
            )
        )
    if gives and terminal:
        raise UsageError(
            _("{id} returns {gives}, which a terminal cannot show. Redirect the output to a file with > FILE.").format(
                id=request.operation.id, gives=_(" or ").join(gives)
            )
        )


def body_of(operation: AnyOperation, given: Sequence[str]) -> dict[str, Any] | Content | None:
    """The body from one text, or from fields as NAME=VALUE; None if the operation has no body."""
    if given and operation.sends_body and not operation.takes and all(map(FIELD.match, given)):
        model: type[Record] = operation.body
        specs = {spec.wire: spec for spec in fields_of(model)}
        for word in given:
            if (name := word.partition("=")[0]) not in specs:
                raise UsageError(_unknown(operation, name, list(specs)))
        return from_words(specs, given)
    if len(given) > 1:
        raise UsageError(_("Use --body once, or only with fields in the form NAME=VALUE."))
    return read_body(operation, given[0] if given else "")


def read_body(operation: AnyOperation, given: str) -> dict[str, Any] | Content | None:
    """The body from JSON, `@FILE` or `-` for standard input; None if the operation has no body."""
    if operation.takes:
        return _read_raw(operation, given)
    if not operation.sends_body:
        if given:
            raise UsageError(_("{id} has no request body. Remove --body.").format(id=operation.id))
        return None
    if not given:
        model: type[Record] = operation.body
        required = [spec.wire for spec in fields_of(model) if spec.required]
        if required:
            raise UsageError(
                _("{id} requires --body with {required}.").format(id=operation.id, required=", ".join(required))
            )
        return {}
    try:
        body = json.loads(_text(given))
    except texts.NotUtf8 as error:
        raise UsageError(_("The body is {error}.").format(error=error)) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(_("The body is not valid JSON: {error}.").format(error=error)) from None
    if not isinstance(body, dict):
        raise UsageError(_('The body must be a JSON object, for example {"name": "CRM"}.'))
    return body


def _read_raw(operation: AnyOperation, given: str) -> Content:
    try:
        if given == "-":
            return checked(sys.stdin.buffer.read(size_limit(operation) + 1), operation, _("Standard input"))
        if given.startswith("@"):
            return read_file(Path(given[1:]), operation)
    except UnsuitableFile as error:
        raise UsageError(str(error)) from None
    raise UsageError(
        _("{id} requires --body @FILE with {takes}.").format(id=operation.id, takes=_(" or ").join(operation.takes))
    )


def _text(given: str) -> str:
    if given == "-":
        return texts.text_of(sys.stdin.buffer.read())
    if not given.startswith("@"):
        return given
    try:
        return texts.text_of(expanded(Path(given[1:])).read_bytes())
    except OSError as error:
        raise UsageError(
            _("{given} cannot be read: {reason}.").format(given=given[1:], reason=error.strerror)
        ) from None


#: The beginning of a field; JSON begins otherwise.
FIELD = re.compile(r"[A-Za-z]\w*=")
_TRUTH = {"true": True, "false": False}
_NUMBERS: Mapping[str, Callable[[str], Any]] = {"integer": int, "number": float}


def from_words(specs: Mapping[str, FieldSpec], words: Sequence[str]) -> dict[str, Any]:
    """The body. An empty value is null. A field of several values is repeated, or given as a list in JSON.

    UsageError for a value of the wrong type, and for a field of one value that is repeated.
    """
    body: dict[str, Any] = {}
    for word in words:
        name, _equals, text = word.partition("=")
        value = _value(specs[name], text)
        if specs[name].kind in _LISTS and isinstance(value, str):
            body[name] = [*(body.get(name) or ()), value]
        elif name in body:
            raise UsageError(_("{name} takes one value.").format(name=name))
        else:
            body[name] = value
    return body


def _value(spec: FieldSpec, text: str) -> Any:
    if text == "":
        return None
    # Some numbers can also be false.
    if spec.kind in ("boolean", *_NUMBERS) and text in _TRUTH:
        return _TRUTH[text]
    if spec.kind == "boolean":
        raise UsageError(_("{name} must be true or false.").format(name=spec.wire))
    if convert := _NUMBERS.get(spec.kind):
        try:
            return convert(text)
        except ValueError:
            raise UsageError(_("{name} must be a number.").format(name=spec.wire)) from None
    if spec.kind in ("object", "objects") or (spec.kind in _LISTS and text.startswith("[")):
        try:
            return json.loads(text)
        except ValueError as error:
            raise UsageError(_("{name} is not valid JSON: {error}.").format(name=spec.wire, error=error)) from None
    return text
