"""The report that compares what is billed with what is sold: invoiced volume beside licences bought and assigned."""

from __future__ import annotations

import csv
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from io import TextIOWrapper
from typing import IO

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.files.saved_files import delimiter_of
from svc_tui.workspace.invoices.amounts import Doubts, ReadAmount, read_amount
from svc_tui.workspace.lists.reports import Reading, Report, ReportColumn

#: How many of the last months are compared, to find since when there is a difference.
MONTHS = 3
#: The company and the service of a volume.
Key = tuple[str, str]
_COMPANY, _SERVICE, _VOLUME = "endCustomerCompanyId", "svcServiceId", "volume"
_NAMES = ("endCustomerCompanyName", "svcServiceDescription")


class UnreadableFile(Exception):
    """A file whose volumes cannot be added; the message is a sentence."""


@dataclass(slots=True)
class Billed:
    """The volumes of files by company and service, and the names of both."""

    volumes: dict[Key, Decimal] = field(default_factory=dict)
    names: dict[Key, tuple[str, str]] = field(default_factory=dict)

    def add(self, other: Billed) -> None:
        """Add the volumes of another file."""
        for key, volume in other.volumes.items():
            self.volumes[key] = self.volumes.get(key, Decimal(0)) + volume
        self.names |= other.names

    def as_data(self) -> RecordDict:
        """The same as JSON: a line for each company and service."""
        return {"lines": [[*key, str(volume), *self.names.get(key, ("", ""))] for key, volume in self.volumes.items()]}

    @classmethod
    def from_data(cls, data: RecordData) -> Billed:
        """What `as_data` made. ValueError for other data."""
        found = cls()
        try:
            for company, service, volume, *names in data["lines"]:
                found.volumes[company, service] = Decimal(volume)
                found.names[company, service] = (names[0], names[1])
        except (LookupError, TypeError, InvalidOperation) as error:
            raise ValueError(data) from error
        return found


def billed_in(file: IO[bytes], declared_name: Callable[[str], str] = str) -> Billed:
    """The volumes of an invoicing file. UnreadableFile for another file, or one with a volume that is no number."""
    text = TextIOWrapper(file, "utf-8-sig", "replace", newline="")
    try:
        head = text.readline()
        delimiter = delimiter_of(head)
        columns = [declared_name(name.strip()) for name in next(csv.reader([head], delimiter=delimiter), [])]
        if missing := {_COMPANY, _SERVICE, _VOLUME} - set(columns):
            raise UnreadableFile(_("The file has no column {name}.").format(name=", ".join(sorted(missing))))
        return _added(dict(zip(columns, row, strict=False)) for row in csv.reader(text, delimiter=delimiter) if row)
    except csv.Error as error:
        raise UnreadableFile(_("The file cannot be read: {error}.").format(error=error)) from None
    finally:
        text.detach()


def _added(lines: Iterator[dict[str, str]]) -> Billed:
    doubts, found = Doubts(), Billed()
    read: list[tuple[Key, ReadAmount]] = []
    for line in lines:
        value = read_amount(line.get(_VOLUME) or "0")
        if value is None:
            raise UnreadableFile(_("“{text}” is no volume.").format(text=line.get(_VOLUME)))
        key = (line.get(_COMPANY) or "", line.get(_SERVICE) or "")
        doubts.see(value)
        read.append((key, value))
        found.names[key] = (line.get(_NAMES[0]) or "", line.get(_NAMES[1]) or "")
    for key, value in read:
        factor = doubts.factor(value.doubt) if value.doubt else 1
        if factor is None:
            raise UnreadableFile(_("The volumes of the file can be read in two ways."))
        found.volumes[key] = found.volumes.get(key, Decimal(0)) + value.value * factor
    return found


