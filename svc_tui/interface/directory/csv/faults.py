"""What can be wrong with a file as a whole, and with a cell of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from svc_tui.interface.errors import Code


class BadFile(Exception):
    """The file cannot be read from `line` on (both counted from 1); the text says what to do about it."""

    def __init__(self, code: Code, sentence: str, *, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one cell; without a column with the row. `rule` names the kind of fault, to group by."""

    column: str
    msg: str
    value: str = ""
    rule: str = ""

    def wire(self) -> dict[str, Any]:
        return {"param": self.column, "msg": self.msg, "value": self.value}
