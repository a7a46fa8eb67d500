"""From the bytes of a file to its rows: one at a time, with the lines they come from.

Memory is that of one row, however long the file is. Whatever the bytes are, the answer is rows or a `BadFile`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

from svc_tui.interface.directory.csv.columns import COLUMNS, Column, header
from svc_tui.interface.directory.csv.encodings import encoding_of, marked_utf8, undecodable
from svc_tui.interface.directory.csv.faults import BadFile, BadQuote
from svc_tui.interface.errors import Code

QUOTE = '"'
DELIMITERS = (";", ",", "\t", "|")
#: Longest line and longest cell, in characters; the latter is what the CSV reader takes.
LONGEST_LINE = 1_000_000
LONGEST_CELL = csv.field_size_limit()
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """How a file is written. `comment` may be empty: then nothing is one.

    Lines that are `mended`, by their numbers from 1, are read as these texts; the file itself stays as it is.
    """

    encoding: str
    delimiter: str
    comment: str
    corrected: Mapping[int, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its number among the rows (from 1), the line it begins on (from 1), its text, its cells, its lines."""

    number: int
    line: int
    source: str
    cells: list[str]
    lines: int = 1


def shape_of(
    file: BinaryIO,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    only_utf8: bool = False,
    corrected: Mapping[int, str] | None = None,
) -> Shape:
    """How a file is written; what is not given is recognised. BadFile when signs contradict each other.

    The service takes UTF-8 only (`only_utf8`); a file on disk may be anything that is named then.
    """
    encoding = marked_utf8(file) if only_utf8 else encoding_of(file)
    for sign, name in ((delimiter, "delimiter"), (comment, "comment character")):
        if sign is not None and (len(sign) > 1 or sign in ("\r", "\n", QUOTE)):
            raise BadFile(Code.VALIDATION, f"the {name} is one character, and neither a quote nor a line end")
    if delimiter and delimiter == comment:
        raise BadFile(Code.VALIDATION, "the delimiter and the comment character are the same")
    corrected = corrected or {}
    return Shape(encoding, delimiter or _delimiter(file, encoding, comment, corrected), comment, corrected)


def _delimiter(file: BinaryIO, encoding: str, comment: str, corrected: Mapping[int, str]) -> str:
    """The sign that parts the first line into most names of columns; a semicolon where none does."""
    best, most = DELIMITERS[0], (0, 0)
    for sign in DELIMITERS:
        if sign == comment:
            continue
        try:
            _, _, cells, _ = next(_records(file, Shape(encoding, sign, comment, corrected)), (1, "", [""], 1))
        except BadFile:
            continue
        names = [cell.strip() for cell in cells]
        found = (sum(name in COLUMNS for name in names), len(names))
        if found > most:
            best, most = sign, found
    return best


def lines_of(text: io.TextIOBase, corrected: Mapping[int, str]) -> Iterator[str]:
    """The lines of a text, some of which are other ones by now; how a line ends stays."""
    lines = iter(partial(text.readline, LONGEST_LINE + 1), "")
    return _with_corrections(lines, corrected) if corrected else lines


