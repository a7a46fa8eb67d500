"""The import doctor: the faulty rows of a file, mended one by one or all alike, and saved beside the original.

It holds the faulty rows only, so that a file of any length costs what its faults cost. It knows no screen and no
network; a long file is scanned in a thread.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import ACTION, LDAP_ID, Column
from svc_tui.interface.directory.csv.faults import BadFile, Fault
from svc_tui.interface.directory.csv.reading import Row, Shape, line_end, lines_of, record_of, rows, shape_of
from svc_tui.interface.directory.csv.writing import line
from svc_tui.workspace.directory.inspection import part_of
from svc_tui.workspace.files.shared_files import replacing

#: Faulty rows that are kept to be mended; of more only the number is known.
MOST_KEPT = 100_000
#: Rows between two times of telling how far it is.
_STEP = 2_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a scan is: rows read, rows with faults, bytes read of all."""

    rows: int
    faulty: int
    read: int
    size: int


#: Told how far it is; False stops the scan.
Told = Callable[[Progress], bool]


class Stopped(Exception):
    """The scan was stopped."""


@dataclass(slots=True)
class FaultyRow:
    """A row that was not right when it was read; `faults` are those of its present cells."""

    row: Row
    cells: list[str]
    faults: list[Fault]

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def changed(self) -> bool:
        """Whether it was mended in any way."""
        return self.cells != self.row.cells


