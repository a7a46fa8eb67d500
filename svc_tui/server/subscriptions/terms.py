"""From a subscription, or from what is asked for, to the terms that the billing systems price (4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from svc_tui.interface.money import amount
from svc_tui.interface.months import months_after
from svc_tui.interface.problems import Problem
from svc_tui.interface.renewal import renewal_months
from svc_tui.interface.subscriptions.ordering import PREPAID_ONLY
from svc_tui.interface.timestamps import stamp
from svc_tui.server.billing.interface import Billing, NoPromotion, Terms
from svc_tui.server.refusal import invalid
from svc_tui.server.store.tables import Document

Values = Mapping[str, Any]

#: Models whose licences or services are counted; of all others there is one.
_COUNTED = ("nb_users", "nb_services")
#: Where nobody said in which currency a company pays.
_CURRENCIES = {"USA": "USD", "CHN": "CNY"}


def currency_of(payer: Document) -> str:
    """The currency that a company pays in."""
    return str(payer.get("currency") or _CURRENCIES.get(str(payer.get("country")), "EUR"))


def seats_of(offer: Document, wanted: int | None) -> int:
    """How many are bought: one for the whole company, and where nothing is counted."""
    counted = offer.get("businessModel") in _COUNTED and not offer.get("isCompanyLevel")
    return wanted if counted and wanted is not None else 1


def check_terms(offer: Document, values: Values) -> None:
    """Refuse (400000) what belongs to offers of another kind. What says nothing (false, 0) is let pass."""
    problems = [
        Problem(wire, "belongs to prepaid offers only", values[wire])
        for wire in PREPAID_ONLY
        if values.get(wire) and not offer.get("isPrepaid")
    ]
    if values.get("monthlyDuration") and offer.get("isPrepaid"):
        problems.append(Problem("monthlyDuration", "belongs to monthly offers only", values["monthlyDuration"]))
    if problems:
        raise invalid(*problems)


def standing(subscription: Document, offer: Document, payer: Document, today: date) -> Terms:
    """The terms of a subscription as it is."""
    months = int(subscription.get("prepaidDuration") or 0) if offer.get("isPrepaid") else 0
    seats = int(subscription.get("maxNumberUsers") or 0) if subscription.get("maxNumberUsers") is not None else 1
    ends, code = _day(subscription.get("expirationDate")), subscription.get("promoCode") or {}
    terms = Terms(
        offer=offer,
        currency=str(subscription.get("currency") or currency_of(payer)),
        country=str(payer.get("country") or ""),
        seats=seats,
        starts=_started(subscription, ends, months, today),
        ends=ends,
        months=months,
        upfront=subscription.get("paymentPeriod") == "upfront",
        promo=str(code.get("name") or ""),
        promo_until=_day(code.get("discountEndDate")),
        # What was paid beforehand keeps its price; a monthly one follows the price list.
        locked=amount(subscription.get("unitPrice")) if months else None,
        id=str(subscription.get("billingSubscriptionId") or subscription["id"]),
    )
    renewal = renewal_months({**subscription, "prepaidDuration": months})
    return replace(terms, renewal_months=renewal, renewal_seats=seats)


def _started(subscription: Document, ends: date | None, months: int, today: date) -> date:
    """The first day of the present term: so many months before its end; without an end those since its creation."""
    starts = _day(subscription.get("creationDate")) or today
    if not months:
        return starts
    if ends is not None and (counted := months_after(ends + timedelta(days=1), -months)) <= today:
        return counted
    while months_after(starts, months) <= today:
        starts = months_after(starts, months)
    return starts


def wanted(
    values: Values, offer: Document, payer: Document, now: Terms | None, today: date, assigned: int = 0
) -> Terms:
    """The terms that are asked for: new ones, or those that stand with what is changed."""
    base = now or Terms(
        offer=offer,
        currency=currency_of(payer),
        country=str(payer.get("country") or ""),
        seats=1,
        starts=today,
        months=int(offer.get("prepaidDuration") or 0) if offer.get("isPrepaid") else 0,
    )
    months = int(values.get("prepaidDuration") or base.months) if offer.get("isPrepaid") else 0
    given = values.get("paymentPeriod")
    upfront = base.upfront if given is None else given == "upfront"
    seats = base.seats if values.get("maxNumberUsers") is None else seats_of(offer, int(values["maxNumberUsers"]))
    same_price = months == base.months and upfront == base.upfront
    starts, ends = begins(values, base, today), base.ends
    if now is None or names_an_end(values):
        ends = expiration(values, offer, starts, today) or ends
    terms = replace(
        base,
        seats=seats,
        months=months,
        upfront=upfront,
        starts=starts,
        ends=ends,
        promo=str(values.get("promoCode") or base.promo),
        promo_until=None if values.get("promoCode") else base.promo_until,
        locked=base.locked if same_price else None,
    )
    return _renewed(terms, values, base, assigned)


def _renewed(terms: Terms, values: Values, base: Terms, assigned: int) -> Terms:
    if values.get("autoRenewToMonthly"):
        months = 0
    elif values.get("autoRenew") is not None or values.get("renewalTerm") is not None:
        renews = {"autoRenew": bool(base.renewal_months), "renewalTerm": base.renewal_months or None}
        given = {wire: value for wire, value in values.items() if value is not None}
        months = renewal_months({**renews, **given, "prepaidDuration": terms.months})
    else:
        months = base.renewal_months
    option = values.get("prepaidRenewalOption")
    seats = {"allocated": assigned, "volume": int(values.get("renewalVolume") or 0)}.get(str(option), terms.seats)
    return replace(terms, renewal_months=months, renewal_seats=seats)


def begins(values: Values, base: Terms, today: date) -> date:
    """The first day of the term that is asked for: today's, where what goes on month by month gets one."""
    return today if values.get("prepaidDuration") and not base.months else base.starts


