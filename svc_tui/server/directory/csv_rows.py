"""Rows of a CSV file, read and checked in batches for the database. Call these functions as long work.

`headers`, `checked` and `batches` are work on a file (`LongWork.on_file`), with the further arguments of `opened`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, cast

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import ACTION, CsvColumn
from svc_tui.interface.directory.csv.faults import NUL, NUL_SHOWN, BadFile, Fault
from svc_tui.interface.directory.csv.reading import CsvFormat, CsvRow, format_of, rows
from svc_tui.interface.directory.reports import CheckResult
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.running.long_process import Pause

#: Rows of one batch.
SIZE = 500
#: The most rows that a check or a report lists. Further rows are only counted.
MOST_LISTED = 10_000
_LONGEST_SOURCE = 2_000
#: The fault of a row whose entry has no room in the directory.
FULL = "the directory is full"


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row with its action, and its entry or its faults."""

    row: CsvRow
    action: str
    entry: dict[str, Any]
    faults: list[Fault]

    @property
    def source(self) -> str:
        """The text of the row, cut to the length that reports show."""
        text = self.row.source.replace(NUL, NUL_SHOWN)
        return text if len(text) <= _LONGEST_SOURCE else text[:_LONGEST_SOURCE] + "…"


@dataclass(slots=True)
class CheckedFile:
    """A file that is read row by row."""

    file: IO[bytes]
    csv_format: CsvFormat
    columns: Sequence[CsvColumn]
    headers: str
    checker: Checker
    _rows: Iterator[CsvRow]
    #: Rows without faults that `faulty` has read.
    passed: int = 0

    @property
    def has_actions(self) -> bool:
        """Whether a column names the action of each row."""
        return any(column.name == ACTION for column in self.columns)

    def faulty(self, most: int | None = None) -> Iterator[CheckedRow]:
        """The rows with faults, among them those beyond `most` others. BadFile where the file cannot be read."""
        for row in self._rows:
            if faults := self.checker.check(row.cells):
                yield CheckedRow(row, self.checker.action(row.cells), {}, faults)
            elif most is not None and self.passed >= most:
                yield CheckedRow(row, self.checker.action(row.cells), {}, [Fault("", FULL)])
            else:
                self.passed += 1

    def batch(self) -> list[CheckedRow]:
        """The next rows, checked; none at the end. BadFile where the file cannot be read."""
        return [self._checked(row) for row in itertools.islice(self._rows, SIZE)]

    def _checked(self, row: CsvRow) -> CheckedRow:
        faults = self.checker.check(row.cells)
        action = self.checker.action(row.cells)
        entry = {} if faults else self.checker.key(row.cells) if action == "delete" else self.checker.entry(row.cells)
        return CheckedRow(row, action, entry, faults)


def opened(
    pause: Pause, file: IO[bytes], delimiter: str | None, comment: str, *, synchronizing: bool, country: str
) -> CheckedFile:
    """A file whose first line is read. BadFile when it is not the CSV of a directory."""
    binary = cast("BinaryIO", file)
    csv_format = format_of(binary, delimiter, comment, only_utf8=True)
    columns, headers, found = rows(binary, csv_format, synchronizing=synchronizing)
    first = next(found, None)
    if first is None:
        raise BadFile(Code.NO_DATA, "the file has no rows after its first line")
    checker = Checker(columns, synchronizing, country)
    return CheckedFile(
        file,
        csv_format,
        columns,
        headers.replace(NUL, NUL_SHOWN),
        checker,
        _paused(itertools.chain([first], found), pause),
    )


def _paused(found: Iterator[CsvRow], pause: Pause) -> Iterator[CsvRow]:
    """The rows, with a pause now and then."""
    for row in found:
        if row.number % SIZE == 0:
            pause()
        yield row


def headers(file: IO[bytes], pause: Pause, **reading: Any) -> Iterator[str]:
    """The text of the first line."""
    yield opened(pause, file, **reading).headers


def batches(file: IO[bytes], pause: Pause, **reading: Any) -> Iterator[bool | list[CheckedRow]]:
    """Whether rows name their actions, and then the rows, checked."""
    source = opened(pause, file, **reading)
    yield source.has_actions
    while batch := source.batch():
        yield batch


def checked(file: IO[bytes], pause: Pause, most: int | None = None, **reading: Any) -> Iterator[dict[str, Any]]:
    """The result of checking all rows: how many passed, at most `most`, and the faults of the others (2.19)."""
    source = opened(pause, file, **reading)
    failed = 0
    report: dict[str, Any] = {}
    for row in source.faulty(most):
        failed += 1
        if len(report) < MOST_LISTED:
            errors = [fault.wire() for fault in row.faults]
            report[f"entry{row.row.number}"] = {"csvSource": row.source, "errors": errors}
    yield document_of(typed(CheckResult, {"okCount": source.passed, "errorCount": failed, "errorReport": report}))
