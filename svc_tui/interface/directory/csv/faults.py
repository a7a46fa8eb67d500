"""Errors of a file as a whole, and faults of single cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.language import _

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
    """The file is a workbook of a spreadsheet program, which is no text."""

    def __init__(self) -> None:
        super().__init__(
            Code.BAD_FILE,
            _("the file is a workbook (such as .xlsx): save it as CSV (UTF-8) in the spreadsheet program"),
        )
        # No line of it could be corrected.
        self.args = (self.sentence,)

    def __reduce__(self) -> tuple[Any, ...]:
        return NoText, ()


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
