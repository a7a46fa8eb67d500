"""The rows with errors of a directory file as a list: their cells in columns, with wrong values marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.console.terminal.text import SafeText, safe_text
from svc_tui.console.widgets.list.columns import Column
from svc_tui.console.widgets.list.rows import Row
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.directory.csv.faults import Fault
from svc_tui.language import _, number_text
from svc_tui.workspace.core.events import ListChanged, Listeners
from svc_tui.workspace.directory.doctor import Doctor, FaultyRow

#: A kind of error: its rule and its column.
FaultKind = tuple[str, str]
#: The marks of a wrong and of a doubtful cell, and of a corrected row.
WRONG, DOUBTFUL, RIGHT = "✗", "?", "✓"
COUNTRY = "country"
#: The fewest and most columns of a cell where there is little room, and the most of the longest one.
_NARROWEST, _WIDEST, _MOST = 8, 18, 40


class FaultyRows:
    """The rows of a doctor, or only those with one kind of error."""

    refreshing = False

    def __init__(self, doctor: Doctor) -> None:
        self.doctor = doctor
        self.kind: FaultKind | None = None
        self._numbers: list[int] = []
        self._places: dict[int, int] = {}
        self._drawn: dict[int, Row] = {}
        self._listeners: Listeners[ListChanged] = Listeners()
        self.pick(None)

    def pick(self, kind: FaultKind | None) -> None:
        """Show the rows with this kind of error, or all of them."""
        self.kind = kind
        self._numbers = [
            each.number
            for each in self.doctor.rows
            if kind is None or any((fault.rule, fault.column) == kind for fault in each.faults)
        ]
        self._places = {number: place for place, number in enumerate(self._numbers)}
        self._drawn.clear()
        self._listeners.notify(ListChanged(rows=None))

    @property
    def total(self) -> int:
        return len(self._numbers)

    def at(self, index: int) -> FaultyRow | None:
        """The row at a position."""
        return self.doctor.row(self._numbers[index]) if 0 <= index < len(self._numbers) else None

    def row(self, index: int) -> Row | None:
        found = self.at(index)
        if found is None:
            return None
        drawn = self._drawn.get(index)
        if drawn is None:
            drawn = self._drawn[index] = {"id": str(found.number), "row": found}
        return drawn

    def changed(self, numbers: Iterable[int]) -> None:
        """Update rows after a correction or a new check."""
        places = frozenset(self._places[number] for number in numbers if number in self._places)
        for place in places:
            self._drawn.pop(place, None)
        self._listeners.notify(ListChanged(places))

    def request(self, first: int, last: int) -> None:
        """Nothing to load: all rows are in memory."""

    def index_of(self, record_id: str) -> int | None:
        return self._places.get(int(record_id)) if record_id.isdigit() else None

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        return self._listeners.add(callback)

    async def ids(self) -> AsyncIterator[str]:
        for number in self._numbers:
            yield str(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellColumn(Column):
    """A column of the file; `place` is its position in a row."""

    place: int = 0

    def text(self, row: Row, unicode: bool = True) -> tuple[SafeText, str]:
        """The text of a cell: wrong and doubtful values with a mark, corrected ones in another colour."""
        faulty: FaultyRow = row["row"]
        cell = faulty.cells[self.place] if self.place < len(faulty.cells) else ""
        drawn = safe_text(cell, unicode)
        if found := [fault for fault in faulty.faults if fault.column == self.field]:
            mark, style = mark_of(found[0])
            return SafeText(f"{safe_text(mark, unicode).text} {drawn.text}", drawn.hostile), style
        before = faulty.row.cells[self.place] if self.place < len(faulty.row.cells) else ""
        return drawn, "" if cell == before else "accent"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberColumn(Column):
    """The number of a row, with a mark for an error of the row as a whole, or for a corrected row."""

    def text(self, row: Row, unicode: bool = True) -> tuple[SafeText, str]:
        faulty: FaultyRow = row["row"]
        if not faulty.faults:
            return SafeText(f"{number_text(faulty.number)} {safe_text(RIGHT, unicode).text}", False), "ok"
        whole = any(not fault.column for fault in faulty.faults)
        mark = f" {safe_text(WRONG, unicode).text}" if whole else "  "
        return SafeText(f"{number_text(faulty.number)}{mark}", False), "bad" if whole else ""


def columns_of(doctor: Doctor) -> tuple[Column, ...]:
    """The number and the columns of the file; on a narrow terminal columns without errors are hidden first."""
    faults = Counter(fault.column for each in doctor.rows for fault in each.faults)
    ranked = sorted(doctor.header, key=lambda name: -faults[name])
    widest = max((len(number_text(each.number)) for each in doctor.rows[-1:]), default=1) + 2
    return (
        NumberColumn(field="number", title="ROW", width=max(widest, 5), align="right"),
        *(
            CellColumn(
                field=name,
                title=name,
                width=min(max(len(name), _NARROWEST), _WIDEST),
                flex=1,
                limit=max(len(name), _NARROWEST, min(_longest(doctor, place), _MOST)),
                priority=1 + ranked.index(name),
                place=place,
            )
            for place, name in enumerate(doctor.header)
        ),
    )


def _longest(doctor: Doctor, place: int) -> int:
    """The columns of the longest cell with its mark."""
    return 2 + max((len(each.row.cells[place]) for each in doctor.rows if place < len(each.row.cells)), default=0)


def faults_of(row: FaultyRow, header: Sequence[str]) -> list[str]:
    """The columns with errors, in the best order to correct them; empty for an error of the row as a whole.

    The country comes first, because the format of telephone numbers depends on it.
    """
    names = {fault.column for fault in row.faults}
    return sorted(names, key=lambda name: (name != COUNTRY, header.index(name) if name in header else -1))


def next_fault(rows: FaultyRows, index: int, column: str, by: int) -> tuple[int, str] | None:
    """The position and column of the next or previous error; None when there is none."""
    header = rows.doctor.header
    here = rows.at(index)
    if here is None:
        return None
    names = faults_of(here, header)
    if column not in names and names:
        return index, names[0 if by > 0 else -1]
    at = names.index(column) + by if names else -1
    if 0 <= at < len(names):
        return index, names[at]
    for other in range(index + 1, rows.total) if by > 0 else range(index - 1, -1, -1):
        row = rows.at(other)
        if row is not None and row.faults:
            return other, faults_of(row, header)[0 if by > 0 else -1]
    return None


def kind_name(kind: FaultKind) -> str:
    """A kind of error in words."""
    rule, column = kind
    return _("{rule} in {column}").format(rule=rule, column=column) if column else rule


def in_words(fault: Fault | None) -> str:
    """The cell, the rule and the value of an error."""
    if fault is None:
        return ""
    value = f": “{fault.value}”" if fault.value else ""
    return f"{fault.column or _('The row')} {fault.msg}{value}"


def mark_of(fault: Fault) -> tuple[str, str]:
    """The mark of a cell with this fault, and its style."""
    return (DOUBTFUL, "warn") if fault.doubtful else (WRONG, "bad")


def cell_line(name: str, value: str, fault: Fault | None) -> Line:
    """A cell of a row with its error."""
    if fault is None:
        return Line("field", safe(name), safe(value), key=name)
    mark, style = mark_of(fault)
    note = f"{mark} {safe(fault.rule)}"
    return Line("field", safe(name), safe(value), note, key=name, style=style, note_style=style)
