"""Reading the rows of a directory file, one at a time, with their lines.

Memory use is that of one row. Any bytes result in rows or in a `BadFile`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import BinaryIO

from svc_tui.interface.directory.csv.columns import CsvColumn, all_columns, header
from svc_tui.interface.directory.csv.dialects import DialectLines
from svc_tui.interface.directory.csv.encodings import check_text, encoding_of, error_handler, marked_utf8, undecodable
from svc_tui.interface.directory.csv.faults import QUOTE, BadFile, BadQuote, Fault, Lines, lines_of
from svc_tui.interface.directory.csv.mapping import ColumnMapping
from svc_tui.interface.errors import Code
from svc_tui.language import _, number_text

DELIMITERS = (";", ",", "\t", "|")
#: Longest cell, in characters: the limit of the CSV reader.
LONGEST_CELL = csv.field_size_limit()


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """The format of a file. With an empty `comment` the file has no comments.

    `corrected`: number of a line, from 1 -> the text to read in its place. The file itself is not changed.
    `dialects`: whether it is read as programs write it; the service reads strictly.
    `mapping`: what its columns are in the format of the service; None where they have its names.
    """

    encoding: str
    delimiter: str
    comment: str
    corrected: Mapping[int, str] = field(default_factory=dict, hash=False)
    dialects: bool = False
    mapping: ColumnMapping | None = None


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row: its number, its first line (both from 1), its text, its cells, and its number of lines.

    `faults` are those of the file, which its cells no longer show, such as a byte that could not be read.
    """

    number: int
    line: int
    source: str
    cells: list[str]
    lines: int = 1
    faults: tuple[Fault, ...] = ()


def format_of(
    file: BinaryIO,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    only_utf8: bool = False,
    corrected: Mapping[int, str] | None = None,
) -> CsvFormat:
    """The format of a file. A missing delimiter is detected. BadFile for an invalid or contradictory format.

    The encoding is detected too, except with `only_utf8`, as in the service.
    """
    encoding = marked_utf8(file) if only_utf8 else encoding_of(file)
    check_signs(delimiter, comment)
    corrected = corrected or {}
    return CsvFormat(encoding, delimiter or _delimiter(file, encoding, comment, corrected), comment, corrected)


def check_signs(delimiter: str | None, comment: str) -> None:
    """BadFile for signs that no file can have, or that contradict each other."""
    for sign, name in ((delimiter, "delimiter"), (comment, _("comment character"))):
        if sign is not None and (len(sign) > 1 or sign in ("\r", "\n", QUOTE)):
            raise BadFile(
                Code.VALIDATION,
                _("the {name} must be one character other than a quote or a line end").format(name=name),
            )
    if delimiter and delimiter == comment:
        raise BadFile(Code.VALIDATION, _("the delimiter and the comment character must differ"))


def _delimiter(file: BinaryIO, encoding: str, comment: str, corrected: Mapping[int, str]) -> str:
    """The delimiter with which the first line has the most column names; by default a semicolon."""
    best, most = DELIMITERS[0], (0, 0)
    for sign in DELIMITERS:
        if sign == comment:
            continue
        try:
            record = next(records(file, CsvFormat(encoding, sign, comment, corrected)), None)
        except BadFile:
            continue
        names = [cell.strip() for cell in record[2]] if record else [""]
        found = (sum(name in all_columns() for name in names), len(names))
        if found > most:
            best, most = sign, found
    return best


#: First line, text, cells and number of lines of a row.
Read = tuple[int, str, list[str], int]


def records(file: BinaryIO, csv_format: CsvFormat) -> Iterator[Read]:
    """Each row that is not empty. NoText, BadFile."""
    check_text(file)
    errors = error_handler(csv_format.encoding) if csv_format.dialects else "strict"
    text = io.TextIOWrapper(file, encoding=csv_format.encoding, errors=errors, newline="")
    kind = DialectLines if csv_format.dialects else Lines
    lines = kind(lines_of(text, csv_format.corrected), csv_format.delimiter, csv_format.comment)
    try:
        reader = csv.reader(lines, delimiter=csv_format.delimiter, quotechar=QUOTE, strict=True)
        for cells in reader:
            pending = lines.pending
            # Spreadsheets also write empty rows, which have only delimiters.
            if any(cells):
                source = pending[0] if len(pending) == 1 else "".join(pending)
                yield lines.number - len(pending) + 1, source.rstrip("\r\n"), cells, len(pending)
            lines.pending = []
    except UnicodeError as error:
        raise undecodable(file, csv_format.encoding) from error
    except csv.Error as error:
        raise read_error(lines, csv_format, str(error)) from error
    finally:
        # The caller owns the file, and may already have closed it.
        with suppress(ValueError):
            text.detach()


