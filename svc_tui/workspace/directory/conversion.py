"""Conversion of a file to the format of the service: its right rows as UTF-8, with telephone numbers in E.164."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.columns import CsvColumn
from svc_tui.interface.directory.csv.encodings import UTF8
from svc_tui.interface.directory.csv.reading import CsvFormat, CsvRow
from svc_tui.interface.directory.csv.writing import line
from svc_tui.interface.directory.values import ENDED, ImportState
from svc_tui.language import _
from svc_tui.workspace.directory.contact_files import contact_rows
from svc_tui.workspace.directory.doctor import Doctor, FaultyRow
from svc_tui.workspace.directory.reports import row_number

#: The format of converted files.
CONVERTED = CsvFormat(UTF8, ";", "%")


@dataclass(frozen=True, slots=True)
class ConvertedRows:
    """The rows that were written: their numbers in the file of the user, and the lines on which they begin there."""

    numbers: array[int]
    lines: array[int]

    @property
    def count(self) -> int:
        """How many rows were written."""
        return len(self.numbers)

    def number_of(self, name: str) -> int:
        """The number of a row in the file of the user by its name in a report of the service; 0 for another name."""
        digits = name.removeprefix("entry")
        place = int(digits) - 1 if digits.isdigit() else -1
        return self.numbers[place] if 0 <= place < len(self.numbers) else 0

    def renamed(self, entries: Mapping[str, Any]) -> dict[str, Any]:
        """The entries of a report of the service by the numbers of the rows in the file of the user."""
        found = {}
        for name, each in entries.items():
            number = self.number_of(name)
            line = {"line": self.lines[row_number(name) - 1]} if number else {}
            found[f"entry{number}" if number else name] = {**each, **line}
        return found


def convert(doctor: Doctor, out: IO[bytes]) -> ConvertedRows:
    """Write the rows without faults, with their corrections. OSError, and BadFile where the file has changed."""
    written, columns = ConvertedRows(array("Q"), array("Q")), doctor.checker.columns_needed
    out.write((line([column.name for column in columns]) + "\n").encode())
    for row, cells in _right_rows(doctor):
        written.numbers.append(row.number)
        written.lines.append(row.line)
        out.write((line(doctor.checker.resolved(cells, columns)) + "\n").encode())
    return written


def _right_rows(doctor: Doctor) -> Iterator[tuple[CsvRow, list[str]]]:
    """The rows without faults, and their cells with corrections."""
    if doctor.path is None:
        yield from ((each.row, each.cells) for each in doctor.rows if not each.faults)
        return
    kept = doctor.by_number
    with doctor.path.open("rb") as file:
        found = contact_rows(file, doctor.csv_format, synchronizing=doctor.checker.synchronizing)[2]
        for row in found:
            other = kept.get(row.number)
            if other is not None and not other.faults:
                yield row, other.cells
            elif other is None and row.number not in doctor.uncollected_numbers:
                yield row, row.cells


def marked_source(row: FaultyRow, columns: Sequence[CsvColumn], csv_format: CsvFormat) -> str:
    """The text of a row in the file with ▸ before each value with a fault; without a mark where none is found."""
    names = {fault.column for fault in row.faults if fault.column}
    text, start = row.row.source, 0
    for column, cell in zip(columns, row.row.cells, strict=False):
        at = text.find(cell, start) if cell else -1
        if at < 0:
            continue
        if column.name in names:
            text = f"{text[:at]}▸{text[at:]}"
            at += 1
        # The cells of a mapped file are in another order.
        start = at + len(cell) if csv_format.mapping is None else 0
    return text


# --- results -----------------------------------------------------------------------------------------------------


def local_faults(doctor: Doctor) -> dict[str, Any]:
    """The faulty and doubtful rows, as a check of the service lists them (2.19), with their lines and suggestions."""
    return {f"entry{row.number}": _entry(row, doctor) for row in doctor.rows if row.faults}


def _entry(row: FaultyRow, doctor: Doctor) -> dict[str, Any]:
    errors = []
    for fault in row.faults:
        suggestion = {"suggestion": fault.suggestion} if fault.suggestion else {}
        errors.append({**fault.wire(), **suggestion, **({"doubtful": True} if fault.doubtful else {})})
    status = "doubtful" if row.doubtful else "failed"
    source = marked_source(row, doctor.columns, doctor.csv_format)
    return {"status": status, "line": row.row.line, "csvSource": row.row.source, "marked": source, "errors": errors}


def check_result(doctor: Doctor) -> dict[str, Any]:
    """The result of a check on this machine: `okCount`, `doubtfulCount` and `errorCount` are all rows."""
    counts = {"okCount": doctor.right, "doubtfulCount": doctor.doubtful, "errorCount": doctor.left - doctor.doubtful}
    return {**counts, "errorReport": local_faults(doctor)}


def whole_check(result: RecordData, rows: ConvertedRows, doctor: Doctor) -> dict[str, Any]:
    """The result of a check of the converted rows, with the rows that were not sent."""
    found = {**local_faults(doctor), **rows.renamed(_entries_in(result, "errorReport"))}
    count = int(result.get("errorCount") or 0) + doctor.left - doctor.doubtful
    return {**result, "doubtfulCount": doctor.doubtful, "errorCount": count, "errorReport": in_order(found)}


def whole_report(report: RecordData, rows: ConvertedRows, doctor: Doctor) -> dict[str, Any]:
    """The report of an import of the converted rows, with the rows that were not sent."""
    if not doctor.left or report.get("state") not in ENDED:
        return {**report, "report": rows.renamed(_entries_in(report, "report"))}
    found = {**local_faults(doctor), **rows.renamed(_entries_in(report, "report"))}
    counts = {**_left(doctor), "failed": int(report.get("failed") or 0) + doctor.left - doctor.doubtful}
    return {**report, "state": ImportState.FAILED.value, **counts, "report": in_order(found)}


def _left(doctor: Doctor) -> dict[str, int]:
    """How many rows were left over."""
    return {"failed": doctor.left - doctor.doubtful, "doubtful": doctor.doubtful}


def _entries_in(result: RecordData, name: str) -> Mapping[str, Any]:
    found = result.get(name)
    return found if isinstance(found, Mapping) else {}


def in_order(entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a report in the order of their rows."""
    return dict(sorted(entries.items(), key=lambda each: row_number(each[0])))


def unsent_report(doctor: Doctor) -> dict[str, Any]:
    """The report of a file of which no row was sent."""
    reason = {"entry0": {"status": "failed", "errorDetails": _("no row is correct")}}
    return {"state": ImportState.FAILED.value, **_left(doctor), "report": {**reason, **local_faults(doctor)}}