def _with_corrections(lines: Iterator[str], corrected: Mapping[int, str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        text = corrected.get(number)
        yield line if text is None else text + line_end(line)


def line_end(line: str) -> str:
    """What ends a line: nothing where it is the last one of a file."""
    return line[len(line.rstrip("\r\n")) :]


class Lines:
    """The lines of a text as the CSV reader takes them: without comments, and remembered until the row is whole."""

    def __init__(self, lines: Iterator[str], shape: Shape) -> None:
        self._lines = lines
        self._shape = shape
        #: Lines read so far.
        self.number = 0
        #: Lines of the row that is being read; while there are some, the reader is within quotes.
        self.pending: list[str] = []

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        comment = self._shape.comment
        while True:
            line = next(self._lines)
            self.number += 1
            if len(line) > LONGEST_LINE:
                raise BadFile(Code.BAD_FILE, f"a line has more than {LONGEST_LINE:,} characters", line=self.number)
            if comment and comment in line:
                kept = _without_comment(line, self._shape, quoted=bool(self.pending))
                if not self.pending and not kept.strip(_BLANK):
                    continue
            else:
                kept = line
            self.pending.append(line)
            return kept


def _without_comment(line: str, shape: Shape, *, quoted: bool) -> str:
    """A line up to its comment. Quotes count where the CSV reader counts them: at the start of a cell."""
    at_start = not quoted
    place = 0
    while place < len(line):
        sign = line[place]
        if quoted:
            if sign == QUOTE:
                if line[place + 1 : place + 2] == QUOTE:
                    place += 1
                else:
                    quoted = False
        elif sign == shape.comment:
            return line[:place].rstrip(_BLANK) + "\n"
        elif sign == QUOTE and at_start:
            quoted = True
        at_start = not quoted and sign == shape.delimiter
        place += 1
    return line


def _records(file: BinaryIO, shape: Shape) -> Iterator[tuple[int, str, list[str], int]]:
    """Line, text, cells and number of lines of each record that is not empty."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=shape.encoding, errors="strict", newline="")
    lines = Lines(lines_of(text, shape.corrected), shape)
    try:
        reader = csv.reader(lines, delimiter=shape.delimiter, quotechar=QUOTE, strict=True)
        for cells in reader:
            pending = lines.pending
            # Spreadsheets leave rows of nothing but delimiters behind.
            if any(cells):
                source = pending[0] if len(pending) == 1 else "".join(pending)
                yield lines.number - len(pending) + 1, source.rstrip("\r\n"), cells, len(pending)
            lines.pending = []
    except UnicodeError as error:
        raise undecodable(file, shape.encoding) from error
    except csv.Error as error:
        raise broken(lines, shape, str(error)) from error
    finally:
        # The file is its owner's to close; he may have done so by now.
        with suppress(ValueError):
            text.detach()


def broken(lines: Lines, shape: Shape, said: str) -> BadFile:
    """Where and why the CSV reader stopped."""
    first = max(lines.number - len(lines.pending) + 1, 1)
    too_long = "field larger" in said
    quoted, at_start, opened = False, True, (first, 1)
    for number, line in enumerate(lines.pending, first):
        place = 0
        while place < len(line):
            sign = line[place]
            if quoted and sign == QUOTE:
                behind = line[place + 1 : place + 2]
                if behind == QUOTE:
                    place += 1
                elif behind in ("", shape.delimiter, "\r", "\n"):
                    quoted = False
                elif not too_long:
                    return _closed_early(opened, (number, place + 1), shape)
            elif sign == QUOTE and at_start and not quoted:
                quoted, opened = True, (number, place + 1)
            at_start = not quoted and sign in (shape.delimiter, "\n")
            place += 1
    if quoted:
        told = f"closed within {LONGEST_CELL:,} characters" if too_long else "closed"
        never = "is not" if too_long else "never"
        return BadQuote(
            f"a quote is opened here and {never} {told}", line=opened[0], column=opened[1], opened=opened[1]
        )
    if too_long:
        return BadFile(Code.BAD_FILE, f"a value has more than {LONGEST_CELL:,} characters", line=first)
    return BadFile(Code.BAD_FILE, f"it is no CSV: {said}", line=max(lines.number, 1))


def _closed_early(opened: tuple[int, int], closed: tuple[int, int], shape: Shape) -> BadQuote:
    """A quote in the middle of a value. In another line the one that was opened is probably the wrong one."""
    (line, column), (last, behind) = opened, closed
    if line == last:
        told = f"a quoted value ends here, but {shape.delimiter!r} does not follow: double the quotes in it"
        return BadQuote(told, line=line, column=behind, opened=column)
    told = f"a quote is opened here; where it is closed, in line {last:,}, {shape.delimiter!r} does not follow"
    return BadQuote(told, line=line, column=column, opened=column)


def rows(file: BinaryIO, shape: Shape, *, synchronizing: bool = False) -> tuple[tuple[Column, ...], str, Iterator[Row]]:
    """Columns, the text of the first line, and the rows behind it. BadFile as soon as the file cannot be read."""
    records = _records(file, shape)
    first = next(records, None)
    if first is None:
        raise BadFile(Code.NO_DATA, "the file is empty: its first line names the columns")
    line, source, cells, _ = first
    columns = header(cells, line, synchronizing=synchronizing)
    return columns, source, (Row(number, *record) for number, record in enumerate(records, 1))


def record_of(text: str, shape: Shape) -> list[str]:
    """The cells of one row that stands by itself. BadFile when it is none, or more than one."""
    file = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    found = list(_records(file, Shape("utf-8", shape.delimiter, shape.comment)))
    if len(found) != 1:
        raise BadFile(Code.BAD_FILE, "it is not one row")
    return found[0][2]
