"""The simulator's rate card: monthly prices by offer reference, day, currency and term; and its promotional codes:
discounts, conditions and end dates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.money import amount, rounded
from svc_tui.server.billing.interface import InvalidPromotion, Promotion, Terms

#: offerReference -> euros per month for one licence, fee or service, in the offer's own term.
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
        ("voice-line", "1.90"),
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
#: Prices of offers that are not listed, by business model.
_UNLISTED = {
    "nb_users": Decimal("5.00"),
    "nb_services": Decimal("10.00"),
    "flat_fee": Decimal("50.00"),
    "usage": Decimal("0.05"),
}
#: Exchange rates for one euro of the price list.
_CURRENCIES = {"EUR": Decimal(1), "USD": Decimal("1.10"), "CNY": Decimal("7.80")}
#: Minimum months of the term -> part of the one-year price.
_TERMS = ((60, Decimal("0.90")), (48, Decimal("0.91")), (36, Decimal("0.93")), (24, Decimal("0.96")))
#: Part of the price for payment of the whole term at once.
_UPFRONT = Decimal("0.97")


def price(offer: Offer, on: date) -> Decimal:
    """Euros per month on a day. The latest price change in effect takes precedence over the list."""
    if offer.is_demo or offer.business_model == "none":
        return Decimal(0)
    changed = [
        (str(change.get("effectiveDate"))[:10], wpl)
        for change in offer.price_changes or ()
        if (wpl := amount(change.get("wpl"))) is not None and str(change.get("effectiveDate"))[:10] <= on.isoformat()
    ]
    if changed:
        return max(changed, key=lambda each: each[0])[1]
    listed = PRICES.get(offer.offer_reference or "")
    return _UNLISTED.get(offer.business_model or "", Decimal(0)) if listed is None else listed


def unit_price(offer: Offer, on: date, *, currency: str, months: int = 0, upfront: bool = False) -> Decimal:
    """Price of one licence, fee or service per month, in whole cents. `months` is 0 for monthly payment."""
    unit = price(offer, on) * _CURRENCIES.get(currency, Decimal(1))
    if months:
        unit *= _part(months) / _part(offer.prepaid_duration or 12)
        unit *= _UPFRONT if upfront else 1
    return rounded(unit)


def _part(months: int) -> Decimal:
    return next((part for min_months, part in _TERMS if months >= min_months), Decimal(1))


@dataclass(frozen=True, slots=True)
class Campaign:
    """A code with its conditions: a minimum number of licences, a minimum term in months, a last day."""

    promotion: Promotion
    min_seats: int = 0
    min_months: int = 0
    until: date | None = None


CAMPAIGNS = {
    each.promotion.name: each
    for each in (
        Campaign(Promotion("WELCOME10", Decimal(10), months=12)),
        Campaign(Promotion("TEAM20", Decimal(20), months=6), min_seats=20),
        Campaign(Promotion("LOYAL5", Decimal(5)), min_months=36),
        Campaign(Promotion("SPRING24", Decimal(25), months=3), until=date(2024, 6, 30)),
    )
}


def promotion(code: str, terms: Terms) -> Promotion:
    """The promotion of a code on these terms, ignoring case. InvalidPromotion with the reason if there is none."""
    campaign = CAMPAIGNS.get(code.strip().upper())
    if campaign is None:
        raise InvalidPromotion("is not a promotional code")
    if campaign.until is not None and terms.starts > campaign.until:
        raise InvalidPromotion(f"expired on {campaign.until}")
    if terms.seats < campaign.min_seats:
        raise InvalidPromotion(f"requires at least {campaign.min_seats} licences")
    if terms.months < campaign.min_months:
        raise InvalidPromotion(f"requires a term of at least {campaign.min_months} months")
    return campaign.promotion