@dataclass(slots=True)
class Doctor:
    """The faulty rows of one file, or of one report. `total` counts all rows, `beyond` faulty ones not kept.

    `part` says which part of a directory the file holds, where it holds no whole one.
    """

    columns: tuple[Column, ...]
    checker: Checker
    shape: Shape
    path: Path | None = None
    total: int = 0
    beyond: int = 0
    part: str = ""
    rows: list[FaultyRow] = field(default_factory=list)
    _places: dict[int, int] = field(default_factory=dict)

    def add(self, row: Row, faults: list[Fault]) -> None:
        """A row that is not right."""
        if len(self.rows) >= MOST_KEPT:
            self.beyond += 1
            return
        self._places[row.number] = len(self.rows)
        self.rows.append(FaultyRow(row, list(row.cells), faults))

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def left(self) -> int:
        """How many rows are still wrong."""
        return self.beyond + sum(bool(each.faults) for each in self.rows)

    @property
    def mended(self) -> int:
        """How many rows were changed."""
        return sum(each.changed for each in self.rows)

    @property
    def differs(self) -> bool:
        """Whether rows, or lines that kept the file from being read, are other ones than in the file."""
        return bool(self.shape.mended) or any(each.changed for each in self.rows)

    @property
    def proposes(self) -> bool:
        """Whether something is proposed for a fault."""
        return any(fault.proposal for each in self.rows for fault in each.faults)

    @property
    def right_now(self) -> int:
        """How many of the changed rows are right by now."""
        return sum(each.changed and not each.faults for each in self.rows)

    def row(self, number: int) -> FaultyRow:
        """A faulty row by its number. KeyError when there is none."""
        return self.rows[self._places[number]]

    def kinds(self) -> list[tuple[str, str, int]]:
        """Rule, column and number of rows of each kind of fault that is left, the most frequent first."""
        counted = Counter((fault.rule, fault.column) for each in self.rows for fault in each.faults)
        return [(rule, column, count) for (rule, column), count in counted.most_common()]

    # --- mending -----------------------------------------------------------------------------------------------

    def edit(self, number: int, column: str, value: str) -> list[Fault]:
        """Write another value into a cell; what is wrong with the row then."""
        found = self.row(number)
        found.cells[self.header.index(column)] = value
        found.faults = self.checker.check(found.cells)
        return found.faults

    def retype(self, number: int, text: str) -> list[Fault]:
        """Write a row anew as text, as it would stand in the file. BadFile when it is no row."""
        found = self.row(number)
        found.cells = record_of(text, self.shape)
        found.faults = self.checker.check(found.cells)
        return found.faults

    def restore(self, number: int) -> None:
        """Take back what was done to a row."""
        found = self.row(number)
        found.cells = list(found.row.cells)
        found.faults = self.checker.check(found.cells)

    def alike(self, number: int, column: str) -> list[int]:
        """The rows with the same value in this column, and a fault there: the one of this number among them."""
        place = self.header.index(column)
        value = self.row(number).cells[place]
        return [
            each.number
            for each in self.rows
            if place < len(each.cells)
            and each.cells[place] == value
            and (each.number == number or any(fault.column == column for fault in each.faults))
        ]

    def edit_alike(self, number: int, column: str, value: str) -> int:
        """Write the value into all cells alike; how many there were."""
        found = self.alike(number, column)
        for each in found:
            self.edit(each, column, value)
        return len(found)

    def proposed(self, number: int | None = None, column: str = "") -> list[int]:
        """Write what is proposed: into a cell and all alike, or without a number wherever something is.

        The numbers of the rows; what is proposed only then, because of what was mended, is not written by itself.
        """
        if number is None:
            return [each.number for each in self.rows if self._take_proposals(each)]
        value = next((fault.proposal for fault in self.row(number).faults if fault.column == column), "")
        found = self.alike(number, column) if value else []
        for each in found:
            self.edit(each, column, value)
        return found

    def _take_proposals(self, row: FaultyRow) -> bool:
        found = [fault for fault in row.faults if fault.proposal]
        for fault in found:
            self.edit(row.number, fault.column, fault.proposal)
        return bool(found)

    def judged(self, told: Mapping[int, Mapping[str, Any]], *, whole: bool) -> None:
        """Take over what the service says of rows, by their numbers; with `whole` all others are right.

        Rows that were right here are read again from the file. BadFile and OSError as `scan` raises them.
        """
        for each in self.rows:
            if (entry := told.get(each.number)) is not None:
                each.faults = _said(entry, each.faults) or each.faults
            elif whole:
                each.faults = []
        for row in self._others(set(told) - self._places.keys()):
            self.add(row, _said(told[row.number], ()))
        self.rows.sort(key=lambda each: each.number)
        self._places = {each.number: place for place, each in enumerate(self.rows)}

    def _others(self, numbers: set[int]) -> Iterator[Row]:
        """Rows of the file that are not among the faulty ones."""
        if self.path is None or not numbers:
            return
        last = max(numbers)
        with self.path.open("rb") as file:
            _, _, found = rows(file, self.shape, synchronizing=self.checker.synchronizing)
            for row in found:
                if row.number in numbers:
                    yield row
                if row.number >= last:
                    return

    # --- saving ------------------------------------------------------------------------------------------------

    def save(self, target: Path) -> int:
        """Write the file with its mended rows, as UTF-8; everything else in it stays, comments too.

        The number of rows and other lines that were changed. OSError leaves nothing behind.
        """
        assert self.path is not None
        changed = {each.row.line: each for each in self.rows if each.changed}
        with self.path.open("rb") as file, replacing(target) as out:
            for text in _mended(file, self.shape, changed):
                out.write(text.encode("utf-8", "surrogatepass"))
        return len(changed.keys() | self.shape.mended.keys())

    def save_failed(self, target: Path, numbers: Collection[int] | None = None) -> int:
        """Write only the rows that were not right (of these numbers, where given), with their first line; how many."""
        kept = [each for each in self.rows if numbers is None or each.number in numbers]
        with replacing(target) as out:
            for cells in (self.header, *(each.cells for each in kept)):
                text = line(cells, self.shape.delimiter, self.shape.comment) + "\n"
                out.write(text.encode("utf-8", "surrogatepass"))
        return len(kept)

    def entries(self) -> list[tuple[int, Mapping[str, Any]]]:
        """Number and entry of each row that was wrong and is right by now, as they can be created one by one."""
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
        """Whether its rows say themselves what becomes of which entry."""
        return {ACTION, LDAP_ID} <= set(self.header)


