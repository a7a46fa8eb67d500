"""One JSON response on standard output, as JSON or as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.commands import output
from svc_tui.commands.exits import print_message
from svc_tui.language import _

Records = list[dict[str, Any]]


def write(small: Sequence[str], body: Any, format: output.Format) -> None:
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
        output.write_line(output.cell_text(data))
    elif format == "csv":
        output.Csv(list(data)).write([data])
    else:
        output.write_fields(data)


def _report_rest(body: Any, count: int) -> None:
    total = body.get("total") if isinstance(body, Mapping) else None
    if isinstance(total, int) and total > count:
        print_message(_("{count} of {total} shown. Use --all to fetch all pages.").format(count=count, total=total))
