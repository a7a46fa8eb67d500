"""Rows of a file as the database takes them: some hundred at a time, read and checked beside the event loop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, cast

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import Column
from svc_tui.interface.directory.csv.faults import NUL, NUL_SHOWN, BadFile, Fault
from svc_tui.interface.directory.csv.reading import Row, Shape, rows, shape_of
from svc_tui.interface.errors import Code
from svc_tui.server.refusal import Refusal

#: Rows of one step.
SIZE = 500
#: Rows that a check or a report tells of one by one; beyond them it only counts.
MOST_TOLD = 10_000
_LONGEST_SOURCE = 2_000


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row, what it does, and the entry it means or what is wrong with it."""

    row: Row
    action: str
    entry: dict[str, Any]
    faults: list[Fault]

    @property
    def source(self) -> str:
        """Its text, as far as it is told."""
        text = self.row.source.replace(NUL, NUL_SHOWN)
        return text if len(text) <= _LONGEST_SOURCE else text[:_LONGEST_SOURCE] + "…"


@dataclass(slots=True)
class Source:
    """A file that is being read row by row."""

    file: IO[bytes]
    shape: Shape
    columns: Sequence[Column]
    headers: str
    checker: Checker
    _rows: Iterator[Row]

    def batch(self) -> list[CheckedRow]:
        """The next rows, checked; none at the end. BadFile where the file cannot be read on."""
        return [self._checked(row) for row in itertools.islice(self._rows, SIZE)]

    def _checked(self, row: Row) -> CheckedRow:
        faults = self.checker.check(row.cells)
        action = self.checker.action(row.cells)
        entry = {} if faults else self.checker.key(row.cells) if action == "delete" else self.checker.entry(row.cells)
        return CheckedRow(row, action, entry, faults)


def opened(file: IO[bytes], delimiter: str | None, comment: str, *, synchronizing: bool, country: str) -> Source:
    """A file with its first line read. BadFile when it cannot be read as CSV of a directory."""
    binary = cast(BinaryIO, file)
    shape = shape_of(binary, delimiter, comment, only_utf8=True)
    columns, headers, found = rows(binary, shape, synchronizing=synchronizing)
    first = next(found, None)
    if first is None:
        raise BadFile(Code.NO_DATA, "the file has no rows behind its first line")
    checker = Checker(columns, synchronizing, country)
    return Source(file, shape, columns, headers.replace(NUL, NUL_SHOWN), checker, itertools.chain([first], found))


def refused(bad: BadFile) -> Refusal:
    """What a file as a whole is refused with: the place is the parameter."""
    place = f"line {bad.line}, column {bad.column}"
    return Refusal(bad.code, [{"param": place, "msg": bad.sentence, "value": None}])


def told(checked: CheckedRow) -> dict[str, Any]:
    """A faulty row as a check tells of it (2.19)."""
    return {"csvSource": checked.source, "errors": [fault.wire() for fault in checked.faults]}


def check(source: Source) -> dict[str, Any]:
    """All rows checked: how many are right, and what is wrong with the others."""
    right = wrong = 0
    report: dict[str, Any] = {}
    while batch := source.batch():
        for checked in batch:
            if not checked.faults:
                right += 1
                continue
            wrong += 1
            if len(report) < MOST_TOLD:
                report[f"entry{checked.row.number}"] = told(checked)
    return {"okCount": right, "errorCount": wrong, "errorReport": report}
