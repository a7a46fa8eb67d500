"""Responses on standard output as JSON, CSV or a table. Long lists are written page by page."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.client.responses import check_shape
from svc_tui.commands import output
from svc_tui.commands.exits import print_message
from svc_tui.commands.progress import ProgressLine
from svc_tui.commands.request import CallRequest
from svc_tui.interface.catalogue import record_of
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.texts import cell_text, counted
from svc_tui.language import _, number_text

if TYPE_CHECKING:
    from svc_tui.client.client import Client


def write(request: CallRequest, body: Any, format: output.Format) -> None:
    """Write one response. Anything but JSON is written byte for byte."""
    if request.operation.gives:
        output.write_bytes(body)
        return
    rows = rows_of(data_of(body))
    if format == "csv" and rows is not None:
        _csv(request, rows).write(rows)
    elif format == "csv":
        write_one(data_of(body), format)
    else:
        write_whole(_small(request.operation), body, format)


async def write_pages(request: CallRequest, client: Client, format: output.Format) -> None:
    """Write a whole list, each page before the next one is requested."""
    writer, line, read = writer_of(request, format), ProgressLine(), 0
    try:
        async for body in pages(request, client):
            writer.write(body)
            read += len(body["data"])
            # Where the rows go to the terminal too, they are their own progress.
            if not output.is_terminal():
                total = int(body["total"])
                line.count(read, total, f"{number_text(read)} of {counted(total, 'record')}", "records")
    finally:
        line.clear()
    writer.end()


def writer_of(request: CallRequest, format: output.Format) -> ResponseWriter:
    """The writer of a list in a format."""
    writers: dict[output.Format, type[ResponseWriter]] = {
        "json": _JsonWriter,
        "jsonl": _LineWriter,
        "csv": _CsvWriter,
        "table": _TableWriter,
    }
    return writers[format](request)


async def pages(request: CallRequest, client: Client) -> AsyncIterator[dict[str, Any]]:
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


class ResponseWriter:
    """Writes a list page by page."""

    def __init__(self, request: CallRequest) -> None:
        self.request = request
        self.count = 0

    @abstractmethod
    def write(self, body: dict[str, Any]) -> None:
        """Write the records of one page."""

    def end(self) -> None:
        """Complete the output after the last page."""


class _JsonWriter(ResponseWriter):
    """One JSON document in the shape of a single page, written record by record."""

    def write(self, body: dict[str, Any]) -> None:
        for record in body["data"]:
            output.write_text(("," if self.count else '{"data": [') + "\n" + output.json_text(record, None))
            self.count += 1

    def end(self) -> None:
        output.write_text(("\n]" if self.count else '{"data": []') + f', "offset": 0, "total": {self.count}}}\n')


class _LineWriter(ResponseWriter):
    """One record per line, as JSON."""

    def write(self, body: dict[str, Any]) -> None:
        write_lines(body["data"])


class _CsvWriter(ResponseWriter):
    csv: output.Csv | None = None

    def write(self, body: dict[str, Any]) -> None:
        if self.csv is None:
            self.csv = _csv(self.request, body["data"])
        self.csv.write(body["data"])

    def end(self) -> None:
        if self.csv is not None and self.csv.omitted:
            print_message(
                _("Fields omitted because only later records have them: {omitted}.").format(
                    omitted=", ".join(sorted(self.csv.omitted))
                )
            )


class _TableWriter(ResponseWriter):
    table: output.Table | None = None

    def write(self, body: dict[str, Any]) -> None:
        if self.table is None:
            self.table = output.Table(table_columns(_small(self.request.operation), body["data"]), body["data"])
        self.table.write(body["data"])
        self.count += len(body["data"])

    def end(self) -> None:
        print_message(_("{count} in total.").format(count=self.count))


def csv_columns(request: CallRequest, rows: Records) -> list[str]:
    """The fields of these records in the order of the declaration, undeclared fields last."""
    record = record_of(request.operation.id)
    present = dict.fromkeys(name for row in rows for name in row)
    declared = [spec.wire for spec in fields_of(record)] if record else []
    expected = [name for name in declared if name in present] or declared
    return [*expected, *(name for name in present if name not in expected)]


def _small(operation: AnyOperation) -> tuple[str, ...]:
    record = record_of(operation.id)
    return record.SMALL if record else ()


def _csv(request: CallRequest, rows: Records) -> output.Csv:
    return output.Csv(csv_columns(request, rows))


Records = list[dict[str, Any]]


def write_whole(small: Sequence[str], body: Any, format: output.Format) -> None:
    """Write one response, but not as CSV. A table has the fields `small` of records, where they have any of them."""
    if format == "json":
        output.write_json(body)
        return
    data = data_of(body)
    rows = rows_of(data)
    if format == "jsonl":
        write_lines(data if isinstance(data, list) else [data])
    elif rows is None:
        write_one(data, format)
    else:
        output.write_table(rows, table_columns(small, rows))
        _report_rest(body, len(rows))


def write_lines(values: Sequence[Any]) -> None:
    """Write one JSON value per line."""
    for value in values:
        output.write_text(output.json_text(value, None) + "\n")


def data_of(body: Any) -> Any:
    """The content of a response: its `data`, or all of it."""
    return body.get("data", body) if isinstance(body, Mapping) else body


def rows_of(data: Any) -> Records | None:
    """The rows of a list; None for one record."""
    if isinstance(data, list):
        return [item if isinstance(item, dict) else {"value": item} for item in data]
    return None


def table_columns(small: Sequence[str], rows: Records) -> list[str]:
    """The fields of the small format that these records have, or all their fields."""
    present = dict.fromkeys(name for row in rows for name in row)
    return [name for name in small if name in present] or list(present)


def write_one(data: Any, format: output.Format) -> None:
    """Write one record, or a value that is none."""
    if not isinstance(data, dict):
        output.write_line(cell_text(data))
    elif format == "csv":
        output.Csv(list(data)).write([data])
    else:
        output.write_fields(data)


def _report_rest(body: Any, count: int) -> None:
    total = body.get("total") if isinstance(body, Mapping) else None
    if isinstance(total, int) and total > count:
        print_message(_("{count} of {total} shown. Use --all to fetch all pages.").format(count=count, total=total))
