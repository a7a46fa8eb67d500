"""The operations of the API as a list, and one in detail: as data, and as text from the same data."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

from svc_tui.commands import output
from svc_tui.commands.request import named
from svc_tui.commands.styles import wrapped
from svc_tui.interface.access import Role
from svc_tui.interface.addresses import readable
from svc_tui.interface.catalogue import operations, specified_area_of
from svc_tui.interface.errors import SENTENCES
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.in_words import description_of, readers_of, roles_in_full, setters_of
from svc_tui.interface.operations import FORM, AnyOperation
from svc_tui.interface.readers import limited_fields
from svc_tui.interface.records import Record

#: Columns of a line that does not go to a terminal.
_COLUMNS = 100
_NARROWEST = 40
#: The widest column of names.
_WIDEST = 32


def show(name: str, *, json: bool) -> None:
    """List the operations with their roles, or show one with its parameters and body. UsageError for an unknown one."""
    if name and json:
        output.write_json(details(named(name)))
    elif name:
        write(named(name))
    elif json:
        output.write_json([entry(operation) for operation in operations()])
    else:
        by_area: dict[str, list[dict[str, Any]]] = {}
        for operation in operations():
            by_area.setdefault(specified_area_of(operation.id), []).append(_row(operation))
        for place, (area, rows) in enumerate(by_area.items()):
            output.write_line(("\n" if place else "") + area.upper(), "heading")
            columns = ("id", "method", "path", "who")
            output.write_table(rows, columns, heading=False, styles={"id": "accent", "method": "dim", "who": "dim"})


def entry(operation: AnyOperation) -> dict[str, Any]:
    """One operation in the JSON document."""
    return {
        "id": operation.id,
        "area": specified_area_of(operation.id),
        "method": operation.method,
        "path": readable(operation.path),
        "who": operation.who.as_text(),
        "deprecated": bool(operation.deprecated),
    }


def _row(operation: AnyOperation) -> dict[str, Any]:
    roles = operation.who.as_text()
    who = "everyone" if len(roles) == len(Role) else ", ".join(roles)
    return {
        "id": operation.id,
        "method": operation.method,
        "path": readable(operation.path),
        "who": "deprecated" if operation.deprecated else who,
    }


def details(operation: AnyOperation) -> dict[str, Any]:
    """The operation as data. Names are those of the API."""
    path = [_path_parameter(name) for name in operation.parameters]
    query: type[Record] = operation.query
    return {
        "id": operation.id,
        "area": specified_area_of(operation.id),
        "section": operation.section,
        "method": operation.method,
        "path": readable(operation.path),
        "summary": operation.summary,
        "who": operation.who.as_text(),
        "credentials": operation.credentials.value,
        "deprecated": operation.deprecated,
        "parameters": [*path, *({"where": "query", **_field(spec)} for spec in fields_of(query))],
        "body": _body(operation),
        "returns": list(operation.gives) or ["application/json"],
        "limited": [
            {"name": path, "type": spec.kind, "required": False, "readBy": readers_of(spec), "help": spec.facet.help}
            for path, spec in limited_fields(operation.result)
        ],
        "refusals": [{"code": int(code), "status": code.status, "text": SENTENCES[code]} for code in operation.refuses],
    }


def _path_parameter(name: str) -> dict[str, Any]:
    return {"where": "path", "name": name, "type": "text", "required": True, "help": ""}


def _body(operation: AnyOperation) -> dict[str, Any] | None:
    if operation.takes:
        return {"types": list(operation.takes), "mostBytes": operation.most_bytes, "fields": []}
    if not operation.sends_body:
        return None
    return {
        "types": [FORM if operation.sends_form else "application/json"],
        "mostBytes": None,
        "fields": _fields(operation.body, ()),
    }


def _fields(model: type[Record], above: tuple[type[Record], ...]) -> list[dict[str, Any]]:
    return [_field(spec, (*above, model)) for spec in fields_of(model)]


def _field(spec: FieldSpec, above: tuple[type[Record], ...] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": spec.wire,
        "type": spec.kind,
        "required": spec.required,
        "default": spec.default,
        "constraint": spec.constraint,
        "choices": list(spec.choices),
        "pattern": spec.pattern,
        "setBy": setters_of(spec),
        "readBy": readers_of(spec),
        "help": description_of(spec),
    }
    inner = spec.record
    # A record that contains itself ends here.
    if inner is not None and inner not in above:
        found["fields"] = _fields(inner, above)
    return found


def write(operation: AnyOperation) -> None:
    """Write the operation as text."""
    found = details(operation)
    columns = max(_NARROWEST, shutil.get_terminal_size().columns) if output.is_terminal() else _COLUMNS
    for line in _lines(operation, found, columns):
        output.write_line(line, "heading" if line and line.split(" (")[0].isupper() else "")


def _command(operation: AnyOperation) -> str:
    """The command that calls it, with what it requires."""
    query: type[Record] = operation.query
    required = [*operation.parameters, *(spec.wire for spec in fields_of(query) if spec.required)]
    body = "--body @FILE" if operation.takes or operation.sends_body else ""
    return " ".join(["svc-tui call", operation.id, *(f"{name}=…" for name in required), body]).rstrip()


def _source(operation: AnyOperation) -> str:
    return "extension of this server" if operation.extension else f"section {operation.section}"


def _lines(operation: AnyOperation, found: dict[str, Any], columns: int) -> Iterator[str]:
    yield f"{found['id']}  {found['method']} {found['path']}"
    yield from wrapped(f"{operation.summary}.", columns)
    yield ""
    facts = {
        "Area": f"{found['area']}, {_source(operation)}",
        "Roles": roles_in_full(operation.who),
        "Credentials": found["credentials"].replace("_", " "),
        "Returns": ", ".join(found["returns"]),
        "Command": _command(operation),
        "Deprecated": found["deprecated"],
    }
    for name, text in facts.items():
        if text:
            yield from _entry(name, [text], 12, columns)
    yield from _section("PARAMETERS", found["parameters"], columns)
    if found["body"]:
        types = " or ".join(found["body"]["types"])
        most = f", at most {found['body']['mostBytes']} bytes" if found["body"]["mostBytes"] else ""
        yield from _section(f"BODY ({types}{most})", found["body"]["fields"], columns, always=True)
    yield from _section("FIELDS OF THE RESPONSE THAT NOT EVERYONE READS", found["limited"], columns)
    if found["refusals"]:
        yield ""
        yield "REFUSALS"
        for refusal in found["refusals"]:
            yield from _entry(str(refusal["code"]), [refusal["text"]], 6, columns)


def _section(title: str, fields: list[dict[str, Any]], columns: int, *, always: bool = False) -> Iterator[str]:
    if not fields and not always:
        return
    yield ""
    yield title
    named = list(_flat(sorted(fields, key=lambda field: not field["required"])))
    size = min(_WIDEST, max((len(name) for name, _ in named), default=0))
    for name, field in named:
        yield from _entry(name, [_type(field), field["help"]], size, columns)


def _flat(fields: list[dict[str, Any]], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The fields and those inside them, with dotted names."""
    for field in fields:
        yield f"{above}{field['name']}", field
        yield from _flat(field.get("fields", ()), f"{above}{field['name']}.")


def _type(field: dict[str, Any]) -> str:
    default = field.get("default")
    parts = [
        field.get("where", ""),
        f"{field['type']}: {field['constraint']}" if field.get("constraint") else field["type"],
        "required" if field["required"] else "",
        f"default {str(default).lower() if isinstance(default, bool) else default}" if default is not None else "",
        f"set by {field['setBy']}" if field.get("setBy") else "",
        f"read by {field['readBy']}" if field.get("readBy") else "",
    ]
    return ", ".join(part for part in parts if part)


def _entry(name: str, texts: list[str], size: int, columns: int) -> Iterator[str]:
    """A name with wrapped texts beside it; a name that is too long has its own line."""
    room = max(_NARROWEST // 2, columns - size - 4)
    beside = [line for text in texts for line in wrapped(text, room)] or [""]
    if len(name) > size:
        yield f"  {name}"
    else:
        yield f"  {name:{size}}  {beside.pop(0)}".rstrip()
    for line in beside:
        yield f"  {'':{size}}  {line}"
