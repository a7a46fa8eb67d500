"""An answer of the service on standard output: as JSON, CSV or a table; long lists page by page as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.commands import output
from svc_tui.commands.exits import say
from svc_tui.commands.request import Wanted
from svc_tui.interface.catalogue import record_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import fields_of

if TYPE_CHECKING:
    from svc_tui.client.client import Client

#: A table that is read by people shows the fields that a small list shows.
Records = list[dict[str, Any]]


def write(wanted: Wanted, body: Any, form: output.Format) -> None:
    """One answer. What is no JSON goes out byte for byte."""
    if wanted.operation.gives:
        output.data(body)
        return
    if form == "json":
        output.json_document(body)
        return
    data = body.get("data", body) if isinstance(body, Mapping) else body
    rows = _rows(data)
    if rows is None:
        _write_one(data, form)
    elif form == "csv":
        _csv(wanted, rows).write(rows)
    else:
        output.table(rows, table_columns(wanted.operation, rows))
        _say_rest(wanted, body, len(rows))


async def write_pages(wanted: Wanted, client: Client, form: output.Format) -> None:
    """A whole list, each page written before the next one is asked for."""
    kinds: dict[output.Format, type[_Pages]] = {"json": _JsonPages, "csv": _CsvPages, "table": _TablePages}
    writer = kinds[form](wanted)
    async for body in pages(wanted, client):
        writer.write(body)
    writer.end()


async def pages(wanted: Wanted, client: Client) -> AsyncIterator[dict[str, Any]]:
    """The answers of a list operation from its offset to its end, exactly as the service gives them."""
    offset = int(wanted.query.get("offset", 0))
    while True:
        query = {**wanted.query, "offset": offset}
        answer = await client.send(wanted.operation, path=wanted.path, query=query)
        body: dict[str, Any] = answer.body
        yield body
        offset += len(body["data"])
        if not body["data"] or offset >= body.get("total", 0):
            return


class _Pages:
    """Writes the pages of a list as they come."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.count = 0

    def write(self, body: dict[str, Any]) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """The last page was written."""


class _JsonPages(_Pages):
    """One JSON document in the shape of a single page, written record by record."""

    def write(self, body: dict[str, Any]) -> None:
        for record in body["data"]:
            output.raw(("," if self.count else '{"data": [') + "\n" + output.json_text(record, None))
            self.count += 1

    def end(self) -> None:
        output.raw(("\n]" if self.count else '{"data": []') + f', "offset": 0, "total": {self.count}}}\n')


class _CsvPages(_Pages):
    csv: output.Csv | None = None

    def write(self, body: dict[str, Any]) -> None:
        if self.csv is None:
            self.csv = _csv(self.wanted, body["data"])
        self.csv.write(body["data"])

    def end(self) -> None:
        if self.csv is not None and self.csv.left_out:
            say(f"Left out, because only later records have it: {', '.join(sorted(self.csv.left_out))}.")


class _TablePages(_Pages):
    table: output.Table | None = None

    def write(self, body: dict[str, Any]) -> None:
        if self.table is None:
            self.table = output.Table(table_columns(self.wanted.operation, body["data"]), body["data"])
        self.table.write(body["data"])
        self.count += len(body["data"])

    def end(self) -> None:
        say(f"{self.count} in all.")


def csv_columns(wanted: Wanted, rows: Records) -> list[str]:
    """The fields that these records have, in the order of the declaration; what it does not know comes last."""
    record = record_of(wanted.operation.id)
    seen = dict.fromkeys(name for row in rows for name in row)
    declared = [spec.wire for spec in fields_of(record)] if record else []
    expected = [name for name in declared if name in seen] or declared
    return [*expected, *(name for name in seen if name not in expected)]


def table_columns(operation: AnyOperation, rows: Records) -> list[str]:
    """The fields of the small format, as far as these records have them; otherwise all of them."""
    record = record_of(operation.id)
    seen = dict.fromkeys(name for row in rows for name in row)
    small = [name for name in record.SMALL if name in seen] if record else []
    return small or list(seen)


def _csv(wanted: Wanted, rows: Records) -> output.Csv:
    return output.Csv(csv_columns(wanted, rows))


def _rows(data: Any) -> Records | None:
    if isinstance(data, list):
        return [item if isinstance(item, dict) else {"value": item} for item in data]
    return None


def _write_one(data: Any, form: output.Format) -> None:
    if not isinstance(data, dict):
        output.line(output.cell(data))
    elif form == "csv":
        output.Csv(list(data)).write([data])
    else:
        output.pairs(data)


def _say_rest(wanted: Wanted, body: Any, count: int) -> None:
    total = body.get("total") if isinstance(body, Mapping) else None
    if isinstance(total, int) and total > count:
        say(f"{count} of {total}; --all follows the pages.")
