"""Corrections of lines that make a file unreadable: other column names, and quotes read as text."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import BinaryIO

from svc_tui.interface.directory.csv.encodings import undecodable
from svc_tui.interface.directory.csv.faults import QUOTE, BadFile, BadQuote, Lines, line_end, lines_of
from svc_tui.interface.directory.csv.reading import CsvFormat, read_error
from svc_tui.interface.directory.csv.writing import line as written
from svc_tui.interface.errors import Code


def can_be_corrected(bad: BadFile) -> bool:
    """Whether a correction of its line can make the file readable."""
    return isinstance(bad, BadQuote) or bad.code is Code.BAD_COLUMN


def with_quotes_as_text(line: str, bad: BadQuote, csv_format: CsvFormat) -> str:
    """The line with the quotes of the broken value as text: doubled, in a quoted value."""
    return _with_value(line, bad, csv_format, lambda value: value)


def without_quotes(line: str, bad: BadQuote, csv_format: CsvFormat) -> str:
    """The line without the quotes of the broken value."""
    return _with_value(line, bad, csv_format, lambda value: value.replace(QUOTE, ""))


def _with_value(line: str, bad: BadQuote, csv_format: CsvFormat, change: Callable[[str], str]) -> str:
    """The line with the broken value changed. It ends before the next delimiter or comment after the fault."""
    first = bad.opened - 1
    signs = {csv_format.delimiter, csv_format.comment} - {""}
    end = next((place for place in range(bad.column, len(line)) if line[place] in signs), len(line))
    value = written([change(line[first:end])], csv_format.delimiter, csv_format.comment)
    return line[:first] + value + line[end:]


class _PushbackLines:
    """Lines that can be put back, to be read again."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._again: deque[str] = deque()

    def __iter__(self) -> _PushbackLines:
        return self

    def __next__(self) -> str:
        return self._again.popleft() if self._again else next(self._lines)

    def push_back(self, lines: list[str]) -> None:
        self._again.extendleft(reversed(lines))


def correct_all_quotes(
    file: BinaryIO, csv_format: CsvFormat, running: Callable[[], bool] = lambda: True
) -> dict[int, str]:
    """Number of each line with broken quotes -> the line with these quotes as text; also earlier corrections.

    The file is read once. The search stops when `running` returns False. BadFile for other faults.
    """
    found = dict(csv_format.corrected)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=csv_format.encoding, errors="strict", newline="")
    source = _PushbackLines(lines_of(text, csv_format.corrected))
    lines = Lines(source, csv_format.delimiter, csv_format.comment)
    try:
        while running():
            try:
                _read_rows(lines, csv_format)
                break
            except csv.Error as error:
                bad = read_error(lines, csv_format, str(error))
                if not isinstance(bad, BadQuote):
                    raise bad from error
                first = lines.number - len(lines.pending) + 1
                old = lines.pending[bad.line - first]
                found[bad.line] = with_quotes_as_text(old.rstrip("\r\n"), bad, csv_format)
                lines.pending[bad.line - first] = found[bad.line] + line_end(old)
                source.push_back(lines.pending)
                lines.number, lines.pending = first - 1, []
    except UnicodeError as error:
        raise undecodable(file, csv_format.encoding) from error
    finally:
        with suppress(ValueError):
            text.detach()
    return found


def _read_rows(lines: Lines, csv_format: CsvFormat) -> None:
    for _ in csv.reader(lines, delimiter=csv_format.delimiter, quotechar=QUOTE, strict=True):
        lines.pending = []
