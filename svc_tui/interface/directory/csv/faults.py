"""What can be wrong with a file as a whole, and with a cell of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from svc_tui.interface.errors import Code

#: No database keeps it, and what stands for it where a text is told.
NUL, NUL_SHOWN = "\x00", "\N{SYMBOL FOR NULL}"


class BadFile(Exception):
    """The file cannot be read from `line` on (both counted from 1); the text says what to do about it."""

    def __init__(self, code: Code, sentence: str, *, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.line = line
        self.column = column


class BadQuote(BadFile):
    """A quote that is never closed, or closed within its value; it is opened at `opened`, a column of the same line."""

    def __init__(self, sentence: str, *, line: int, column: int, opened: int) -> None:
        super().__init__(Code.BAD_FILE, sentence, line=line, column=column)
        self.opened = opened


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one cell; without a column with the row. `rule` names the kind of fault, to group by.

    `proposal` is the value that was probably meant, empty where nobody can tell.
    """

    column: str
    msg: str
    value: str = ""
    rule: str = ""
    proposal: str = ""

    def wire(self) -> dict[str, Any]:
        said = (self.msg.replace(NUL, NUL_SHOWN), self.value.replace(NUL, NUL_SHOWN))
        return {"param": self.column, "msg": said[0], "value": said[1]}
