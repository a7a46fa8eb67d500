"""The import doctor: the faulty rows of a directory file, corrected one by one or together, and saved as a new file.

It holds only the faulty rows, so that memory depends on the faults and not on the length of the file. It uses neither
screen nor network; a long file is scanned in a thread.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import ACTION, LDAP_ID, CsvColumn
from svc_tui.interface.directory.csv.encodings import ESCAPED, error_handler
from svc_tui.interface.directory.csv.faults import BadFile, Fault, is_doubtful, line_end, lines_of
from svc_tui.interface.directory.csv.reading import CsvFormat, CsvRow, format_of, record_of, rows
from svc_tui.interface.directory.csv.writing import line
from svc_tui.workspace.directory.contact_files import contact_format, contact_rows
from svc_tui.workspace.directory.inspection import part_of
from svc_tui.workspace.files.saved_files import saved_file

#: Most faulty rows in memory; further ones are only counted.
MOST_KEPT = 100_000
_ROWS_BETWEEN_REPORTS = 1000


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """Progress of a scan: rows read, rows with faults, bytes read, bytes of the file."""

    rows: int
    faulty: int
    read: int
    size: int


#: Receives the progress; returns False to stop the scan.
ProgressCallback = Callable[[ScanProgress], bool]


class ScanStopped(Exception):
    """The scan was stopped."""


@dataclass(slots=True)
class FaultyRow:
    """A row that was faulty or doubtful when it was read; `faults` are those of its current cells."""

    row: CsvRow
    cells: list[str]
    faults: list[Fault]

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def doubtful(self) -> bool:
        """Whether a choice resolves all its faults."""
        return is_doubtful(self.faults)

    @property
    def changed(self) -> bool:
        """Whether any cell was changed."""
        return self.cells != self.row.cells


@dataclass(slots=True)
class Doctor:
    """The faulty rows of one file, or of one report. `total` counts all rows.

    `part` describes the part of a directory in the file, where it is not a whole directory.
    """

    columns: tuple[CsvColumn, ...]
    checker: Checker
    csv_format: CsvFormat
    path: Path | None = None
    total: int = 0
    part: str = ""
    rows: list[FaultyRow] = field(default_factory=list)
    #: The numbers of the faulty and doubtful rows that are not kept.
    uncollected_numbers: set[int] = field(default_factory=set)
    #: How many of them are doubtful.
    uncollected_doubtful: int = 0
    _places: dict[int, int] = field(default_factory=dict)

    def add(self, row: CsvRow, faults: list[Fault]) -> None:
        """Add a faulty row."""
        if len(self.rows) >= MOST_KEPT:
            self.uncollected_numbers.add(row.number)
            self.uncollected_doubtful += is_doubtful(faults)
            return
        self._places[row.number] = len(self.rows)
        self.rows.append(FaultyRow(row, list(row.cells), faults))

    @property
    def uncollected(self) -> int:
        """Number of faulty rows that are not kept."""
        return len(self.uncollected_numbers)

    @property
    def by_number(self) -> Mapping[int, FaultyRow]:
        """The rows that are kept, by their numbers."""
        return {each.number: each for each in self.rows}

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def left(self) -> int:
        """Number of rows that are faulty or doubtful: they are left over by an import."""
        return self.uncollected + sum(bool(each.faults) for each in self.rows)

    @property
    def doubtful(self) -> int:
        """Number of doubtful rows."""
        return self.uncollected_doubtful + sum(each.doubtful for each in self.rows)

    @property
    def right(self) -> int:
        """Number of rows that an import sends."""
        return self.total - self.left

    @property
    def corrected(self) -> int:
        """Number of changed rows."""
        return sum(each.changed for each in self.rows)

    @property
    def differs(self) -> bool:
        """Whether columns, rows, or lines that made the file unreadable, differ from the file."""
        repaired = bool(self.csv_format.corrected) or self.csv_format.mapping is not None
        return repaired or any(each.changed for each in self.rows)

    @property
    def has_suggestions(self) -> bool:
        """Whether any fault has a suggested value."""
        return any(fault.suggestion for each in self.rows for fault in each.faults)

    @property
    def fixed(self) -> int:
        """Number of changed rows without faults."""
        return sum(each.changed and not each.faults for each in self.rows)

    def row(self, number: int) -> FaultyRow:
        """A faulty row by its number. KeyError when there is none."""
        return self.rows[self._places[number]]

    def fault_kinds(self) -> list[tuple[str, str, int]]:
        """Rule, column and number of rows of each kind of fault, the most frequent first."""
        counted = Counter((fault.rule, fault.column) for each in self.rows for fault in each.faults)
        return [(rule, column, count) for (rule, column), count in counted.most_common()]

    # --- correction --------------------------------------------------------------------------------------------

    def edit(self, number: int, column: str, value: str) -> list[Fault]:
        """Change a cell; the remaining faults of the row."""
        found = self.row(number)
        found.cells[self.header.index(column)] = value
        found.faults = self._faults_of(found)
        return found.faults

    def retype(self, number: int, text: str) -> list[Fault]:
        """Replace a row by a line of text as in the file. BadFile when it is not a row."""
        found = self.row(number)
        found.cells = record_of(text, self.csv_format)
        found.faults = self.checker.check(found.cells)
        return found.faults

    def restore(self, number: int) -> None:
        """Undo all changes of a row."""
        found = self.row(number)
        found.cells = list(found.row.cells)
        found.faults = self._faults_of(found)

    def _faults_of(self, row: FaultyRow) -> list[Fault]:
        """The faults of the cells of a row, and those of its text in the file as far as its cells are unchanged."""
        before = dict(zip(self.header, row.row.cells, strict=False))
        now = dict(zip(self.header, row.cells, strict=False))
        return check_row(self.checker, row.cells, [each for each in row.row.faults if _is_left(each, before, now)])

    def same_value(self, number: int, column: str) -> list[int]:
        """Numbers of the rows with the same value and a fault in this column, including this row."""
        place = self.header.index(column)
        value = self.row(number).cells[place]
        return [
            each.number
            for each in self.rows
            if place < len(each.cells)
            and each.cells[place] == value
            and (each.number == number or any(fault.column == column for fault in each.faults))
        ]

    def apply_suggestions(self, number: int | None = None, column: str = "") -> list[int]:
        """Apply the suggestion to a cell and all cells with the same value, or without a number all suggestions.

        The numbers of the changed rows. Suggestions that result from these changes are not applied.
        """
        if number is None:
            return [each.number for each in self.rows if self._apply_suggestions_to(each)]
        value = next((fault.suggestion for fault in self.row(number).faults if fault.column == column), "")
        found = self.same_value(number, column) if value else []
        for each in found:
            self.edit(each, column, value)
        return found

    def accept_doubtful(self) -> None:
        """Apply the suggestions of all doubtful rows, and of no other ones."""
        for each in self.rows:
            if each.doubtful:
                self._apply_suggestions_to(each)

    def _apply_suggestions_to(self, row: FaultyRow) -> bool:
        found = [fault for fault in row.faults if fault.suggestion]
        for fault in found:
            self.edit(row.number, fault.column, fault.suggestion)
        return bool(found)

    def apply_report(self, entries: Mapping[int, Mapping[str, Any]], *, whole: bool) -> None:
        """Apply the faults that the service reports, by row number; with `whole` all other rows have none.

        Rows that had no faults here are read again from the file. BadFile and OSError as `scan` raises them.
        """
        for each in self.rows:
            if (entry := entries.get(each.number)) is not None:
                each.faults = _reported_faults(entry, each.faults) or each.faults
            elif whole:
                each.faults = []
        for row in self._others(set(entries) - self._places.keys()):
            self.add(row, _reported_faults(entries[row.number], ()))
        self.rows.sort(key=lambda each: each.number)
        self._places = {each.number: place for place, each in enumerate(self.rows)}

    def _others(self, numbers: set[int]) -> Iterator[CsvRow]:
        """Rows of the file that are not among the faulty rows."""
        if self.path is None or not numbers:
            return
        last = max(numbers)
        with self.path.open("rb") as file:
            _, _, found = contact_rows(file, self.csv_format, synchronizing=self.checker.synchronizing)
            for row in found:
                if row.number in numbers:
                    yield row
                if row.number >= last:
                    return

    # --- saving ------------------------------------------------------------------------------------------------

    def save(self, target: Path) -> int:
        """Write the file with its corrected rows as UTF-8; all other lines stay, including comments.

        A file with other columns than those of the service is written with those of the service.
        The number of changed rows and lines, then of all rows. OSError leaves no incomplete file.
        """
        assert self.path is not None
        changed = {each.row.line: each for each in self.rows if each.changed}
        with self.path.open("rb") as file, saved_file(target) as out:
            for text in self._corrected_lines(file, changed):
                out.write(text.encode("utf-8", ESCAPED))
        whole = self.csv_format.mapping is not None
        return self.total if whole else len(changed.keys() | self.csv_format.corrected.keys())

    def _corrected_lines(self, file: io.BufferedReader, changed: Mapping[int, FaultyRow]) -> Iterator[str]:
        if self.csv_format.mapping is None:
            yield from _corrected_lines(file, self.csv_format, changed)
            return
        signs = self.csv_format.delimiter, self.csv_format.comment
        yield line(self.header, *signs) + "\n"
        for row in contact_rows(file, self.csv_format)[2]:
            yield line(changed[row.line].cells if row.line in changed else row.cells, *signs) + "\n"

    def save_faulty(self, target: Path, numbers: Collection[int] | None = None) -> int:
        """Write only the faulty rows (those with these numbers, if given) and the header; their number."""
        kept = [each for each in self.rows if numbers is None or each.number in numbers]
        with saved_file(target) as out:
            for cells in (self.header, *(each.cells for each in kept)):
                text = line(cells, self.csv_format.delimiter, self.csv_format.comment) + "\n"
                out.write(text.encode("utf-8", "surrogatepass"))
        return len(kept)

    def save_resolved(self, target: Path, numbers: Collection[int]) -> None:
        """Write the rows with these numbers, which have no faults, as the service takes them."""
        columns = self.checker.columns_needed
        signs = self.csv_format.delimiter, self.csv_format.comment
        with saved_file(target) as out:
            out.write((line([column.name for column in columns], *signs) + "\n").encode())
            for each in self.rows:
                if each.number in numbers:
                    out.write((line(self.checker.resolved(each.cells, columns), *signs) + "\n").encode())

    def entries(self) -> list[tuple[int, Mapping[str, Any]]]:
        """Number and entry of each corrected row without faults, for creation one by one."""
        return [
            (
                each.number,
                {wire: value for wire, value in self.checker.entry(each.cells).items() if value not in (None, [])},
            )
            for each in self.rows
            if not each.faults and self.checker.action(each.cells) != "delete"
        ]

    @property
    def can_synchronize(self) -> bool:
        """Whether each row names its entry and its action."""
        return {ACTION, LDAP_ID} <= set(self.header)


def corrected_path(path: Path) -> Path:
    """The suggested path of the corrected file: an unused name in the folder of the original."""
    for number in range(1, 1000):
        suffix = "" if number == 1 else f"-{number}"
        target = path.with_name(f"{path.stem}.corrected{suffix}{path.suffix or '.csv'}")
        if not target.exists():
            return target
    return path.with_name(f"{path.stem}.corrected{path.suffix}")


def check_row(checker: Checker, cells: Sequence[str], faults: Sequence[Fault]) -> list[Fault]:
    """All faults of a row, of which these are those of its text in the file. A row of another length has no other."""
    whole = any(not fault.column for fault in faults)
    return [*faults, *([] if whole else checker.check(cells))]


def _is_left(fault: Fault, before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Whether a fault of the text in the file concerns cells that are unchanged; one of the whole row always does."""
    return not fault.column or before.get(fault.column) == now.get(fault.column)


