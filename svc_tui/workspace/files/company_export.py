"""Writing the document of a company, the JSON Schema of documents, and the document of another company like one.

What must be unique is asked for in one text, and replaced.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any

import yaml

from svc_tui.interface.authentication.user_rules import NEW_USER
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import LISTS, FieldSpec, field_by_wire
from svc_tui.language import _
from svc_tui.workspace.core.service import Reader
from svc_tui.workspace.files import positioned_yaml
from svc_tui.workspace.files.company_document import (
    BY_NAME,
    COMPONENTS,
    NOT_COVERED,
    PARTS,
    Component,
    Document,
    Entry,
    records_of,
)
from svc_tui.workspace.files.company_extras import (
    ACCEPTED,
    DDIS,
    DEVICES,
    EXACTLY,
    EXTENSION,
    LICENCES,
    MAC,
    SERVICES,
    accepted_schema,
    extras_of,
    text_of,
    wanted_of,
)
from svc_tui.workspace.files.company_services import numbers_of
from svc_tui.workspace.files.company_telephony import Telephony, telephony_of
from svc_tui.workspace.files.company_values import licences_of, named
from svc_tui.workspace.files.positioned_yaml import FaultyDocument, Node

#: The states of a company that the service gives by itself; others are set by hand.
_BY_ITSELF = ("initializing", "active")
#: What a document of telephony alone has of its parts, besides the IDs and keys of their entries.
_TELEPHONY = ("company", "cloudpbx", "users")


async def exported(service: Reader, company: RecordData, *, telephony: bool = False) -> AsyncIterator[str]:
    """The lines of the document of a company, or of its telephony alone, as a state to come back to. ReadError.

    The lists of users are then exact: what a user got since is a difference too.
    """
    id = str(company["id"])
    unmanaged: dict[str, None] = {}
    systems = [row async for row in records_of(service, BY_NAME["cloudpbx"], id)]
    names = _trunks(systems)
    country = str(company.get("country") or "")
    there = await telephony_of(service, systems[0], country, planning=False) if systems else Telephony()
    yield _("# {name}. What this document does not name is left as it is; `null` clears a value.").format(
        name=" ".join(str(company.get("name") or id).split())
    )
    for component in COMPONENTS:
        if telephony and component.name not in _TELEPHONY:
            continue
        if component.name == "cloudpbx":
            rows = systems
        else:
            rows = [company] if component.name == "company" else await _rows(service, component, id, systems)
        names |= {str(row["id"]): str(row.get(component.key) or "") for row in rows}
        if not rows:
            continue
        yield ""
        yield f"{component.name}:"
        for index, row in enumerate(rows):
            for wire in (spec.wire for spec in component.left_out if not spec.facet.secret and row.get(spec.wire)):
                unmanaged[f"{component.name}.{wire}"] = None
            first = True
            extras = _snapshot(component, row, there) if telephony else extras_there(component, row, there)
            for line in _lines(component, row, names, extras, helped=index == 0, keys_only=telephony):
                yield f"  {line}" if component.single else f"  {'- ' if first else '  '}{line}"
                first = False
    if telephony:
        return
    yield ""
    yield _("# Not in this document:")
    for text in NOT_COVERED:
        yield f"# - {_(text)}"
    if unmanaged:
        yield _("# - Fields that refer to records outside of it: {names}").format(names=", ".join(unmanaged))


def _trunks(systems: list[RecordData]) -> dict[str, str]:
    """The names of the linked trunks by their IDs."""
    trunks = filter(None, (row.get("externalTrunkAdditionalInfo") for row in systems))
    return {str(trunk.get("id")): str(trunk.get("name")) for trunk in trunks}


async def _rows(service: Reader, component: Component, company_id: str, systems: list[RecordData]) -> list[RecordData]:
    """The records of a part, of the company or of its CloudPBX. ReadError."""
    owners = [str(row["id"]) for row in systems] if component.of_system else [company_id]
    return [row for owner in owners async for row in records_of(service, component, owner)]


def extras_there(component: Component, row: RecordData, there: Telephony) -> dict[str, Any]:
    """What an entry has besides its fields."""
    if component.name == "cloudpbx":
        return there.of_system()
    if component.name == SERVICES:
        numbers = numbers_of(row)
        return {DDIS: numbers} if numbers else {}
    if component.name != "users":
        return {}
    licences = licences_of(row)
    return {**({LICENCES: licences} if licences else {}), **there.of_user(str(row["id"]))}


def _snapshot(component: Component, row: RecordData, there: Telephony) -> dict[str, Any]:
    """The telephony of an entry, also that a user has none; numbers that no user has are only kept."""
    if component.name != "users":
        return extras_there(component, row, there)
    found = there.of_user(str(row["id"]))
    if EXTENSION not in found:
        return {EXTENSION: None}
    return {EXTENSION: found[EXTENSION], **{name: {EXACTLY: found.get(name, [])} for name in (DDIS, DEVICES)}}


def values_of(
    component: Component, row: RecordData, names: Mapping[str, str], *, usual: bool = False
) -> Iterator[tuple[str, Any]]:
    """The managed values of a record as a document has them, the key first; `usual`: also those that are usual."""
    for wire, spec in component.specs.items():
        value = named(spec, row.get(wire), names)
        default = component.readable[wire].default
        expected = NEW_USER.get(wire) if component.name == "users" else None
        if wire == "expirationDate" and (row.get("monthlyDuration") or row.get("prepaidDuration")):
            # The end of its term.
            continue
        if component.name == "company" and wire == "status" and value in _BY_ITSELF:
            continue
        if (
            wire == component.key
            or usual
            or not (value in (None, "", [], {}) or value in (spec.default, default, expected))
        ):
            yield wire, value


def _lines(
    component: Component,
    row: RecordData,
    names: Mapping[str, str],
    extras: Mapping[str, Any],
    *,
    helped: bool,
    keys_only: bool = False,
) -> Iterator[str]:
    """The ID and the managed values of a record that differ from the default; the first record has the help."""
    yield f"id: {json.dumps(str(row['id']))}"
    for wire, value in values_of(component, row, names):
        if wire == component.key or not keys_only:
            yield from _dumped(wire, value, component.specs[wire].facet.help if helped else "")
    for wire, value in extras.items():
        yield from _dumped(wire, value, extras_of(component.name)[wire].help if helped else "")


def _dumped(name: str, value: Any, help: str) -> list[str]:
    """The lines of a value, the first with its help."""
    lines = yaml.safe_dump({name: value}, allow_unicode=True, sort_keys=False, width=10_000).rstrip("\n").split("\n")
    if help:
        lines[0] += f"  # {' '.join(help.split())}"
    return lines


async def document_from(service: Reader, company: RecordData, *, whole: bool) -> Document:
    """The document of a company as it is; `whole`: with the usual values, and all lists are exact. ReadError."""
    id = str(company["id"])
    systems = [row async for row in records_of(service, BY_NAME["cloudpbx"], id)]
    there = Telephony()
    if systems:
        there = await telephony_of(service, systems[0], str(company.get("country") or ""), planning=False)
    names = _trunks(systems)
    entries: list[Entry] = []
    for component in COMPONENTS:
        rows = {"company": [company], "cloudpbx": systems}.get(component.name)
        rows = await _rows(service, component, id, systems) if rows is None else rows
        names |= {str(row["id"]): str(row.get(component.key) or "") for row in rows}
        for row in rows:
            values = dict(values_of(component, row, names, usual=whole))
            further = extras_there(component, row, there)
            if whole:
                values = {wire: _whole(component.specs[wire], value) for wire, value in values.items()}
                several = {wire for wire, extra in extras_of(component.name).items() if extra.several}
                further = {wire: {EXACTLY: []} for wire in several} | {
                    wire: {EXACTLY: value} if wire in several else value for wire, value in further.items()
                }
            name = str(row.get(component.key) or "")
            entries.append(Entry(component, str(row["id"]), name, {**values, **further}, Node(None, 1, 1)))
    lists = {component.name for component in COMPONENTS if not component.single} if whole else ()
    return Document(tuple(entries), frozenset(lists))


def _whole(spec: FieldSpec, value: Any) -> Any:
    """A value that leaves nothing of another one."""
    if spec.kind in LISTS:
        return {EXACTLY: list(value or ())}
    if spec.kind == "object" and spec.record is not None and isinstance(value, dict):
        return dict.fromkeys(field_by_wire(spec.record)) | value
    return None if value == "" else value


# --- the schema --------------------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON Schema of documents, from the declaration."""
    defs: dict[str, Any] = {}
    parts = {component.name: _part_schema(component, defs) for component in COMPONENTS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _("A company"),
        "type": "object",
        "properties": {**parts, ACCEPTED: accepted_schema(PARTS)},
        "required": ["company"],
        "additionalProperties": False,
        "$defs": defs,
    }


