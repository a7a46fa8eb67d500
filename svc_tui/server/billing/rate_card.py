"""The simulator's rate card: what an offer costs a month, by its reference, the day, the currency and the term."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from svc_tui.interface.money import amount, rounded
from svc_tui.server.store.tables import Document

#: offerReference -> euros a month for one licence, fee or service, in the offer's own term.
PRICES: Mapping[str, Decimal] = {
    reference: Decimal(price)
    for reference, price in (
        ("essential", "0"),
        ("business", "4.50"),
        ("business-1y", "3.90"),
        ("enterprise", "8.90"),
        ("enterprise-3y", "6.80"),
        ("attendant", "12.00"),
        ("voice", "7.20"),
        ("voice-phone", "2.40"),
        ("conference", "0.05"),
        ("dial-in", "49.00"),
        ("alert", "15.00"),
        ("webinar", "89.00"),
        ("recording", "120.00"),
        ("edge", "35.00"),
        ("appconnect", "0.01"),
        ("cpaas-flat", "99.00"),
        ("guardian", "1.90"),
        ("classroom", "1.20"),
        ("handset", "3.30"),
        ("china", "4.10"),
        ("bundle", "9.90"),
        ("old-business", "5.10"),
    )
}
#: What is on no list, by business model.
_OTHERWISE = {
    "nb_users": Decimal("5.00"),
    "nb_services": Decimal("10.00"),
    "flat_fee": Decimal("50.00"),
    "usage": Decimal("0.05"),
}
#: How much of a currency is paid for a euro of the list.
_CURRENCIES = {"EUR": Decimal(1), "USD": Decimal("1.10"), "CNY": Decimal("7.80")}
#: From so many months on, this part of the price of one year is paid.
_TERMS = ((60, Decimal("0.90")), (48, Decimal("0.91")), (36, Decimal("0.93")), (24, Decimal("0.96")))
#: What is left of a price for those who pay the whole term at once.
_UPFRONT = Decimal("0.97")


def price(offer: Document, on: date) -> Decimal:
    """Euros a month on a day. The latest price change that holds by then counts before the list."""
    if offer.get("isDemo") or offer.get("businessModel") == "none":
        return Decimal(0)
    changed = [
        (str(change.get("effectiveDate"))[:10], wpl)
        for change in offer.get("priceChanges") or ()
        if (wpl := amount(change.get("wpl"))) is not None and str(change.get("effectiveDate"))[:10] <= on.isoformat()
    ]
    if changed:
        return max(changed, key=lambda each: each[0])[1]
    listed = PRICES.get(str(offer.get("offerReference")))
    return _OTHERWISE.get(str(offer.get("businessModel")), Decimal(0)) if listed is None else listed


def unit_price(offer: Document, on: date, *, currency: str, months: int = 0, upfront: bool = False) -> Decimal:
    """What one licence, fee or service costs a month, in whole cents. `months` is 0 for what is paid monthly."""
    found = price(offer, on) * _CURRENCIES.get(currency, Decimal(1))
    if months:
        found *= _part(months) / _part(int(offer.get("prepaidDuration") or 12))
        found *= _UPFRONT if upfront else 1
    return rounded(found)


def _part(months: int) -> Decimal:
    return next((part for least, part in _TERMS if months >= least), Decimal(1))
