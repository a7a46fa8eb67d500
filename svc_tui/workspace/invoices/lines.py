"""The lines of an invoicing file on disk: totals by customer and service, and single lines on demand."""

from __future__ import annotations

import csv
from array import array
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import IO, Any

from svc_tui.language import _
from svc_tui.workspace.files.saved_files import delimiter_of
from svc_tui.workspace.invoices.amounts import Doubts, ReadAmount, read_amount
from svc_tui.workspace.lists.held_rows import StaticRows

ZERO = Decimal(0)
#: Amounts of a line that are added up: list price, price for the partner, price for the customer.
AMOUNTS = ("wplPriceTotal", "bp1TNetTotalValue", "endCustomerNetTotalValue")
VOLUME = "volume"
#: What is added up, and its place in the sums of a total.
_SUMS = (*AMOUNTS, VOLUME)
CUSTOMER = ("endCustomerCompanyId", "endCustomerCompanyName")
SERVICE = ("svcServiceId", "svcServiceDescription")
#: Rows in one block, and most blocks in memory.
_BLOCK, _MOST_BLOCKS = 100, 8
#: Lines between two reports of progress.
_STEP = 500
#: Longest line in bytes.
_LONGEST = 1_000_000


class InvoiceFileError(Exception):
    """A file whose lines cannot be read; the message is a sentence."""


@dataclass(slots=True)
class Total:
    """The sum of some lines in one currency. `amounts` are in the order of AMOUNTS.

    `unit` is empty where the lines have different units; `volume` has no meaning then. `unreadable` is the number of
    values that are missing in each sum, by its column; it is None where the file has no such column.
    """

    id: str
    name: str
    currency: str
    lines: int = 0
    volume: Decimal = ZERO
    unit: str | None = None
    amounts: list[Decimal] = field(default_factory=lambda: [ZERO] * len(AMOUNTS))
    unreadable: dict[str, int | None] = field(default_factory=dict)
    _doubts: dict[tuple[str, str], tuple[int, Decimal]] = field(default_factory=dict)

    def add(self, name: str, value: ReadAmount | None) -> None:
        """Add a value of a column; None for one that cannot be read."""
        if value is None:
            self.unreadable[name] = (self.unreadable.get(name) or 0) + 1
        elif value.doubt:
            number, amount = self._doubts.get((name, value.doubt), (0, ZERO))
            self._doubts[name, value.doubt] = number + 1, amount + value.value
        else:
            self._add(name, value.value)

    def _add(self, name: str, value: Decimal) -> None:
        if name == VOLUME:
            self.volume += value
        else:
            self.amounts[AMOUNTS.index(name)] += value

    def settle(self, doubts: Doubts) -> int:
        """Add what the whole file decides; returns the number of values that nothing decides."""
        open_ones = 0
        for (name, doubt), (number, value) in self._doubts.items():
            factor = doubts.factor(doubt)
            if factor is None:
                self.unreadable[name] = (self.unreadable.get(name) or 0) + number
                open_ones += number
            else:
                self._add(name, value * factor)
        self._doubts.clear()
        return open_ones

    def amount(self, name: str) -> Decimal | None:
        """The sum of a column of AMOUNTS; None where the file has no such column."""
        return None if self.unreadable.get(name, 0) is None else self.amounts[AMOUNTS.index(name)]

    @property
    def incomplete(self) -> int:
        """The number of amounts that could not be added."""
        return sum(self.unreadable.get(name) or 0 for name in AMOUNTS)


@dataclass(slots=True)
class Summary:
    """The content of a file. `offsets`: positions of the lines; `unreadable`: number of values that are no number."""

    columns: tuple[str, ...]
    delimiter: str
    offsets: array[int]
    currencies: tuple[Total, ...]
    customers: tuple[Total, ...]
    services: tuple[Total, ...]
    unreadable: int

    @property
    def lines(self) -> int:
        return len(self.offsets)


class _Lines:
    """The physical lines of a file as text; `at` is the position of the next one. A record may have several lines."""

    def __init__(self, file: IO[bytes], at: int = 0) -> None:
        self._file, self.at = file, at
        file.seek(at)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(_LONGEST)
        if not line:
            raise StopIteration
        self.at += len(line)
        return line.decode("utf-8", "replace")


def _unchanged(name: str) -> str:
    return name


def summarise(
    file: IO[bytes],
    declared_name: Callable[[str], str] = _unchanged,
    on_progress: Callable[[int], object] = lambda lines: None,
) -> Summary:
    """Read a file once, line by line; InvoiceFileError when it is not an invoicing file.

    `declared_name` returns the declared name of a column. `on_progress` is called with the number of lines and may
    raise to cancel.
    """
    lines = _Lines(file)
    head = next(lines, "").lstrip("\ufeff")
    if not head.strip():
        raise InvoiceFileError(_("The file is empty."))
    delimiter = delimiter_of(head)
    columns = tuple(declared_name(name.strip()) for name in next(csv.reader([head], delimiter=delimiter)))
    sums = _TotalsByKey(columns)
    offsets: array[int] = array("Q")
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        at = lines.at
        for row in reader:
            if row:
                offsets.append(at)
                sums.add(row)
                if len(offsets) % _STEP == 0:
                    on_progress(len(offsets))
            at = lines.at
    except csv.Error as error:
        raise InvoiceFileError(
            _("Cannot read line {offsets} of the file: {error}.").format(offsets=len(offsets) + 2, error=error)
        ) from None
    sums.settle()
    return Summary(
        columns,
        delimiter,
        offsets,
        _sorted(sums.currencies),
        _sorted(sums.customers),
        _sorted(sums.services),
        sums.unreadable,
    )