def read_error(lines: Lines, csv_format: CsvFormat, reason: str) -> BadFile:
    """The line, column and reason at which the CSV reader stopped."""
    first = max(lines.number - len(lines.pending) + 1, 1)
    too_long = "field larger" in reason
    quoted, at_start, opened = False, True, (first, 1)
    for number, line in enumerate(lines.pending, first):
        place = 0
        while place < len(line):
            sign = line[place]
            if quoted and sign == QUOTE:
                behind = line[place + 1 : place + 2]
                if behind == QUOTE:
                    place += 1
                elif behind in ("", csv_format.delimiter, "\r", "\n"):
                    quoted = False
                elif not too_long:
                    return _closed_early(opened, (number, place + 1), csv_format)
            elif sign == QUOTE and at_start and not quoted:
                quoted, opened = True, (number, place + 1)
            at_start = not quoted and sign in (csv_format.delimiter, "\n")
            place += 1
    if quoted:
        message = _("this opening quote has no closing quote")
        message += (
            _(" within {longest_cell} characters").format(longest_cell=number_text(LONGEST_CELL)) if too_long else ""
        )
        return BadQuote(message, line=opened[0], column=opened[1], opened=opened[1])
    if too_long:
        return BadFile(
            Code.BAD_FILE,
            _("a value has more than {longest_cell} characters").format(longest_cell=number_text(LONGEST_CELL)),
            line=first,
        )
    return BadFile(
        Code.BAD_FILE, _("the line is not valid CSV: {reason}").format(reason=reason), line=max(lines.number, 1)
    )


def _closed_early(opened: tuple[int, int], closed: tuple[int, int], csv_format: CsvFormat) -> BadQuote:
    """The error of a quote in the middle of a value. If it is on a later line, the opening quote is reported."""
    (line, column), (last, behind) = opened, closed
    if line == last:
        message = _(
            "the value ends at this quote, but {delimiter!r} does not follow: double the quotes inside it"
        ).format(delimiter=csv_format.delimiter)
        return BadQuote(message, line=line, column=behind, opened=column)
    message = _("the value that starts here ends in line {last}, but {delimiter!r} does not follow").format(
        last=number_text(last), delimiter=csv_format.delimiter
    )
    return BadQuote(message, line=line, column=column, opened=column)


def rows(
    file: BinaryIO, csv_format: CsvFormat, *, synchronizing: bool = False
) -> tuple[tuple[CsvColumn, ...], str, Iterator[CsvRow]]:
    """The columns, the text of the first line, and the rows after it. BadFile at the first line that cannot be read."""
    (line, source, cells, __), read = headed(file, csv_format)
    columns = header(cells, line, synchronizing=synchronizing)
    return columns, source, (CsvRow(number, *record) for number, record in enumerate(read, 1))


def headed(file: BinaryIO, csv_format: CsvFormat) -> tuple[Read, Iterator[Read]]:
    """The first record of a file, which names its columns, and the records after it. BadFile where it has none."""
    read = records(file, csv_format)
    first = next(read, None)
    if first is None:
        raise BadFile(Code.NO_DATA, _("the file is empty; its first line must name the columns"))
    return first, read


def record_of(text: str, csv_format: CsvFormat) -> list[str]:
    """The cells of a text with one row. BadFile when it does not have exactly one."""
    file = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    found = list(records(file, CsvFormat("utf-8", csv_format.delimiter, csv_format.comment)))
    if len(found) != 1:
        raise BadFile(Code.BAD_FILE, _("the text is not exactly one row"))
    return found[0][2]