def _part_schema(component: Component, defs: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"id": {"type": "string"}}
    for operation in (component.create, component.update):
        made = body_of(operation).model_json_schema(by_alias=True)
        defs |= made.get("$defs", {})
        for wire, found in made["properties"].items():
            if (spec := component.specs.get(wire)) is not None:
                whole = {"type": "object", "properties": {EXACTLY: found}, "additionalProperties": False}
                properties[wire] = {"anyOf": [found, whole]} if spec.kind in LISTS else found
    properties.setdefault(component.key, {"type": "string"})
    properties |= {name: extra.schema() for name, extra in extras_of(component.name).items()}
    entry = {"type": "object", "properties": properties, "additionalProperties": False}
    if component.single:
        return entry
    several = {"type": "array", "items": entry}
    return {"anyOf": [several, {"type": "object", "properties": {EXACTLY: several}, "additionalProperties": False}]}


# --- another company like one that there is --------------------------------------------------------------------

_NAME, _LOGINS, _NUMBERS, _ADDRESSES = "company", "logins", "numbers", "macAddresses"


def _unique(model: Document) -> dict[str, list[str]]:
    """The values that no other company may have, by what they are."""
    users = [entry for entry in model.entries if entry.component.name == "users"]
    numbers = [number for entry in model.entries for number in wanted_of(entry.values.get(DDIS))[0]]
    devices = [device for entry in users for device in wanted_of(entry.values.get(DEVICES))[0]]
    found = {
        _NAME: [model.company.name],
        _LOGINS: [entry.name for entry in users],
        _NUMBERS: numbers,
        _ADDRESSES: [device[MAC] for device in devices if device.get(MAC)],
    }
    return {part: values for part, values in found.items() if values}


