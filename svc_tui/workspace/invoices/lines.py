"""The lines of an invoicing file on disk: totals by customer and service, and any line on demand, in little memory."""

from __future__ import annotations

import csv
from array import array
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import IO, Any

from svc_tui.interface.money import amount
from svc_tui.workspace.files.login_column import delimiter_of
from svc_tui.workspace.lists.static_rows import StaticRows

ZERO = Decimal(0)
#: Amounts that are added up, by what they are: the price list, what the partner pays, what the customer pays.
AMOUNTS = ("wplPriceTotal", "bp1TNetTotalValue", "endCustomerNetTotalValue")
CUSTOMER = ("endCustomerCompanyId", "endCustomerCompanyName")
SERVICE = ("svcServiceId", "svcServiceDescription")
#: Rows that are read at once, and how many of such blocks are held.
_BLOCK, _MOST_BLOCKS = 100, 8
#: Lines between two looks at whether anybody still wants the totals.
_OFTEN = 500
#: A line, or a cell, that is longer is no line of an invoice.
_LONGEST = 1_000_000


class NoLines(Exception):
    """A file whose lines cannot be read; its text is the sentence that says why."""


@dataclass(slots=True)
class Total:
    """What some lines come to in one currency. `amounts` are in the order of AMOUNTS; `unit` is empty where they are
    counted in different ones, and `volume` means nothing then."""

    id: str
    name: str
    currency: str
    lines: int = 0
    volume: Decimal = ZERO
    unit: str | None = None
    amounts: list[Decimal] = field(default_factory=lambda: [ZERO] * len(AMOUNTS))


@dataclass(slots=True)
class Summary:
    """What a file holds. `offsets` say where its lines begin; `unreadable` amounts are no numbers and count nothing."""

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
    """The physical lines of a file as text; `at` is where the next one begins. A record may take several."""

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
    inward: Callable[[str], str] = _unchanged,
    told: Callable[[int], object] = lambda lines: None,
) -> Summary:
    """Read a file once, line by line; NoLines when it is none. `inward` turns the names of columns into the declared
    ones; `told` is called with the number of lines now and then, and ends it by raising."""
    lines = _Lines(file)
    head = next(lines, "").lstrip("\ufeff")
    if not head.strip():
        raise NoLines("The file holds no lines.")
    delimiter = delimiter_of(head)
    columns = tuple(inward(name.strip()) for name in next(csv.reader([head], delimiter=delimiter)))
    sums = _Sums(columns)
    offsets: array[int] = array("Q")
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        at = lines.at
        for row in reader:
            if row:
                offsets.append(at)
                sums.add(row)
                if len(offsets) % _OFTEN == 0:
                    told(len(offsets))
            at = lines.at
    except csv.Error as error:
        raise NoLines(f"Line {len(offsets) + 2} of the file cannot be read: {error}.") from None
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
    """Currencies apart, the largest first in each."""
    return tuple(sorted(totals.values(), key=lambda total: (total.currency, [-value for value in total.amounts])))


class _Sums:
    """Adds lines up, by customer, service and currency."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.currencies: dict[tuple[str, str], Total] = {}
        self.customers: dict[tuple[str, str], Total] = {}
        self.services: dict[tuple[str, str], Total] = {}
        self.unreadable = 0
        self._at = {name: index for index, name in reversed(tuple(enumerate(columns)))}

    def add(self, row: Sequence[str]) -> None:
        currency, unit = self._text(row, "currency"), self._text(row, "unit")
        volume = self._amount(row, "volume")
        amounts = [self._amount(row, name) for name in AMOUNTS]
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
            total.lines += 1
            total.volume += volume
            total.name = total.name or name
            total.unit = unit if total.unit == unit else ""
            for index, value in enumerate(amounts):
                total.amounts[index] += value

    def _text(self, row: Sequence[str], name: str) -> str:
        at = self._at.get(name, len(row))
        return row[at].strip() if at < len(row) else ""

    def _amount(self, row: Sequence[str], name: str) -> Decimal:
        text = self._text(row, name)
        found = amount(text)
        self.unreadable += found is None and bool(text)
        return ZERO if found is None else found


class FileLines:
    """The lines of a summarised file as rows of a list: those that are looked at are read from the disk."""

    refreshing = False

    def __init__(self, file: IO[bytes], summary: Summary) -> None:
        self._file, self._summary = file, summary
        self._blocks: OrderedDict[int, list[dict[str, str]]] = OrderedDict()

    @property
    def total(self) -> int:
        return self._summary.lines

    def row(self, index: int) -> dict[str, str] | None:
        """A line with its number as `id`; the values by the names of the columns."""
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
        """Nothing to fetch: the disk is near."""

    def index_of(self, record_id: str) -> int | None:
        index = int(record_id) - 1 if record_id.isdigit() else -1
        return index if 0 <= index < self.total else None

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Nothing ever changes."""
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
                "name": total.name or total.id or "(nobody named)",
                "currency": total.currency,
                "lines": total.lines,
                "volume": total.volume if total.unit else None,
                "unit": total.unit or "",
                **dict(zip(AMOUNTS, total.amounts, strict=True)),
            }
            for total in totals
        ]
        super().__init__(rows)
