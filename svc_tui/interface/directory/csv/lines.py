"""The lines of a file for the CSV reader: without comments, and without the runs of rows that need no further check."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from svc_tui.fast_dataclasses import dataclass
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.errors import Code
from svc_tui.language import _, number_text

QUOTE = '"'
#: Longest line, in characters.
LONGEST_LINE = 1_000_000
_BLANK = " \t\r\n"
_CHUNK = 1 << 16
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)?")


@dataclass(slots=True)
class RowSkipper:
    """Which rows to skip: those that `pattern` matches from the start of a line, any number of them.

    `on_chunk` is called before more of the text is read, and may raise. `skipped` counts the rows. Once they would be
    more than `most`, no more rows are skipped, and `most` is 0.
    """

    pattern: re.Pattern[str] | None = None
    on_chunk: Callable[[], None] = lambda: None
    skipped: int = 0
    most: int | None = None


def lines_of(text: io.TextIOBase, corrected: Mapping[int, str]) -> Iterator[str]:
    """The lines of a text, with corrections. Line ends are unchanged."""
    lines = iter(partial(text.readline, LONGEST_LINE + 1), "")
    return _with_corrections(lines, corrected) if corrected else lines


def _with_corrections(lines: Iterator[str], corrected: Mapping[int, str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        text = corrected.get(number)
        yield line if text is None else text + line_end(line)


def line_end(line: str) -> str:
    """The line end of a line. Empty for a last line without one."""
    return line[len(line.rstrip("\r\n")) :]


class ChunkedLines:
    """The lines of a text, read in chunks of whole lines, so that rows can be skipped."""

    def __init__(self, text: io.TextIOBase, skipper: RowSkipper) -> None:
        self._text, self._skipper = text, skipper
        self._chunk, self._place = "", 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if not self._available():
            raise StopIteration
        found = _LINE.match(self._chunk, self._place)
        assert found is not None
        self._place = found.end()
        return found[0]

    def _available(self) -> bool:
        """Whether there is more text; reads the next chunk when this one was used."""
        if self._place < len(self._chunk):
            return True
        self._skipper.on_chunk()
        # To the end of a line. A line without an end in sight is cut where its length is an error.
        self._chunk, self._place = self._text.read(_CHUNK) + self._text.readline(LONGEST_LINE + 1), 0
        return bool(self._chunk)

    def skip(self) -> int:
        """Skip the rows that start here and need no check; their number. Each is one line."""
        skipped = 0
        while (pattern := self._skipper.pattern) is not None and self._available():
            found = pattern.match(self._chunk, self._place)
            end = found.end() if found else self._place
            count, most = self._chunk.count("\n", self._place, end), self._skipper.most
            if most is not None and self._skipper.skipped + skipped + count > most:
                self._skipper.pattern, self._skipper.most = None, 0
                break
            skipped += count
            self._place = end
            if end < len(self._chunk):
                break
        self._skipper.skipped += skipped
        return skipped


class Lines:
    """The lines of a text for the CSV reader, without comments. The lines of the current row are kept."""

    def __init__(self, lines: Iterator[str], delimiter: str, comment: str) -> None:
        self._lines = lines
        self._chunked = lines if isinstance(lines, ChunkedLines) else None
        self._delimiter, self._comment = delimiter, comment
        #: Lines read so far, with those that were skipped.
        self.number = 0
        #: Lines of the current row. Before its last line the reader is inside quotes.
        self.pending: list[str] = []

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        comment = self._comment
        while True:
            if self._chunked is not None and not self.pending and (skipped := self._chunked.skip()):
                self.number += skipped
            line = next(self._lines)
            self.number += 1
            if len(line) > LONGEST_LINE:
                raise BadFile(
                    Code.BAD_FILE,
                    _("a line has more than {longest_line} characters").format(longest_line=number_text(LONGEST_LINE)),
                    line=self.number,
                )
            if comment and comment in line:
                kept = _without_comment(line, self._delimiter, comment, quoted=bool(self.pending))
                if not self.pending and not kept.strip(_BLANK):
                    continue
            else:
                kept = line
            self.pending.append(line)
            return kept


def _without_comment(line: str, delimiter: str, comment: str, *, quoted: bool) -> str:
    """The line without its comment. As in the CSV reader, only a quote at the start of a cell opens a quoted value."""
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
        elif sign == comment:
            return line[:place].rstrip(_BLANK) + "\n"
        elif sign == QUOTE and at_start:
            quoted = True
        at_start = not quoted and sign == delimiter
        place += 1
    return line