def names_an_end(values: Values) -> bool:
    """Whether the values lead to another last day, or to none."""
    return bool({"expirationDate", "monthlyDuration", "prepaidDuration"} & set(values))


def expiration(values: Values, offer: Document, starts: date, today: date) -> date | None:
    """The last day that the values lead to; None where they lead to none."""
    if values.get("expirationDate"):
        return _day(values["expirationDate"])
    if offer.get("isPrepaid"):
        months = int(values.get("prepaidDuration") or offer.get("prepaidDuration") or 0)
        return months_after(starts, months) - timedelta(days=1) if months else None
    if values.get("monthlyDuration"):
        return months_after(today, int(values["monthlyDuration"])) - timedelta(days=1)
    return None


def end_of(day: date) -> str:
    """The last moment of a day, as it is stored."""
    return stamp(datetime.combine(day, time(23, 59, 59, 999_000)))


def promotion_of(code: str, terms: Terms, billing: Billing, today: date, ids: Values) -> Document:
    """What a promotional code gives, as it stands in a subscription. Refusal 400000."""
    try:
        found = billing.promotion(code, replace(terms, starts=today))
    except NoPromotion as error:
        raise invalid(Problem("promoCode", str(error), code)) from error
    told: Document = {
        "name": found.name,
        "bsSubscriptionId": ids.get("bsSubscriptionId"),
        "billingProductRatePlanId": terms.offer.get("billingProductRatePlanId"),
        "billingProductRatePlanChargeId": terms.offer.get("billingProductRatePlanChargeId"),
        "discountType": "percentage",
    }
    months = found.months or terms.months
    if months:
        told["discountEndDate"] = end_of(months_after(today, months) - timedelta(days=1))
    return {wire: value for wire, value in told.items() if value is not None}


def price_of(terms: Terms, billing: Billing, today: date) -> float:
    """The price of one a month, as it is stored."""
    return float(Decimal(billing.unit_price(terms, today)))


def _day(value: Any) -> date | None:
    return date.fromisoformat(str(value)[:10]) if value else None