def beside(path: Path) -> Path:
    """Where the mended file is proposed to be: a name beside the original that is free."""
    for number in range(1, 1000):
        more = "" if number == 1 else f"-{number}"
        target = path.with_name(f"{path.stem}.corrected{more}{path.suffix or '.csv'}")
        if not target.exists():
            return target
    return path.with_name(f"{path.stem}.corrected{path.suffix}")


def scan(
    path: Path,
    *,
    delimiter: str | None = None,
    comment: str = "%",
    synchronizing: bool = False,
    country: str = "",
    mended: Mapping[int, str] | None = None,
    told: Told = lambda _: True,
) -> Doctor:
    """Read and check a file, with lines that are `mended` already.

    BadFile when it cannot be read, OSError, and Stopped when `told` says so.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        shape = shape_of(file, delimiter, comment, mended=mended)
        columns, _, found = rows(file, shape, synchronizing=synchronizing)
        part = part_of(path, shape)
        doctor = Doctor(columns, Checker(columns, synchronizing, country), shape, path, part=part)
        for row in found:
            doctor.total += 1
            if faults := doctor.checker.check(row.cells):
                doctor.add(row, faults)
            if doctor.total % _STEP == 0 and not told(
                Progress(doctor.total, len(doctor.rows) + doctor.beyond, file.tell(), size)
            ):
                raise Stopped
    told(Progress(doctor.total, len(doctor.rows) + doctor.beyond, size, size))
    return doctor


def of_report(headers: str, report: Mapping[str, Mapping[str, Any]], *, synchronizing: bool, country: str) -> Doctor:
    """The rows that a report of the service tells as failed, with what the service said of them.

    BadFile when its first line is none. Rows that cannot be read again stand as one cell.
    """
    file = io.BytesIO(headers.encode("utf-8", "surrogatepass") + b"\n")
    shape = shape_of(file)
    columns, _, _ = rows(file, shape, synchronizing=synchronizing)
    doctor = Doctor(columns, Checker(columns, synchronizing, country), shape)
    for name, entry in report.items():
        number = name.removeprefix("entry")
        source = entry.get("csvSource")
        if not isinstance(source, str) or not number.isdigit():
            continue
        doctor.total += 1
        cells = _cells(source, shape)
        here = doctor.checker.check(cells)
        doctor.add(Row(int(number), int(number) + 1, source, cells), _said(entry, here) or here)
    return doctor


def _said(entry: Mapping[str, Any], here: Sequence[Fault]) -> list[Fault]:
    """What the service said of a row, with the kind of fault where it is known here."""
    details = entry.get("errors") or entry.get("errorDetails")
    known = {fault.column: fault for fault in here}
    found = []
    for each in details if isinstance(details, list) else [details]:
        if isinstance(each, Mapping):
            column = str(each.get("param") or "")
            msg, value = str(each.get("msg") or ""), str(each.get("value") or "")
            alike = known.get(column, Fault(column, msg, value, "service"))
            found.append(Fault(column, msg, value, alike.rule, alike.proposal))
        elif each:
            found.append(Fault("", str(each), rule="service"))
    return found


def _cells(source: str, shape: Shape) -> list[str]:
    try:
        return record_of(source, shape)
    except BadFile:
        return [source]


def _mended(file: io.BufferedReader, shape: Shape, changed: Mapping[int, FaultyRow]) -> Iterator[str]:
    """The lines of a file with the changed rows in the place of the old ones."""
    text = io.TextIOWrapper(file, encoding=shape.encoding, newline="")
    lines: Iterable[tuple[int, str]] = enumerate(lines_of(text, shape.mended), 1)
    over = 0
    for number, old in lines:
        if over:
            over -= 1
            continue
        if number in changed:
            row = changed[number]
            end = line_end(old) or "\n"
            over = row.row.lines - 1
            yield line(row.cells, shape.delimiter, shape.comment) + end
        else:
            yield old
    text.detach()
