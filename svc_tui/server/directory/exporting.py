"""Export of a company's whole directory, as records or as CSV: written while it is read, a few entries at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from pydantic_core import from_json, to_json

from svc_tui.interface.directory import import_operations as declared
from svc_tui.interface.directory.csv.columns import LDAP_ID
from svc_tui.interface.directory.csv.writing import cells_of, lines, used_columns
from svc_tui.interface.directory.import_operations import ExportQuery
from svc_tui.interface.directory.records import DirectoryEntry
from svc_tui.interface.readers import Whose
from svc_tui.server.directory.access import reached_company, represented
from svc_tui.server.directory.stored import live_directory
from svc_tui.server.rules import Call, RuleResult, StreamResult, rule
from svc_tui.server.store.conditions import Condition, Is, Not
from svc_tui.server.store.directory_tables import DIRECTORY_ENTRIES
from svc_tui.server.store.tables import Document
from svc_tui.server.store.walking import walked

#: Walks through all entries; each call is another walk.
_Walk = Callable[[], AsyncIterator[list[Document]]]


@rule(declared.export_directory_synchronized)
async def export(call: Call[ExportQuery]) -> RuleResult:
    company = await reached_company(call, call.query.company_id)
    directory = await live_directory(call.store, ("companyId", company.id))
    where: list[Condition] = [Is("directory", directory.id if directory else "")]
    if call.query.ldap_id:
        where.append(Not(Is(LDAP_ID, None)))
    database = call.service.database
    withheld = await call.readers.withheld(DirectoryEntry, Whose(company_id=company.id))

    async def walk() -> AsyncIterator[list[Document]]:
        async for texts in walked(database, DIRECTORY_ENTRIES, *where):
            yield [_without(represented(from_json(text)), withheld) for text in texts]

    return StreamResult(_written(walk, call.query.format))


def _without(entry: Document, withheld: frozenset[str]) -> Document:
    return {name: value for name, value in entry.items() if name not in withheld} if withheld else entry


async def _written(walk: _Walk, format: str) -> AsyncIterator[bytes]:
    """The answer: `{"data": ...}` with the records, the file as one text, or both."""
    yield b'{"data":' + (b'{"json":' if format == "all" else b"")
    if format != "csv":
        async for piece in _records(walk):
            yield piece
    if format == "all":
        yield b',"csv":'
    if format != "json":
        async for piece in _csv(walk):
            yield piece
    yield b"}}" if format == "all" else b"}"


async def _records(walk: _Walk) -> AsyncIterator[bytes]:
    before = b"["
    async for entries in walk():
        yield before + b",".join(to_json(entry) for entry in entries)
        before = b","
    yield b"[]" if before == b"[" else b"]"


async def _csv(walk: _Walk) -> AsyncIterator[bytes]:
    """The file as a JSON text. Its columns are those that any entry uses, so the entries are read twice."""
    most: dict[str, Any] = {}
    async for entries in walk():
        for entry in entries:
            _widen(most, entry)
    columns = used_columns([most])
    yield b'"' + _escaped(lines([column.name for column in columns], ()))
    async for entries in walk():
        rows = (cells_of(entry, columns) for entry in entries)
        yield b"".join(_escaped(lines(row, ())) for row in rows)
    yield b'"'


def _widen(most: dict[str, Any], entry: Document) -> None:
    """Note the fields of an entry, and the longest of each list."""
    for field, value in entry.items():
        if value not in (None, "", []) and (
            field not in most or (isinstance(value, list) and len(value) > len(most[field]))
        ):
            most[field] = value


def _escaped(text: str) -> bytes:
    """A part of a JSON text."""
    return to_json(text)[1:-1]
