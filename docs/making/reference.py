"""Writes docs/reference from what is declared: operations and records of the interface, keys of the console.

`python -m docs.making.reference` after a change of `svc_tui/interface` or of an action; a test tells when it is due.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, get_origin

from svc_tui.console.shell.registry import registry
from svc_tui.interface.access import Access, Role
from svc_tui.interface.catalogue import AREAS, operations_of
from svc_tui.interface.operations import AnyOperation, Nothing
from svc_tui.interface.records import FieldSpec, Record, fields_of

FOLDER = Path(__file__).resolve().parent.parent / "reference"
KEYS_CHANGED = """`?` shows the keys that work where you are. Each can be changed by its name in `config.toml`, for all
profiles or for one; conflicts are reported when the console starts:

```toml
[keymap]
filter = "f"
```"""
MADE = "This page is made from the declaration in `svc_tui/interface` by `docs/making/reference.py`."


def pages() -> dict[str, str]:
    """File name -> text of every reference page."""
    return {"keys.md": keys(), "operations.md": catalogue(), **{f"{area}.md": area_page(area) for area in AREAS}}


def keys() -> str:
    """Every action of the console with its default keys, the general ones first."""
    found = registry()
    by_resource: dict[str, list[list[str]]] = {}
    for action in found:
        named = " ".join(f"`{key}`" for key in found.keys.keys(action.name))
        row = [named, action.label, ", ".join(sorted(action.views)), f"`{action.name}`", action.help]
        by_resource.setdefault(action.resource, []).append(row)
    parts = ["# Keys", MADE.replace("svc_tui/interface", "svc_tui/console"), KEYS_CHANGED]
    for resource, rows in sorted(by_resource.items()):
        parts.append(f"## {resource.capitalize() or 'Everywhere'}")
        parts.append(table(("key", "action", "where", "name", "what it does"), rows))
    return "\n\n".join(parts) + "\n"


def catalogue() -> str:
    """All operations, a table for each area."""
    parts = ["# Operations", MADE]
    for area in AREAS:
        parts.append(f"## {area.capitalize()}")
        rows = [
            (f"[`{one.id}`]({area}.md#{one.id})", one.method, f"`{one.path}`", said_briefly(one.who), one.summary)
            for one in operations_of(area).values()
        ]
        parts.append(table(("operation", "method", "path", "who", "what it does"), rows))
    return "\n\n".join(parts) + "\n"


def area_page(area: str) -> str:
    """The operations of one area in detail, and its records."""
    parts = [f"# {area.capitalize()}", MADE, "## Operations"]
    for operation in operations_of(area).values():
        parts += operation_section(operation)
    parts.append("## Records")
    for record in records_of(area):
        parts += record_section(record)
    return "\n\n".join(parts) + "\n"


def operation_section(operation: AnyOperation) -> list[str]:
    """What a caller must know of one operation."""
    facts = [
        f"`{operation.method} {operation.path}` (section {operation.section})",
        f"Who: {said_in_full(operation.who)}",
        f"Credentials: {operation.credentials.value}",
    ]
    if operation.sends_body:
        facts.append(f"Body: {name_of(operation.body)}")
    if operation.takes:
        most = f", at most {operation.most_bytes} bytes" if operation.most_bytes else ""
        facts.append(f"Body: the file itself, {' or '.join(operation.takes)}{most}")
    facts.append(f"Answer: {name_of(operation.result)}")
    if operation.refuses:
        facts.append("Refuses with: " + ", ".join(f"{int(code)} {words(code.name)}" for code in operation.refuses))
    if operation.deprecated:
        facts.append(f"Deprecated: {operation.deprecated}")
    section = [f"### {operation.id}", f"{operation.summary}.", "\n".join(f"- {fact}" for fact in facts)]
    if operation.query is not Nothing:
        section.append(field_table(operation.query))
    return section


def record_section(record: type[Record]) -> list[str]:
    """One record: what it is, and its fields."""
    text = " ".join((record.__doc__ or "").split())
    return [f"### {record.__name__}", *([text] if text else []), field_table(record)]


def records_of(area: str) -> list[type[Record]]:
    """The records that are declared in an area, in the order of their names; queries stand with their operations."""
    module = import_module(f"svc_tui.interface.{area}")
    queries = {operation.query for operation in operations_of(area).values()}
    found = {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Record) and value not in queries
    }
    return sorted((record for record in found if fields_of(record)), key=lambda record: record.__name__)


def field_table(record: type[Record]) -> str:
    """The fields of a record or the parameters of a query."""
    formats = bool(record.SMALL)
    heading = ["field", "type", "default", "who may set it", "what it is"]
    if formats:
        heading.insert(3, "shown in")
    rows = []
    for spec in fields_of(record):
        row = [f"`{spec.wire}`", type_of(spec), default_of(spec), setters_of(spec), meaning_of(spec)]
        if formats:
            row.insert(3, shown_in(record, spec.wire))
        rows.append(row)
    if all(row[-2] == "" for row in rows):
        del heading[-2]
        for row in rows:
            del row[-2]
    return table(heading, rows)


def type_of(spec: FieldSpec) -> str:
    return f"{spec.kind}: {spec.constraint}" if spec.constraint else spec.kind


def default_of(spec: FieldSpec) -> str:
    if spec.required:
        return "required"
    return "" if spec.default is None else f"`{str(spec.default).lower() if spec.kind == 'boolean' else spec.default}`"


def setters_of(spec: FieldSpec) -> str:
    facet = spec.facet
    if facet.within is not None:
        said = said_in_full(facet.within)
        return f"{said}; {', '.join(str(each) for each in facet.provided)}" if facet.provided else said
    setters = facet.setters
    return "" if setters is None else ", ".join(role.value for role in Role if role in setters)


def shown_in(record: type[Record], wire: str) -> str:
    if wire in record.NEVER:
        return "never"
    return "small" if wire in record.SMALL else "medium" if wire in record.MEDIUM else "full"


def meaning_of(spec: FieldSpec) -> str:
    facet = spec.facet
    said = [facet.help] if facet.help else []
    if facet.choices:
        said.append("; ".join(f"{value}: {meaning}" for value, meaning in facet.choices))
    if facet.needs is not None:
        said.append(str(facet.needs))
    if facet.deprecated:
        said.append(f"deprecated: {facet.deprecated}")
    return ". ".join(said)


def said_briefly(who: Access) -> str:
    names = list(who.as_text())
    return "everyone logged in" if len(names) == len(Role) else ", ".join(names)


def said_in_full(who: Access) -> str:
    """Reach: roles, the other way round than it is declared, because people ask 'what may I do'."""
    by_reach: dict[str, list[str]] = {}
    for role, reach in who.as_text().items():
        by_reach.setdefault(reach, []).append(role)
    return "; ".join(
        f"{words(reach).replace('+', ' and ')}: {'everyone' if len(roles) == len(Role) else ', '.join(roles)}"
        for reach, roles in by_reach.items()
    )


def name_of(record: type[Any]) -> str:
    """`Page of Application` for `Page[Application]`; `object` where nothing is declared."""
    if record is bytes:
        return "the image itself"
    if get_origin(record) is not None or not issubclass(record, Record):
        return "object"
    generic = record.__pydantic_generic_metadata__
    inner = [getattr(name, "__name__", str(name)) for name in generic["args"]]
    return f"{(generic['origin'] or record).__name__} of {inner[0]}" if inner else record.__name__


def words(name: str) -> str:
    return name.lower().replace("_", " ")


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    heading = list(heading)
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote {name}")
