"""From the words after `svc-tui call` to one request: names checked, values checked, near misses offered."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from svc_tui.client.content import Content
from svc_tui.commands.exits import WrongUsage
from svc_tui.interface.catalogue import operation as find
from svc_tui.interface.catalogue import operations
from svc_tui.interface.envelopes import LARGEST_LIMIT
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.problems import problems_of
from svc_tui.interface.records import FieldSpec, Record, fields_of
from svc_tui.workspace.files.uploads import Unfit, fit, most_of, read_file

_LISTS = ("texts", "choices")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One request as it was asked for, under wire names. `follow`: page after page."""

    operation: AnyOperation
    path: dict[str, str]
    query: dict[str, Any]
    body: dict[str, Any] | Content | None
    follow: bool = False


def prepare(operation_id: str, values: Sequence[str], body: str, *, follow: bool = False) -> Wanted:
    """The request. WrongUsage, with the nearest name, for what the operation does not know."""
    operation = named(operation_id)
    path, query = _parameters(operation, values)
    if follow:
        if "offset" not in {spec.wire for spec in query_fields(operation)}:
            raise WrongUsage(f"{operation.id} has no pages to follow; leave --all out.")
        query.setdefault("limit", LARGEST_LIMIT)
    return Wanted(operation, path, query, read_body(operation, body), follow)


def named(operation_id: str) -> AnyOperation:
    """The operation with this id. WrongUsage, with the nearest names, when there is none."""
    try:
        return find(operation_id)
    except KeyError:
        near = _near(operation_id, [operation.id for operation in operations()])
        hint = near or "`svc-tui operations` names them all."
        raise WrongUsage(f"There is no operation {operation_id!r}; {hint}") from None


def query_fields(operation: AnyOperation) -> tuple[FieldSpec, ...]:
    """The query parameters of an operation."""
    model: type[Record] = operation.query
    return fields_of(model)


def _parameters(operation: AnyOperation, values: Sequence[str]) -> tuple[dict[str, str], dict[str, Any]]:
    kinds = {spec.wire: spec.kind for spec in query_fields(operation)}
    path: dict[str, str] = {}
    query: dict[str, Any] = {}
    for word in values:
        name, equals, value = word.partition("=")
        if not equals:
            raise WrongUsage(f"{word!r} is not NAME=VALUE.")
        if name in operation.parameters:
            path[name] = value
        elif name not in kinds:
            raise WrongUsage(_unknown(operation, name, [*operation.parameters, *kinds]))
        elif kinds[name] in _LISTS:
            query.setdefault(name, []).append(value)
        elif name in query:
            raise WrongUsage(f"{name} is given twice; {operation.id} takes one.")
        else:
            query[name] = value
    missing = [name for name in operation.parameters if not path.get(name)]
    if missing:
        raise WrongUsage(f"{operation.id} needs {' and '.join(f'{name}=…' for name in missing)}.")
    problems = problems_of(operation.query, query)
    if problems:
        raise WrongUsage("; ".join(f"{problem.param} {problem.msg}" for problem in problems) + ".")
    return path, query


def _unknown(operation: AnyOperation, name: str, names: list[str]) -> str:
    if not names:
        return f"{operation.id} has no parameters, so not {name!r} either."
    known = _near(name, names) or f"it knows {', '.join(names)}."
    return f"{operation.id} has no parameter {name!r}; {known}"


def _near(word: str, names: list[str]) -> str:
    lower = {name.lower(): name for name in names}
    found = [lower[name] for name in get_close_matches(word.lower(), lower, n=3)]
    return f"did you mean {' or '.join(found)}?" if found else ""


def check_output(wanted: Wanted, asked: str | None, *, terminal: bool) -> None:
    """WrongUsage when the answer is no JSON and would go to a terminal, or into a format that it cannot have."""
    gives = wanted.operation.gives
    if gives and asked:
        raise WrongUsage(f"{wanted.operation.id} answers with {' or '.join(gives)}, as it is; leave --output out.")
    if gives and terminal:
        raise WrongUsage(
            f"{wanted.operation.id} answers with {' or '.join(gives)}, which a terminal cannot show: "
            "send it to a file, with > FILE at the end."
        )


def read_body(operation: AnyOperation, given: str) -> dict[str, Any] | Content | None:
    """The body: JSON itself, `@FILE`, or `-` for standard input. None when the operation has none."""
    if operation.takes:
        return _read_raw(operation, given)
    if not operation.sends_body:
        if given:
            raise WrongUsage(f"{operation.id} has no body; leave --body out.")
        return None
    if not given:
        model: type[Record] = operation.body
        required = [spec.wire for spec in fields_of(model) if spec.required]
        if required:
            raise WrongUsage(f"{operation.id} needs --body with {', '.join(required)}.")
        return {}
    try:
        body = json.loads(_text(given))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise WrongUsage(f"The body is not JSON: {error}.") from None
    if not isinstance(body, dict):
        raise WrongUsage('The body must be an object, such as {"name": "CRM"}.')
    return body


def _read_raw(operation: AnyOperation, given: str) -> Content:
    try:
        if given == "-":
            return fit(sys.stdin.buffer.read(most_of(operation) + 1), operation, "Standard input")
        if given.startswith("@"):
            return read_file(Path(given[1:]), operation)
    except Unfit as error:
        raise WrongUsage(str(error)) from None
    raise WrongUsage(f"{operation.id} needs --body @FILE with {' or '.join(operation.takes)}.")


def _text(given: str) -> str:
    if given == "-":
        return sys.stdin.read()
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise WrongUsage(f"{given[1:]} cannot be read: {error.strerror}.") from None
