"""Rows of a list as CSV or JSON: the original text, with formulas escaped for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Protocol

from svc_tui.interface.data import RecordData
from svc_tui.workspace.files.saved_files import saved_file

ExportFormat = Literal["csv", "json"]
#: First characters of a formula in spreadsheets, also in their full-width forms.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
#: Telephone numbers, which begin as formulas do: a plus, and only digits and their separators after it.
_NUMBER = r"\+[0-9(][0-9 ().\-/\u00a0]*"
_NUMBERS = re.compile(f"{_NUMBER}(, {_NUMBER})*")


class RowSource(Protocol):
    """A listing, or another source of rows."""

    def rows(self) -> AsyncIterator[RecordData]: ...


async def export(
    listing: RowSource, file: Path, format: ExportFormat, columns: Sequence[str], *, overwrite: bool = True
) -> int:
    """Write all rows to a file that only this user can read; the number of rows.

    The file is complete or does not exist. ReadError when not all rows can be read, OSError when it cannot be written;
    an existing file is replaced only with `overwrite`.
    """
    count = 0
    with saved_file(file, overwrite=overwrite) as target:
        async for part in lines(listing, format, columns):
            # Half of a surrogate pair has no UTF-8 encoding; it is written unchanged.
            target.write(part.encode("utf-8", "surrogatepass"))
            count += 1
    return count - 2 if format == "json" else count - 1


async def lines(listing: RowSource, format: ExportFormat, columns: Sequence[str]) -> AsyncIterator[str]:
    """The document in parts: a header, one part a row and, for JSON, an end."""
    if format == "csv":
        yield csv_line([escaped(column) for column in columns])
        async for row in listing.rows():
            yield csv_line([cell(_value(row, column)) for column in columns])
        return
    yield "["
    separator = "\n"
    async for row in listing.rows():
        yield separator + json.dumps(row, ensure_ascii=False, default=str)
        separator = ",\n"
    yield "\n]\n"


def _value(row: RecordData, column: str) -> Any:
    """The value of a column: a field, or by a dotted path a value inside an object."""
    if column in row:
        return row[column]
    value: Any = row
    for name in column.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def cell(value: Any) -> str:
    """A value as a CSV cell. Numbers stay numbers; texts that are formulas get an apostrophe in front."""
    match value:
        case None:
            return ""
        case str():
            return escaped(value)
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return str(value)
    return json.dumps(value, ensure_ascii=False)


def escaped(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would evaluate it; not before telephone numbers."""
    return "'" + text if text.startswith(_FORMULA) and not _NUMBERS.fullmatch(text) else text


def csv_line(cells: Sequence[str]) -> str:
    """One line of RFC 4180."""
    target = io.StringIO(newline="")
    csv.writer(target, lineterminator="\r\n").writerow(cells)
    return target.getvalue()
