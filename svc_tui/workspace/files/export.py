"""Rows of a list as CSV or JSON: the original text, but nothing that a spreadsheet would take for a formula."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Protocol

from svc_tui.cache.cached import Row
from svc_tui.workspace.files.shared_files import replacing

Form = Literal["csv", "json"]
#: First characters that make a spreadsheet calculate; some languages type them wide.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


class HasRows(Protocol):
    """A listing, or anything else that gives all its rows."""

    def rows(self) -> AsyncIterator[Row]: ...


async def export(listing: HasRows, file: Path, form: Form, columns: Sequence[str], *, over: bool = True) -> int:
    """Write all rows to a file that only this user can read; the number of rows.

    The file is there whole or not at all. NotRead when not all rows can be had, OSError when it cannot be written;
    one that is there is replaced only with `over`.
    """
    count = 0
    with replacing(file, over=over) as target:
        async for part in lines(listing, form, columns):
            # Half of a surrogate pair has no UTF-8 of its own; it is passed on as it is.
            target.write(part.encode("utf-8", "surrogatepass"))
            count += 1
    return count - 2 if form == "json" else count - 1


async def lines(listing: HasRows, form: Form, columns: Sequence[str]) -> AsyncIterator[str]:
    """The document in parts: a head, one part a row and, for JSON, an end."""
    if form == "csv":
        yield csv_line([guarded(column) for column in columns])
        async for row in listing.rows():
            yield csv_line([cell(_at(row, column)) for column in columns])
        return
    yield "["
    between = "\n"
    async for row in listing.rows():
        yield between + json.dumps(row, ensure_ascii=False, default=str)
        between = ",\n"
    yield "\n]\n"


def _at(row: Row, column: str) -> Any:
    """The value of a column: a field, or by a dotted path a value inside an object."""
    if column in row:
        return row[column]
    value: Any = row
    for name in column.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def cell(value: Any) -> str:
    """A value as a CSV cell. Numbers stay numbers; texts that would be formulas get an apostrophe in front."""
    match value:
        case None:
            return ""
        case str():
            return guarded(value)
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return str(value)
    return json.dumps(value, ensure_ascii=False)


def guarded(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would calculate it."""
    return "'" + text if text.startswith(_FORMULA) else text


def csv_line(cells: Sequence[str]) -> str:
    """One line of RFC 4180."""
    target = io.StringIO(newline="")
    csv.writer(target, lineterminator="\r\n").writerow(cells)
    return target.getvalue()
