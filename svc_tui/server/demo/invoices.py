"""Invoices of the demo data: fourteen months of two partners, with a traceable increase in the last month."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from svc_tui.interface.dates import months_after
from svc_tui.interface.money import amount, rounded
from svc_tui.server.billing.simulator import tax
from svc_tui.server.demo.accounts import NORTHWIND, PARTNER
from svc_tui.server.demo.catalogue import unit_of
from svc_tui.server.demo.repeatable import Calendar, id_of, number
from svc_tui.server.store.tables import Document

MONTHS = 14
#: Keys of the billed partners.
BILLED = (PARTNER, "lighthouse")
#: company, offer -> licences, newest month first; earlier months have the last number.
_GROWTH = {
    (NORTHWIND, "business"): (50, 40, 40, 38),
    ("meridian", "business"): (100, 100, 95, 95, 90),
    ("bluebird", "business"): (8, 8, 8, 7),
    ("sequoia", "business"): (5, 4),
    ("lighthouse", "business"): (60, 60, 60, 55),
}
#: offer -> months since its last price increase, and the earlier part of today's price.
_RAISED = {"voice": (3, Decimal("0.95"))}
#: Months since a credit, and its amount.
_CREDIT = (5, Decimal("-20.00"))
_DAY = timedelta(days=1)
_NOT_BILLED = ("creating", "failed", "terminated")


@dataclass(frozen=True, slots=True)
class BilledSubscription:
    """A subscription that a partner pays for, with the names for the invoice."""

    company: str
    customer: str
    subscription: Document

    @property
    def key(self) -> tuple[str, str]:
        return self.company, str(self.subscription["offerReference"])


def sold_by(
    partner: str, companies: Mapping[str, Document], subscriptions: Iterable[Document]
) -> list[BilledSubscription]:
    """The subscriptions that a partner pays for: its own and those of its direct customers. `companies` by key."""
    keys = {document["id"]: key for key, document in companies.items()}
    own = companies[partner]["id"]
    found = []
    for each in subscriptions:
        key = keys.get(each["companyId"])
        if key is None or "billingSubscriptionId" not in each or each["status"] in _NOT_BILLED:
            continue
        if own in (each["companyId"], companies[key].get("bpId")):
            found.append(BilledSubscription(key, str(companies[key]["name"]), each))
    return sorted(found, key=lambda sold: (sold.customer, sold.subscription["offerName"]))


def invoices(
    calendar: Calendar, companies: Mapping[str, Document], subscriptions: Iterable[Document]
) -> Iterator[Document]:
    """All invoices of monthly subscriptions."""
    held = list(subscriptions)
    for partner in BILLED:
        sold = [each for each in sold_by(partner, companies, held) if not each.subscription.get("prepaidDuration")]
        for ago in range(MONTHS):
            yield _invoice(calendar, partner, companies[partner], sold, ago)


def _invoice(calendar: Calendar, partner: str, company: Document, sold: list[BilledSubscription], ago: int) -> Document:
    made = months_after(calendar.today.replace(day=1), -ago)
    since, until = months_after(made, -1), made - _DAY
    key = f"{partner}/{ago}"
    country = str(company["country"])
    items = [item for each in sold for item in _items(calendar, each, ago, since, until, country)]
    whole = sum((amount(each["chargeAmount"]) or 0) + (amount(each["taxAmount"]) or 0) for each in items)
    credit = _CREDIT[1] if ago == _CREDIT[0] else Decimal(0)
    total = whole + credit
    account = f"A-{10_000 + number(f'account/{partner}', 9_000)}"
    return {
        "id": id_of("invoice", key),
        "companyId": company["id"],
        "accountId": id_of("billing account", partner),
        "accountNumber": account,
        "accountName": company["name"],
        "invoiceDate": made.isoformat(),
        "invoiceNumber": f"INV-{made:%Y-%m}-{account[2:]}",
        "dueDate": (made + timedelta(days=30)).isoformat(),
        "invoiceTargetDate": until.isoformat(),
        "amount": float(total),
        "balance": float(total if ago == 0 else Decimal("150.00") if ago == 1 else 0),
        **({"creditBalanceAdjustmentAmount": float(credit)} if credit else {}),
        "createdBy": "billing run",
        "status": "Posted",
        "invoiceItems": items,
        "invoiceFiles": [_file(key, ago)],
        # Paid invoices were updated after the payment.
        "updatedDate": calendar.on(made + timedelta(days=0 if ago == 0 else 20), key),
    }


def _file(key: str, ago: int) -> Document:
    known: Document = {"id": id_of("invoice file", key)}
    return {**known, "versionNumber": 1} if ago < MONTHS - 3 else {**known, "fileContentType": "application/pdf"}


def _items(
    calendar: Calendar, sold: BilledSubscription, ago: int, since: date, until: date, country: str
) -> Iterator[Document]:
    subscription = sold.subscription
    offer = str(subscription["offerReference"])
    usage = subscription["businessModel"] == "usage"
    quantity = _used(sold, ago) if usage else _licences(sold, ago)
    if not quantity or subscription["creationDate"][:10] > until.isoformat():
        return
    price = (amount(subscription["unitPrice"]) or Decimal(0)) * _part(offer, ago)
    charge = rounded(rounded(price) * quantity)
    yield {
        "id": id_of("invoice item", f"{subscription['id']}/{ago}"),
        "subscriptionName": subscription["bsSubscriptionId"],
        "subscriptionId": subscription["id"],
        "serviceStartDate": since.isoformat(),
        "serviceEndDate": until.isoformat(),
        "chargeAmount": float(charge),
        "chargeDescription": f"{sold.customer}: {subscription['offerName']}",
        "chargeName": "Usage" if usage else "Flat fee" if subscription["businessModel"] == "flat_fee" else "Licences",
        "chargeId": subscription["billingProductRatePlanChargeId"],
        "productName": subscription["offerName"],
        "quantity": quantity,
        "taxAmount": float(tax(charge, country)),
        "unitOfMeasure": unit_of(str(subscription["businessModel"])),
        "chargeDate": calendar.on(until, offer),
        "chargeType": "Usage" if usage else "Recurring",
        "processingType": "Charge",
    }


def _licences(sold: BilledSubscription, ago: int) -> int:
    growth = _GROWTH.get(sold.key)
    return growth[min(ago, len(growth) - 1)] if growth else int(sold.subscription.get("maxNumberUsers") or 0)


def _used(sold: BilledSubscription, ago: int) -> int:
    """Minutes of a month, with small variations."""
    key = "minutes/" + "/".join(sold.key)
    usual = 400 + number(key, 2_000)
    return usual + number(f"{key}/{ago}", usual // 20)


def _part(offer: str, ago: int) -> Decimal:
    raised, before = _RAISED.get(offer, (0, Decimal(1)))
    return before if raised and ago >= raised else Decimal(1)
