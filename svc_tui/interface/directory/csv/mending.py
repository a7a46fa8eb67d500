"""Lines that keep a file from being read, as they could be right: other names of columns, quotes taken as text."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import BinaryIO

from svc_tui.interface.directory.csv.encodings import undecodable
from svc_tui.interface.directory.csv.faults import BadFile, BadQuote
from svc_tui.interface.directory.csv.reading import QUOTE, Lines, Shape, broken, line_end, lines_of, record_of
from svc_tui.interface.directory.csv.writing import line as written
from svc_tui.interface.errors import Code


def can_be_corrected(bad: BadFile) -> bool:
    """Whether another text of its line may let the file be read."""
    return isinstance(bad, BadQuote) or bad.code is Code.BAD_COLUMN


def renamed(line: str, shape: Shape, names: Mapping[int, str]) -> str:
    """The first line with other names at these places. BadFile when it is no row by itself."""
    cells = [names.get(place, cell) for place, cell in enumerate(record_of(line, shape))]
    return written(cells, shape.delimiter, shape.comment)


def as_text(line: str, bad: BadQuote, shape: Shape) -> str:
    """The line with the quotes of the broken value taken as text: they are doubled, and the value is quoted."""
    return _with_value(line, bad, shape, lambda value: value)


def without_quotes(line: str, bad: BadQuote, shape: Shape) -> str:
    """The line without the quotes of the broken value."""
    return _with_value(line, bad, shape, lambda value: value.replace(QUOTE, ""))


def _with_value(line: str, bad: BadQuote, shape: Shape, change: Callable[[str], str]) -> str:
    """The value goes from its quote up to the next delimiter or comment behind the place that is told."""
    first = bad.opened - 1
    signs = {shape.delimiter, shape.comment} - {""}
    end = next((place for place in range(bad.column, len(line)) if line[place] in signs), len(line))
    value = written([change(line[first:end])], shape.delimiter, shape.comment)
    return line[:first] + value + line[end:]


class _Rewound:
    """Lines of which some can be put back, to be read once more."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._again: deque[str] = deque()

    def __iter__(self) -> _Rewound:
        return self

    def __next__(self) -> str:
        return self._again.popleft() if self._again else next(self._lines)

    def put_back(self, lines: list[str]) -> None:
        self._again.extendleft(reversed(lines))


def quotes_as_text(file: BinaryIO, shape: Shape, told: Callable[[], bool] = lambda: True) -> dict[int, str]:
    """All lines with broken quotes by their numbers, with these quotes taken as text; the ones mended before too.

    The file is read once, whatever its length. `told` is asked now and then whether to go on. BadFile for other faults.
    """
    found = dict(shape.corrected)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=shape.encoding, errors="strict", newline="")
    source = _Rewound(lines_of(text, shape.corrected))
    lines = Lines(source, shape)
    try:
        while told():
            try:
                _read_on(lines, shape)
                break
            except csv.Error as error:
                bad = broken(lines, shape, str(error))
                if not isinstance(bad, BadQuote):
                    raise bad from error
                first = lines.number - len(lines.pending) + 1
                old = lines.pending[bad.line - first]
                found[bad.line] = as_text(old.rstrip("\r\n"), bad, shape)
                lines.pending[bad.line - first] = found[bad.line] + line_end(old)
                source.put_back(lines.pending)
                lines.number, lines.pending = first - 1, []
    except UnicodeError as error:
        raise undecodable(file, shape.encoding) from error
    finally:
        with suppress(ValueError):
            text.detach()
    return found


def _read_on(lines: Lines, shape: Shape) -> None:
    for _ in csv.reader(lines, delimiter=shape.delimiter, quotechar=QUOTE, strict=True):
        lines.pending = []
