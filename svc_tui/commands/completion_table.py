"""The table of completion, made from the commands, the operations, the places of the console and the demo accounts.

`python -m docs.making.completion` writes it; `candidates` reads it without loading any of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclopts import App

from svc_tui.commands.candidates import ACCOUNTS, BODIES, FILES, OPERATIONS, PARAMETERS, PLACES, PROFILES
from svc_tui.commands.parser import build_parser
from svc_tui.commands.table import GENERAL_OPTIONS
from svc_tui.console.shell.resources import ALL
from svc_tui.interface.catalogue import operation as find
from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.in_words import description_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import Record
from svc_tui.server.demo.accounts import accounts
from svc_tui.workspace.kinds.registry import KINDS

#: Arguments and options whose values have a meaning that their type does not have.
_MEANINGS = {
    "--profile": PROFILES,
    "--as": ACCOUNTS,
    "--body": BODIES,
    "--ca-bundle": FILES,
    "OPERATION": OPERATIONS,
    "operations NAME": OPERATIONS,
    "NAME=VALUE": PARAMETERS,
    "TARGET": PLACES,
    "profile edit NAME": PROFILES,
    "profile remove NAME": PROFILES,
    "profile use NAME": PROFILES,
}
#: Path parameters that no kind of record has under this name -> the kinds whose ID they take.
_ALSO = {"applicationId": ["applications"], "ownerId": ["users"]}
#: Values of a list of one parameter, which may be given several times.
_LISTS = ("texts", "choices")


def table() -> dict[str, Any]:
    """The words of each command, and the values that arguments can have."""
    return {
        "commands": dict(_commands(build_parser(), ())),
        OPERATIONS: {operation.id: operation.summary for operation in operations()},
        PARAMETERS: {operation.id: _parameters(operation) for operation in operations()},
        BODIES: {operation.id: _body(operation) for operation in operations() if operation.sends_body},
        PLACES: {resource.name: resource.place_name or resource.title for resource in ALL},
        ACCOUNTS: {one["login"]: ", ".join(one["roles"]) for one in accounts()["accounts"]},
    }


def _commands(app: App, path: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A command and those below it: its words, then the commands, options and arguments that can follow."""
    names = [name for name in app if not name.startswith("-")]
    options, arguments = _words(app, path)
    yield (
        " ".join(path),
        {
            "commands": {name: app[name].help.split("\n")[0] for name in names},
            "options": options,
            "arguments": arguments,
        },
    )
    for name in names:
        yield from _commands(app[name], (*path, name))


def _words(app: App, path: tuple[str, ...]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    options: dict[str, Any] = {}
    arguments: list[dict[str, Any]] = []
    collection = app.assemble_argument_collection() if app.default_command is not None else ()
    for argument in collection:
        parts = [name for name in argument.names if name != "*"]
        if not parts:
            continue
        values = _values(argument.get_choices(), argument.hint, (*path, parts[0]))
        word = {"help": argument.parameter.help or "", "values": values}
        if parts[0].startswith("-"):
            flag = argument.is_flag()
            options |= {name: {**word, "takes": "" if flag else _metavar(argument.hint)} for name in parts}
        else:
            many = "tuple" in str(argument.hint)
            arguments.append({"name": parts[0], "many": many, "required": argument.required, **word})
    options["--help"] = {"help": GENERAL_OPTIONS["--help, -h"], "values": [], "takes": ""}
    if not path:
        options["--version"] = {"help": GENERAL_OPTIONS["--version"], "values": [], "takes": ""}
    return options, arguments


def _metavar(hint: Any) -> str:
    """How the value of an option is called."""
    text = str(hint)
    return "FILE" if "Path" in text else "NUMBER" if "int" in text or "float" in text else "TEXT"


def _values(choices: tuple[str, ...] | None, hint: Any, words: tuple[str, ...]) -> str | list[str]:
    """The values: a list of them, or the name of a list that `candidates` knows; empty for any text."""
    if choices:
        return list(choices)
    for name in (" ".join(words), words[-1]):
        if name in _MEANINGS:
            return _MEANINGS[name]
    return FILES if hint is Path or "Path" in str(hint) else []


def _parameters(operation: AnyOperation) -> dict[str, dict[str, Any]]:
    query: type[Record] = operation.query
    found: dict[str, dict[str, Any]] = {
        name: _filled({"help": "required", "kinds": _kinds_of(operation, name)}) for name in operation.parameters
    }
    return found | {spec.wire: _parameter(spec) for spec in fields_of(query)}


def _parameter(spec: FieldSpec) -> dict[str, Any]:
    values = ["true", "false"] if spec.kind == "boolean" else [str(each) for each in spec.choices]
    kinds = [spec.facet.refers] if spec.facet.refers in KINDS else []
    return _filled({"help": description_of(spec), "values": values, "many": spec.kind in _LISTS, "kinds": kinds})


def _filled(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if value}


def _body(operation: AnyOperation) -> dict[str, dict[str, Any]]:
    """The fields of a body by their names in the API, each with its type in front of its help."""
    model: type[Record] = operation.body
    found = {}
    for spec in fields_of(model):
        required = "required" if spec.required else ""
        parts = (spec.kind, required, description_of(spec))
        found[spec.wire] = {**_parameter(spec), "help": ", ".join(part for part in parts if part)}
    return found


def _kinds_of(operation: AnyOperation, parameter: str) -> list[str]:
    """The kinds of record whose ID a path parameter takes: those with the same path, otherwise all that have it."""
    found = [kind for kind in KINDS.values() if kind.parameter == parameter and not kind.derived]
    before = operation.path.partition(f"{{{parameter}}}")[0]
    alike = [kind for kind in found if find(kind.get).path.startswith(before)]
    return [kind.name for kind in alike or found] or _ALSO.get(parameter, [])