def compared(billed: Mapping[str, Billed], companies: Sequence[RecordData]) -> Iterator[RecordDict]:
    """The volume of the last month beside the licences that are bought now. `billed` are months as YYYY-MM.

    The companies that are given and their services, also those that are sold and not billed.
    """
    months = sorted(billed, reverse=True)[:MONTHS]
    last = billed[months[0]] if months else Billed()
    bought: dict[Key, list[int]] = {}
    names: dict[Key, tuple[str, str]] = {}
    known = {str(company.get("id")): str(company.get("name") or "") for company in companies}
    for company in companies:
        held = company.get("subscriptions")
        for each in held if isinstance(held, list) else ():
            if not isinstance(each, dict) or each.get("businessModel") != "nb_users" or each.get("isDefault"):
                continue
            if each.get("status") in ("terminated", "failed") or not each.get("offerReference"):
                continue
            key = (str(company.get("id")), str(each["offerReference"]))
            seats = bought.setdefault(key, [0, 0])
            seats[0] += int(each.get("maxNumberUsers") or 0)
            seats[1] += int(each.get("numberAssignedUsers") or 0)
            names[key] = ("", str(each.get("offerName") or ""))
    for key in sorted({*bought, *(key for key in last.volumes if key[0] in known)}):
        seats = bought.get(key, [0, 0])
        differences = [billed[month].volumes.get(key, Decimal(0)) - seats[0] for month in months]
        since = next((at for at, each in enumerate(differences) if not each), len(months)) - 1
        difference = differences[0] if differences else None
        yield {
            "id": ":".join(key),
            "companyId": key[0],
            "companyName": known[key[0]],
            "offerName": names.get(key, last.names.get(key, ("", "")))[1] or key[1],
            "offerReference": key[1],
            "month": months[0] if months else None,
            "billed": _number(last.volumes.get(key, Decimal(0))) if months else None,
            "bought": seats[0],
            "assigned": seats[1],
            "difference": _number(difference),
            "size": _number(None if difference is None else abs(difference)),
            "since": months[since] if since >= 0 else None,
        }


def _number(value: Decimal | None) -> int | float | None:
    return None if value is None else int(value) if value == value.to_integral_value() else float(value)


async def _reconciled(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    files = await reading.all("list_invoice_files", {}, {"fileType": "INV", "invoiceType": "services"})
    months = sorted({str(each.get("billingPeriod")) for each in files}, reverse=True)[:MONTHS]
    billed: dict[str, Billed] = {}
    read = reading.each(
        [each for each in files if str(each.get("billingPeriod")) in months],
        lambda each: reading.file(
            "download_invoice_file",
            {"invoicePath": str(each.get("filepath") or "")},
            lambda file: billed_in(file, reading.interface_name),
            Billed,
            UnreadableFile,
        ),
        lambda each: str(each.get("filename") or each.get("filepath")),
    )
    async with aclosing(read) as contents:
        async for file, found in contents:
            billed.setdefault(str(file.get("billingPeriod")), Billed()).add(found)
    async with aclosing(reading.pages("list_companies", {"format": "full"}, field="id")) as parts:
        async for companies in parts:
            yield [*compared(billed, companies)]


RECONCILIATION = Report(
    name="reconciliation",
    title=_("Billed and sold"),
    help=_("Volume of the last invoiced month beside the licences bought and assigned, and since when they differ"),
    columns=(
        ReportColumn(field="companyName", title=_("COMPANY"), width=18, flex=2),
        ReportColumn(field="offerName", title=_("LICENCE"), width=14, flex=2),
        ReportColumn(field="month", title=_("MONTH"), width=8, priority=2),
        ReportColumn(field="billed", title=_("BILLED"), type="number", width=8),
        ReportColumn(field="bought", title=_("BOUGHT"), type="number", width=8),
        ReportColumn(field="assigned", title=_("ASSIGNED"), type="number", width=9, priority=1),
        ReportColumn(field="difference", title=_("DIFFERENCE"), type="number", width=10, by="size"),
        ReportColumn(field="since", title=_("SINCE"), width=8),
    ),
    operation="list_invoice_files",
    read=_reconciled,
    sort="size",
    descending=True,
)
