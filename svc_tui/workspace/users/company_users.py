"""The users of a company's document from a file beside it, in the format of the import of users.

Further columns have what only documents have: licences and DDI numbers (separated by `;`), extension, and the address,
model and name of a device. A faulty row is a fault of the document, with the name of the file and its line.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.language import _
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.files import company_document, positioned_yaml
from svc_tui.workspace.files.company_document import Document
from svc_tui.workspace.files.company_extras import DDIS, DESCRIPTION, DEVICES, EXTENSION, LICENCES, MAC, MODEL, Nearest
from svc_tui.workspace.files.positioned_yaml import Fault, FaultyDocument, Node
from svc_tui.workspace.users.columns import ACTION, LOGIN, is_left_out
from svc_tui.workspace.users.file import KnownUsers, UserFile, UserRow, read_users

#: Columns of documents only, by their names in small letters.
_FURTHER = {name.casefold(): name for name in (LICENCES, EXTENSION, DDIS, MAC, MODEL, DESCRIPTION)}
_LISTS = (LICENCES, DDIS)


def document_at(path: Path) -> Document:
    """The checked document of a file, with the users of a file beside it that it names.

    FaultyDocument with all faults; OSError, UnicodeError and ValueError for a file that cannot be read.
    """
    return document_in(path.read_bytes(), path.parent)


def document_in(content: bytes, folder: Path) -> Document:
    """The checked document of a text, with the users of a file in a folder. FaultyDocument; UnicodeError."""
    # Ends of lines are those of text files everywhere.
    text = io.TextIOWrapper(io.BytesIO(content), "utf-8-sig").read()
    return company_document.checked(_with_users(positioned_yaml.read(text), folder), _nearest)


def _nearest(name: str, known: Iterable[str]) -> str:
    return suggestion(name, known, "")


def _with_users(root: Node, folder: Path) -> Node:
    """The document with the users of the file that it names. FaultyDocument."""
    parts = root.value if isinstance(root.value, dict) else {}
    users = parts.get("users")
    if users is None or not isinstance(users.value, str):
        return root
    name = users.value
    try:
        content = (folder / name).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        text = _("{name} cannot be read: {reason}").format(name=name, reason=reason)
        raise FaultyDocument([users.fault(text)]) from None
    company = parts.get("company")
    values = company.value if company and isinstance(company.value, dict) else {}
    country = str(values["country"].value or "") if "country" in values else ""
    return replace(root, value={**parts, "users": users_of(content, name, country, _nearest)})


def users_of(content: bytes, name: str, country: str, nearest: Nearest) -> Node:
    """The list of users in a file called `name`; numbers are those of a country. FaultyDocument with all faults."""
    try:
        file = read_users(io.BytesIO(content), KnownUsers(country=country))
    except BadFile as error:
        raise FaultyDocument([Fault(error.line, error.column, error.sentence, name)]) from None
    further = {place: _FURTHER[h.casefold()] for place, h in enumerate(file.headings) if h.casefold() in _FURTHER}
    known = dict.fromkeys((*_FURTHER.values(), *(column.name for column in file.columns.used)))
    own = dict.fromkeys(_FURTHER.values())
    faults = []
    for place, heading in enumerate(file.headings):
        if not heading or file.columns.columns[place] or place in further:
            continue
        # What other programs export is left out, unless it is nearly a column of documents.
        hint = nearest(heading, own) or ("" if is_left_out(heading) else nearest(heading, known))
        if hint or not is_left_out(heading):
            text = _("unknown name “{name}”. {hint}").format(name=heading, hint=hint).strip()
            faults.append(Fault(1, place + 1, text, name))
    for row in file.rows:
        faults += [
            Fault(row.line, _column(file, fault.column), _msg(fault.column, fault.msg), name) for fault in row.faults
        ]
        if _action(file, row) == "delete":
            faults.append(Fault(row.line, 1, _("a document deletes no user: remove the row"), name))
    if faults:
        raise FaultyDocument(faults)
    columns = {wire: place + 1 for place, wire in further.items()}
    users = [_node(_values(row, further), row.line, name, columns) for row in file.rows]
    return Node(users, 1, 1, file=name)


def _action(file: UserFile, row: UserRow) -> str:
    column = file.columns.find(ACTION)
    return row.cells[file.headings.index(column.heading)].strip().casefold() if column else ""


def _column(file: UserFile, heading: str) -> int:
    """The place of a column, from 1."""
    return file.headings.index(heading) + 1 if heading in file.headings else 1


def _msg(heading: str, msg: str) -> str:
    return f"{heading}: {msg}" if heading else msg


def _values(row: UserRow, further: Mapping[int, str]) -> dict[str, Any]:
    """The values of a row as a document has them."""
    values: dict[str, Any] = {LOGIN: row.login, **row.body}
    device: dict[str, str] = {}
    for place, wire in further.items():
        if not (text := row.cells[place].strip() if place < len(row.cells) else ""):
            continue
        if wire in _LISTS:
            values[wire] = [part.strip() for part in text.split(";") if part.strip()]
        elif wire == EXTENSION:
            values[wire] = text
        else:
            device[wire] = text
    return {**values, **({DEVICES: [device]} if device else {})}


def _node(value: Any, line: int, file: str, columns: Mapping[str, int], column: int = 1) -> Node:
    """A value at a line and column of a file; `columns` are those of some of its names."""
    if isinstance(value, dict):
        nodes = {name: _node(each, line, file, columns, columns.get(name, column)) for name, each in value.items()}
        return Node(nodes, line, column, keys={name: (line, node.column) for name, node in nodes.items()}, file=file)
    if isinstance(value, list):
        return Node([_node(each, line, file, columns, column) for each in value], line, column, file=file)
    return Node(value, line, column, file=file)