def scan(
    path: Path,
    csv_format: CsvFormat | None = None,
    *,
    synchronizing: bool = False,
    country: str = "",
    corrected: Mapping[int, str] | None = None,
    on_progress: ProgressCallback = lambda _: True,
) -> Doctor:
    """Read and check a file, in the detected format with the lines in `corrected`, unless another one is given.

    BadFile when it cannot be read, OSError, and ScanStopped when `on_progress` returns False.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        csv_format = csv_format or contact_format(file, corrected=corrected)
        columns, _, found = contact_rows(file, csv_format, synchronizing=synchronizing)
        part = part_of(path, csv_format)
        doctor = Doctor(columns, Checker(columns, synchronizing, country), csv_format, path, part=part)

        def report() -> None:
            faulty = len(doctor.rows) + doctor.uncollected
            if not on_progress(ScanProgress(doctor.total, faulty, file.tell(), size)):
                raise ScanStopped

        report()
        for row in found:
            doctor.total += 1
            if faults := check_row(doctor.checker, row.cells, row.faults):
                doctor.add(row, faults)
            if doctor.total % _ROWS_BETWEEN_REPORTS == 0:
                report()
        report()
    return doctor


def doctor_of_report(
    headers: str, report: Mapping[str, Mapping[str, Any]], *, synchronizing: bool, country: str
) -> Doctor:
    """The failed rows of a report of the service, with the reported faults.

    BadFile when its header is invalid. Rows that cannot be parsed have one cell.
    """
    file = io.BytesIO(headers.encode("utf-8", "surrogatepass") + b"\n")
    csv_format = format_of(file)
    columns, _, _ = rows(file, csv_format, synchronizing=synchronizing)
    doctor = Doctor(columns, Checker(columns, synchronizing, country), csv_format)
    for name, entry in report.items():
        number = name.removeprefix("entry")
        source = entry.get("csvSource")
        if not isinstance(source, str) or not number.isdigit():
            continue
        doctor.total += 1
        cells = _cells(source, csv_format)
        here = doctor.checker.check(cells)
        doctor.add(CsvRow(int(number), int(number) + 1, source, cells), _reported_faults(entry, here) or here)
    return doctor


def _reported_faults(entry: Mapping[str, Any], here: Sequence[Fault]) -> list[Fault]:
    """The faults of a row that the service reported, with the rule and suggestion where they are known here."""
    details = entry.get("errors") or entry.get("errorDetails")
    known = {fault.column: fault for fault in here}
    found = []
    for each in details if isinstance(details, list) else [details]:
        if isinstance(each, Mapping):
            column = str(each.get("param") or "")
            msg, value = str(each.get("msg") or ""), str(each.get("value") or "")
            local = known.get(column, Fault(column, msg, value, "service"))
            found.append(Fault(column, msg, value, local.rule, local.suggestion, local.doubtful))
        elif each:
            found.append(Fault("", str(each), rule="service"))
    return found


def _cells(source: str, csv_format: CsvFormat) -> list[str]:
    try:
        return record_of(source, csv_format)
    except BadFile:
        return [source]


def _corrected_lines(file: io.BufferedReader, csv_format: CsvFormat, changed: Mapping[int, FaultyRow]) -> Iterator[str]:
    """The lines of a file with the changed rows in place of the old ones."""
    text = io.TextIOWrapper(file, encoding=csv_format.encoding, errors=error_handler(csv_format.encoding), newline="")
    lines: Iterable[tuple[int, str]] = enumerate(lines_of(text, csv_format.corrected), 1)
    skipped = 0
    for number, old in lines:
        if skipped:
            skipped -= 1
            continue
        if number in changed:
            row = changed[number]
            end = line_end(old) or "\n"
            skipped = row.row.lines - 1
            yield line(row.cells, csv_format.delimiter, csv_format.comment) + end
        else:
            yield old
    text.detach()
