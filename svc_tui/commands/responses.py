"""Responses on standard output as JSON, CSV or a table. Long lists are written page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.client.shape import check_shape
from svc_tui.commands import output
from svc_tui.commands.exits import print_message
from svc_tui.commands.request import Request
from svc_tui.interface.catalogue import record_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import fields_of

if TYPE_CHECKING:
    from svc_tui.client.client import Client

Records = list[dict[str, Any]]


def write(request: Request, body: Any, format: output.Format) -> None:
    """Write one response. Anything but JSON is written byte for byte."""
    if request.operation.gives:
        output.write_bytes(body)
        return
    if format == "json":
        output.write_json(body)
        return
    data = body.get("data", body) if isinstance(body, Mapping) else body
    rows = _rows(data)
    if rows is None:
        _write_one(data, format)
    elif format == "csv":
        _csv(request, rows).write(rows)
    else:
        output.write_table(rows, table_columns(request.operation, rows))
        _report_rest(request, body, len(rows))


async def write_pages(request: Request, client: Client, format: output.Format) -> None:
    """Write a whole list, each page before the next one is requested."""
    writers: dict[output.Format, type[_Pages]] = {"json": _JsonPages, "csv": _CsvPages, "table": _TablePages}
    writer = writers[format](request)
    async for body in pages(request, client):
        writer.write(body)
    writer.end()


async def pages(request: Request, client: Client) -> AsyncIterator[dict[str, Any]]:
    """The response bodies of a list operation from the requested offset to the end, unchanged."""
    offset = int(request.query.get("offset", 0))
    while True:
        query = {**request.query, "offset": offset}
        answer = await client.send(request.operation, path=request.path, query=query)
        check_shape(request.operation, answer.status, answer.body, whole=True)
        body: dict[str, Any] = answer.body
        yield body
        offset += len(body["data"])
        if not body["data"] or offset >= body["total"]:
            return


class _Pages:
    """Writes a list page by page."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.count = 0

    def write(self, body: dict[str, Any]) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """Complete the output after the last page."""


class _JsonPages(_Pages):
    """One JSON document in the shape of a single page, written record by record."""

    def write(self, body: dict[str, Any]) -> None:
        for record in body["data"]:
            output.write_text(("," if self.count else '{"data": [') + "\n" + output.json_text(record, None))
            self.count += 1

    def end(self) -> None:
        output.write_text(("\n]" if self.count else '{"data": []') + f', "offset": 0, "total": {self.count}}}\n')


class _CsvPages(_Pages):
    csv: output.Csv | None = None

    def write(self, body: dict[str, Any]) -> None:
        if self.csv is None:
            self.csv = _csv(self.request, body["data"])
        self.csv.write(body["data"])

    def end(self) -> None:
        if self.csv is not None and self.csv.omitted:
            print_message(
                f"Fields omitted because only later records have them: {', '.join(sorted(self.csv.omitted))}."
            )


class _TablePages(_Pages):
    table: output.Table | None = None

    def write(self, body: dict[str, Any]) -> None:
        if self.table is None:
            self.table = output.Table(table_columns(self.request.operation, body["data"]), body["data"])
        self.table.write(body["data"])
        self.count += len(body["data"])

    def end(self) -> None:
        print_message(f"{self.count} in total.")


def csv_columns(request: Request, rows: Records) -> list[str]:
    """The fields of these records in the order of the declaration, undeclared fields last."""
    record = record_of(request.operation.id)
    present = dict.fromkeys(name for row in rows for name in row)
    declared = [spec.wire for spec in fields_of(record)] if record else []
    expected = [name for name in declared if name in present] or declared
    return [*expected, *(name for name in present if name not in expected)]


def table_columns(operation: AnyOperation, rows: Records) -> list[str]:
    """The fields of the small format that these records have, or all their fields."""
    record = record_of(operation.id)
    present = dict.fromkeys(name for row in rows for name in row)
    small = [name for name in record.SMALL if name in present] if record else []
    return small or list(present)


def _csv(request: Request, rows: Records) -> output.Csv:
    return output.Csv(csv_columns(request, rows))


def _rows(data: Any) -> Records | None:
    if isinstance(data, list):
        return [item if isinstance(item, dict) else {"value": item} for item in data]
    return None


def _write_one(data: Any, format: output.Format) -> None:
    if not isinstance(data, dict):
        output.write_line(output.cell_text(data))
    elif format == "csv":
        output.Csv(list(data)).write([data])
    else:
        output.write_fields(data)


def _report_rest(request: Request, body: Any, count: int) -> None:
    total = body.get("total") if isinstance(body, Mapping) else None
    if isinstance(total, int) and total > count:
        print_message(f"{count} of {total} shown. Use --all to fetch all pages.")