def questions(model: Document) -> str:
    """The text that asks for new values: each value of the document, a colon, and room for the new one."""
    return "\n".join(
        line
        for part, values in _unique(model).items()
        for line in (f"{part}:", *(f"  {json.dumps(value, ensure_ascii=False)}: " for value in values))
    )


def clone_of(model: Document, answers: str) -> Document:
    """The document of the new company; what has no new value is left out. FaultyDocument."""
    root = positioned_yaml.read(answers)
    parts = root.value if isinstance(root.value, dict) else {}
    unique = _unique(model)
    new: dict[str, str] = {}
    for part, node in parts.items():
        for old, inner in (node.value if isinstance(node.value, dict) else {}).items():
            if old not in unique.get(part, ()):
                raise FaultyDocument([node.fault(_("unknown name “{name}”. {hint}").format(name=old, hint=""), old)])
            if text := text_of(inner):
                new[old] = text
    if new.get(model.company.name, model.company.name) == model.company.name:
        raise FaultyDocument([root.fault(_("the new company has no name yet"), _NAME)])
    return replace(model, entries=tuple(_entries(model, new)))


def _entries(model: Document, new: Mapping[str, str]) -> Iterator[Entry]:
    for entry in model.entries:
        name = new.get(entry.name, entry.name)
        if entry.component.name == "users" and entry.name not in new:
            continue
        if entry.component.name == "cloudpbx":
            name = name.replace(model.company.name, new[model.company.name])
        values = {wire: _replaced(value, new) for wire, value in entry.values.items()}
        if DDIS in values:
            values[DDIS] = [new[number] for number in wanted_of(entry.values[DDIS])[0] if number in new]
        if DEVICES in values:
            values[DEVICES] = [
                _replaced(device, new)
                for device in wanted_of(entry.values[DEVICES])[0]
                if MAC not in device or device[MAC] in new
            ]
        yield replace(entry, id="", name=name, values={**values, entry.component.key: name})


def _replaced(value: Any, new: Mapping[str, str]) -> Any:
    """A value in which each text that must be unique is the new one."""
    if isinstance(value, dict):
        return {name: _replaced(each, new) for name, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, new) for each in value]
    return new.get(value, value) if isinstance(value, str) else value
