"""Rows of a list as CSV, JSON or a workbook: the original text, which no spreadsheet evaluates or shortens."""

from __future__ import annotations

import csv
import errno
import io
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from svc_tui.interface.data import RecordData
from svc_tui.language import _, number_text
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.files.saved_files import saved_file

if TYPE_CHECKING:
    import xlsxwriter
else:
    xlsxwriter = lazy_import("xlsxwriter")

ExportFormat = Literal["csv", "json", "xlsx"]
#: The most rows of a worksheet with its heading, and the most characters of a cell.
_MOST_ROWS, _MOST_TEXT = 1_048_576, 32_767
#: Larger numbers lose digits in a workbook: they are written as texts.
_EXACT = 10**15
#: The forms of days and moments in a workbook: the same in every language.
_DAY = "yyyy-mm-dd"
_MOMENT = f"{_DAY} hh:mm"
#: The widest column of a workbook, in characters.
_WIDEST = 48
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
        if format == "xlsx":
            content, count = await workbook(listing, columns)
            target.write(content)
            return count
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


async def workbook(listing: RowSource, columns: Sequence[str]) -> tuple[bytes, int]:
    """All rows as a workbook (.xlsx) with one worksheet, and their number.

    Texts stay texts: telephone numbers and leading zeros are not changed, and nothing is a formula or a link. OSError
    (EFBIG) for more rows than a worksheet has.
    """
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"constant_memory": True})
    sheet = book.add_worksheet()
    heading = book.add_format({"bold": True})
    forms = {
        datetime: book.add_format({"num_format": _MOMENT}),
        date: book.add_format({"num_format": _DAY}),
    }
    for place, column in enumerate(columns):
        sheet.set_column(place, place, max(10, min(_WIDEST, len(column) + 10)))
    for place, column in enumerate(columns):
        sheet.write_string(0, place, _in_cell(column), heading)
    sheet.freeze_panes(1, 0)
    count = 0
    async for row in listing.rows():
        count += 1
        if count == _MOST_ROWS:
            most = number_text(_MOST_ROWS - 1)
            raise OSError(errno.EFBIG, _("a worksheet has at most {most} rows").format(most=most))
        for place, column in enumerate(columns):
            value = _value(row, column)
            if isinstance(value, date) and value.year >= 1900:
                # A datetime is a date too.
                sheet.write_datetime(count, place, value, forms[datetime if isinstance(value, datetime) else date])
            elif isinstance(value, bool):
                sheet.write_boolean(count, place, value)
            elif isinstance(value, int | float | Decimal) and -_EXACT < value < _EXACT:
                sheet.write_number(count, place, float(value))
            elif value is not None and value != "":
                sheet.write_string(count, place, _in_cell(value if isinstance(value, str) else cell(value)))
    if count:
        sheet.autofilter(0, 0, count, max(len(columns) - 1, 0))
    book.close()
    return target.getvalue(), count


def _in_cell(text: str) -> str:
    """The text as a cell can hold it: without halves of surrogate pairs, and not longer than a cell."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole if len(whole) <= _MOST_TEXT else f"{whole[: _MOST_TEXT - 1]}…"


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
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
    return json.dumps(value, ensure_ascii=False)


def escaped(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would evaluate it; not before telephone numbers."""
    return "'" + text if text.startswith(_FORMULA) and not _NUMBERS.fullmatch(text) else text


def csv_line(cells: Sequence[str]) -> str:
    """One line of RFC 4180."""
    target = io.StringIO(newline="")
    csv.writer(target, lineterminator="\r\n").writerow(cells)
    return target.getvalue()
