"""Errors of a file as a whole, faults of single cells, and the lines of a file for the CSV reader, without comments."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.language import _, number_text

#: A character that no database stores, and the symbol that replaces it in messages.
NUL, NUL_SHOWN = "\x00", "\N{SYMBOL FOR NULL}"


class BadFile(Exception):
    """The file cannot be read from `line` and `column` on, both counted from 1."""

    def __init__(self, code: Code, sentence: str, *, line: int = 1, column: int = 1) -> None:
        super().__init__(
            _("line {line}, column {column}: {sentence}").format(line=line, column=column, sentence=sentence)
        )
        self.code = code
        self.sentence = sentence
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        # For other processes.
        return partial(BadFile, line=self.line, column=self.column), (self.code, self.sentence)


class NoText(BadFile):
    """The file is a workbook of a spreadsheet program, which is no text, or one that cannot be read (`sentence`)."""

    def __init__(self, sentence: str = "") -> None:
        text = _("the file is a workbook (such as .xlsx): save it as CSV (UTF-8) in the spreadsheet program")
        super().__init__(Code.BAD_FILE, sentence or text)
        # No line of it could be corrected.
        self.args = (self.sentence,)

    def __reduce__(self) -> tuple[Any, ...]:
        return NoText, (self.sentence,)


class BadQuote(BadFile):
    """An opening quote without a closing one, or with one inside the value. `opened`: its column."""

    def __init__(self, sentence: str, *, line: int, column: int, opened: int) -> None:
        super().__init__(Code.BAD_FILE, sentence, line=line, column=column)
        self.opened = opened


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one cell, or without a column of the whole row. `rule` names the kind of fault, for grouping.

    `suggestion` is a valid value to use instead. Empty when there is none. A `doubtful` value can be right, and is
    what the suggestion says, but only a user can know: a client does not send it, and the service refuses it.
    """

    column: str
    msg: str
    value: str = ""
    rule: str = ""
    suggestion: str = ""
    doubtful: bool = False

    def wire(self) -> dict[str, Any]:
        msg, value = (text.replace(NUL, NUL_SHOWN) for text in (self.msg, self.value))
        return {"param": self.column, "msg": msg, "value": value}


def is_doubtful(faults: Iterable[Fault]) -> bool:
    """Whether a row with these faults is doubtful: it has some, and a choice resolves each of them."""
    found = list(faults)
    return bool(found) and all(fault.doubtful for fault in found)


QUOTE = '"'
#: Longest line, in characters.
LONGEST_LINE = 1_000_000
_BLANK = " \t\r\n"


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


class Lines:
    """The lines of a text for the CSV reader, without comments. The lines of the current row are kept."""

    def __init__(self, lines: Iterator[str], delimiter: str, comment: str) -> None:
        self._lines = lines
        self._delimiter, self._comment = delimiter, comment
        #: Lines read so far.
        self.number = 0
        #: Lines of the current row. Before its last line the reader is inside quotes.
        self.pending: list[str] = []

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        while True:
            line = next(self._lines)
            self.number += 1
            if len(line) > LONGEST_LINE:
                raise BadFile(
                    Code.BAD_FILE,
                    _("a line has more than {longest_line} characters").format(longest_line=number_text(LONGEST_LINE)),
                    line=self.number,
                )
            kept = self._text(line)
            if kept is None:
                continue
            self.pending.append(line)
            return kept

    def _text(self, line: str) -> str | None:
        """What the reader gets of a line; None when it is not part of a row."""
        if not self._comment or self._comment not in line:
            return line
        kept = _without_comment(line, self._delimiter, self._comment, quoted=bool(self.pending))
        return kept if self.pending or kept.strip(_BLANK) else None


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