def _sorted(totals: Mapping[Any, Total]) -> tuple[Total, ...]:
    """Sorted by currency, then by amount, the largest first."""
    return tuple(sorted(totals.values(), key=lambda total: (total.currency, [-value for value in total.amounts])))


class _TotalsByKey:
    """Sums of lines by customer, service and currency."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.currencies: dict[tuple[str, str], Total] = {}
        self.customers: dict[tuple[str, str], Total] = {}
        self.services: dict[tuple[str, str], Total] = {}
        self.unreadable = 0
        self._doubts = Doubts()
        self._at = {name: index for index, name in reversed(tuple(enumerate(columns)))}

    def add(self, row: Sequence[str]) -> None:
        currency, unit = self._text(row, "currency"), self._text(row, "unit")
        values = {name: self._value(row, name) for name in _SUMS if name in self._at}
        for totals, names in (
            (self.currencies, ("currency",) * 2),
            (self.customers, CUSTOMER),
            (self.services, SERVICE),
        ):
            name = self._text(row, names[1])
            known = self._text(row, names[0]) or name
            total = totals.get((known, currency))
            if total is None:
                total = totals[known, currency] = Total(known, name, currency, unit=unit)
                total.unreadable |= dict.fromkeys(name for name in _SUMS if name not in self._at)
            total.lines += 1
            total.name = total.name or name
            total.unit = unit if total.unit == unit else ""
            for column, value in values.items():
                total.add(column, value)

    def _text(self, row: Sequence[str], name: str) -> str:
        at = self._at.get(name, len(row))
        return row[at].strip() if at < len(row) else ""

    def _value(self, row: Sequence[str], name: str) -> ReadAmount | None:
        """A value that is added up: zero for an empty one, None for one that is no number or is cut off."""
        text = self._text(row, name)
        found = read_amount(text) if text else ReadAmount(ZERO) if self._at[name] < len(row) else None
        if found is None:
            self.unreadable += 1
        else:
            self._doubts.see(found)
        return found

    def settle(self) -> None:
        """At the end of the file: add the amounts that only the whole file decides."""
        self.unreadable += sum(total.settle(self._doubts) for total in self.currencies.values())
        for totals in (self.customers, self.services):
            for total in totals.values():
                total.settle(self._doubts)


class FileLines:
    """The lines of a summarised file as rows of a list; the rows shown are read from disk."""

    refreshing = False

    def __init__(self, file: IO[bytes], summary: Summary) -> None:
        self._file, self._summary = file, summary
        self._blocks: OrderedDict[int, list[dict[str, str]]] = OrderedDict()

    @property
    def total(self) -> int:
        return self._summary.lines

    def row(self, index: int) -> dict[str, str] | None:
        """A line with its number as `id` and its values by column."""
        if not 0 <= index < self.total:
            return None
        block = self._blocks.get(index // _BLOCK)
        if block is None:
            block = self._blocks[index // _BLOCK] = list(self._read(index // _BLOCK * _BLOCK))
            while len(self._blocks) > _MOST_BLOCKS:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(index // _BLOCK)
        return block[index % _BLOCK]

    def _read(self, first: int) -> Iterator[dict[str, str]]:
        summary = self._summary
        reader = csv.reader(_Lines(self._file, summary.offsets[first]), delimiter=summary.delimiter)
        number = first
        while number < min(first + _BLOCK, summary.lines):
            row = next(reader)
            if row:
                number += 1
                yield {**dict(zip(summary.columns, row, strict=False)), "id": str(number)}

    def request(self, first: int, last: int) -> None:
        """Nothing to load in advance."""

    def index_of(self, record_id: str) -> int | None:
        index = int(record_id) - 1 if record_id.isdigit() else -1
        return index if 0 <= index < self.total else None

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """The lines never change."""
        return lambda: None

    async def ids(self) -> AsyncIterator[str]:
        for number in range(1, self.total + 1):
            yield str(number)


class Totals(StaticRows):
    """Totals as rows of a list."""

    def __init__(self, totals: Sequence[Total]) -> None:
        rows = [
            {
                "id": f"{total.id}/{total.currency}",
                "name": total.name or total.id or _("(no name)"),
                "currency": total.currency,
                "lines": total.lines,
                "volume": total.volume if total.unit and total.unreadable.get(VOLUME, 0) is not None else None,
                "unit": total.unit or "",
                **{name: total.amount(name) for name in AMOUNTS},
                "unreadable": total.incomplete,
                "incomplete": [name for name, number in total.unreadable.items() if number],
            }
            for total in totals
        ]
        super().__init__(rows)
