"""Files with other columns than those of a directory: their format, headings and rows, read as contact files are.

The encoding, the delimiter and the dialects of programs are detected in the same way. What the columns mean is decided
by the reader of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from svc_tui.interface.directory.csv.columns import CsvColumn
from svc_tui.interface.directory.csv.dialects import visible
from svc_tui.interface.directory.csv.encodings import encoding_of
from svc_tui.interface.directory.csv.faults import BadFile, Fault
from svc_tui.interface.directory.csv.reading import DELIMITERS, CsvFormat, check_signs, records
from svc_tui.interface.directory.csv.sources import detected, named_separator, names_of, text_faults
from svc_tui.interface.errors import Code
from svc_tui.language import _


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its first line (from 1), its text, its values, and the faults of its text, which its values hide.

    The faults name columns by their headings.
    """

    line: int
    source: str
    cells: list[str]
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The headings of a file and its rows, in the format in which it was read. `line` is that of the headings."""

    csv_format: CsvFormat
    line: int
    headings: list[str]
    rows: list[TableRow]


def read_table(
    file: BinaryIO,
    known: Callable[[Sequence[str]], int],
    *,
    delimiter: str | None = None,
    comment: str = "%",
    encoding: str = "",
    corrected: Mapping[int, str] | None = None,
) -> Table:
    """Read a file. Of the delimiters, the one counts with which the most headings are `known`.

    BadFile where it cannot be read, UnknownEncoding where the user has to choose the encoding.
    """
    check_signs(delimiter, comment)
    encoding = encoding or encoding_of(file)
    csv_format = CsvFormat(encoding, delimiter or DELIMITERS[0], comment, corrected or {}, dialects=True)
    if not delimiter:
        sign = named_separator(file, encoding) or detected(file, csv_format, known)
        csv_format = replace(csv_format, delimiter=sign)
    read = records(file, csv_format)
    first = next(read, None)
    if first is None:
        raise BadFile(Code.NO_DATA, _("the file is empty; its first line must name the columns"))
    line, _source, cells, _lines = first
    headings = names_of(cells)
    columns = [CsvColumn(name, name) for name in headings]
    return Table(csv_format, line, headings, list(_rows(read, csv_format, columns)))


def _rows(
    read: Iterator[tuple[int, str, list[str], int]], csv_format: CsvFormat, columns: Sequence[CsvColumn]
) -> Iterator[TableRow]:
    for record in read:
        source, cells, faults = text_faults(record, csv_format, columns)
        yield TableRow(record[0], source, [visible(cell) for cell in cells], tuple(faults))
