"""Invoicing files of the demo data: six months of three partners, one file of fifty thousand lines."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache

from svc_tui.interface.dates import months_after
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.invoicing.records import InvoiceLine
from svc_tui.interface.money import amount
from svc_tui.server.demo.accounts import PARTNER
from svc_tui.server.demo.area import DemoArea, DemoRecords, Fill
from svc_tui.server.demo.catalogue import unit_of
from svc_tui.server.demo.invoices import BilledSubscription, sold_by
from svc_tui.server.demo.repeatable import Calendar, id_of, number
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

MONTHS = 6
LONGEST = 50_000
_PARTNERS = (PARTNER, "lighthouse", "meridian")
#: invoiceType, fileType, groups of the offers in it
_KINDS = (
    ("services", "INV", ()),
    ("conference", "INV", ("Conference",)),
    ("voice", "INV", ("Voice",)),
    ("voice", "CDR", ("Voice",)),
)
_IN_A_BLOCK = 1_000
#: The fastest compression level.
_LEVEL = 1
_COLUMNS = tuple(spec.wire for spec in fields_of(InvoiceLine))
#: Discounts on the list price in percent: distributor, reseller, end customer.
_DISCOUNTS = (30, 20, 5)
#: Columns that differ between lines, in column order.
_VARYING = (
    "bp1TNetTotalValue",
    "bp2TNetTotalValue",
    "endCustomerNetTotalValue",
    "invoiceLine",
    "volume",
    "wplPriceTotal",
)


@dataclass(frozen=True, slots=True)
class DemoFile:
    """A file: its record, and its lines in compressed blocks."""

    document: Document
    blocks: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Template:
    """A line without its varying columns, and its net prices in cents: list, distributor, reseller, end customer."""

    text: str
    prices: tuple[int, int, int, int]


def invoice_files(
    calendar: Calendar, companies: Mapping[str, Document], subscriptions: Iterable[Document]
) -> Iterator[DemoFile]:
    """All files with their lines."""
    held = list(subscriptions)
    for partner in _PARTNERS:
        sold = sold_by(partner, companies, held)
        for reseller in (key for key, each in companies.items() if each.get("bpId") == companies[partner]["id"]):
            if companies[reseller].get("isBP"):
                sold += [each for each in sold_by(reseller, companies, held) if each.company != reseller]
        for ago in range(MONTHS):
            for kind in _KINDS:
                yield _file(calendar, partner, companies, sold, ago, kind)


def _file(
    calendar: Calendar,
    partner: str,
    companies: Mapping[str, Document],
    sold: list[BilledSubscription],
    ago: int,
    kind: tuple[str, str, tuple[str, ...]],
) -> DemoFile:
    type_, file_type, groups = kind
    made = months_after(calendar.today.replace(day=1), -ago)
    period = f"{months_after(made, -1):%Y-%m}"
    key = f"{partner}/{ago}/{type_}/{file_type}"
    lines = LONGEST if (partner, ago, file_type, type_) == (PARTNER, 0, "INV", "services") else 40 + number(key, 160)
    common = _Common(partner, companies, made, period, file_type)
    chosen = [each for each in sold if not groups or each.subscription["groupName"] in groups] or sold[:1]
    blocks, size = _blocks([common.template(each) for each in chosen], lines)
    number_ = companies[partner].get("bpApplicantNumber") or companies[partner].get("bpCRDid") or partner
    filename = f"{file_type}_{type_}_{period}_{number_}.csv"
    document = {
        "id": id_of("invoice file of the month", key),
        "companyId": companies[partner]["id"],
        "billingPeriod": period,
        "invoiceType": type_,
        "fileType": file_type,
        "bpType": companies[partner]["bpType"],
        "filename": filename,
        "filepath": f"{number_}/{period}/{type_}/{filename}",
        "invoiceCreationDate": (made + timedelta(days=1)).isoformat(),
        "size": size,
        "lines": lines,
    }
    return DemoFile(document, blocks)


@dataclass(frozen=True, slots=True)
class _Common:
    """The common properties of the lines of one file."""

    partner: str
    companies: Mapping[str, Document]
    made: date
    period: str
    file_type: str

    def template(self, sold: BilledSubscription) -> _Template:
        """The line of a subscription."""
        company, partner = self.companies[sold.company], self.companies[self.partner]
        seller = next((each for each in self.companies.values() if each["id"] == company.get("bpId")), partner)
        second = seller if seller["id"] != partner["id"] and company["id"] != partner["id"] else None
        subscription = sold.subscription
        listed = int((amount(subscription["unitPrice"]) or Decimal(0)) * 100)
        first, other, last = (listed * (100 - off) // 100 for off in _DISCOUNTS)
        values = {
            "aleServiceReference": subscription["sapReference"],
            **_partner("bp1T", partner, first, _DISCOUNTS[0], number="bp1TApplicantNumber"),
            **(_partner("bp2T", second, other, _DISCOUNTS[1], number="bp2TApplicantNumber1") if second else {}),
            "categoryCode": str(subscription["groupName"])[:3].upper(),
            "currency": company.get("currency") or partner.get("currency") or "EUR",
            "endCustomerCompanyId": company["id"],
            "endCustomerCompanyId1ByBp": company.get("externalReference") or "",
            "endCustomerCompanyName": sold.customer,
            "endCustomerDiscountValue": _DISCOUNTS[2],
            "endCustomerNetUnitValue": _money(last),
            "exportReference": f"EXP-{self.period}",
            "invoiceCreationDate": self.made.isoformat(),
            "invoicePeriod": self.period,
            "invoiceReference": f"{self.file_type}-{self.period}-{number(self.partner, 9_999):04d}",
            "svcServiceDescription": subscription["offerName"],
            "svcServiceId": subscription["offerReference"],
            "subscriptionReference": subscription["bsSubscriptionId"],
            "unit": unit_of(str(subscription["businessModel"])),
            "wplPricePerUnit": _money(listed),
        }
        row = [("%s" if name in _VARYING else str(values.get(name, "")).replace("%", "%%")) for name in _COLUMNS]
        return _Template(_csv(row), (listed, first, other if second else 0, last))


def _partner(prefix: str, company: Document, net: int, discount: int, *, number: str) -> Document:
    return {
        f"{prefix}ApplicantName": company["name"],
        number: company.get("bpApplicantNumber") or "",
        f"{prefix}CRDId": company.get("bpCRDid") or "",
        f"{prefix}DiscountValue": discount,
        f"{prefix}NetUnitValue": _money(net),
    }


def _blocks(templates: list[_Template], lines: int) -> tuple[tuple[bytes, ...], int]:
    """The lines in compressed blocks, after the column names, and their total size in bytes."""
    blocks = []
    size = 0
    for start in range(0, lines, _IN_A_BLOCK):
        numbers = range(start, min(start + _IN_A_BLOCK, lines))
        text = "".join(_line(templates[line % len(templates)], line) for line in numbers)
        content = ((_csv(_COLUMNS) if start == 0 else "") + text).encode()
        size += len(content)
        blocks.append(zlib.compress(content, _LEVEL))
    return tuple(blocks), size


def _line(template: _Template, line: int) -> str:
    volume = 1 + line * 7 % 9
    listed, first, second, last = _amounts(template.prices, volume)
    return template.text % (first, second if template.prices[2] else "", last, line + 1, volume, listed)


@cache
def _amounts(prices: tuple[int, int, int, int], volume: int) -> tuple[str, str, str, str]:
    """The prices of a volume. There are few of them, and very many lines."""
    listed, first, second, last = (_money(each * volume) for each in prices)
    return listed, first, second, last


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def _csv(row: Iterable[str]) -> str:
    found = io.StringIO()
    csv.writer(found, lineterminator="\r\n").writerow(row)
    return found.getvalue()


def _records(shared: DemoRecords) -> Fill:
    async def fill(store: Store) -> None:
        files = list(invoice_files(shared.calendar, shared.named(), shared.subscriptions))
        await store.invoice_files.add_all(file.document for file in files)
        await store.invoice_lines.put_all({file.document["id"]: file.blocks for file in files})

    return fill


DEMO = DemoArea(records=_records)
