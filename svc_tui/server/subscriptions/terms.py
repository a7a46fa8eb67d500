"""The terms of subscriptions and orders that the billing systems price (4.6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import last_day_of, months_after, renewal_months, returning_day
from svc_tui.interface.money import currency_in
from svc_tui.interface.problems import Problem
from svc_tui.interface.subscriptions.ordering import PREPAID_ONLY, Order
from svc_tui.interface.subscriptions.records import PromoCode
from svc_tui.interface.typed_access import document_of
from svc_tui.server.billing.interface import Billing, InvalidPromotion, Terms
from svc_tui.server.refusal import invalid
from svc_tui.server.stored import StoredCompany, StoredSubscription

#: Business models whose licences or services are counted; for all others the number is 1.
_COUNTED = ("nb_users", "nb_services")
_DAY = timedelta(days=1)


def currency_of(payer: StoredCompany) -> str:
    """The currency that a company pays in."""
    return payer.currency or currency_in(payer.country)


def seats_of(offer: Offer, requested: int | None) -> int:
    """The number of licences: 1 for the whole company, and for business models that are not counted."""
    counted = offer.business_model in _COUNTED and not offer.is_company_level
    return requested if counted and requested is not None else 1


def check_terms(offer: Offer, order: Order) -> None:
    """Refuse (400000) fields of other kinds of offers. Values without an effect (false, 0) are accepted."""
    values = document_of(order)
    problems = [
        Problem(wire, "only for prepaid offers", values[wire])
        for wire in PREPAID_ONLY
        if values.get(wire) and not offer.is_prepaid
    ]
    if order.monthly_duration and offer.is_prepaid:
        problems.append(Problem("monthlyDuration", "only for monthly offers", order.monthly_duration))
    if problems:
        raise invalid(*problems)


def current_terms(subscription: StoredSubscription, offer: Offer, payer: StoredCompany, today: date) -> Terms:
    """The terms of a subscription."""
    months = (subscription.prepaid_duration or 0) if offer.is_prepaid else 0
    seats = 1 if subscription.max_number_users is None else subscription.max_number_users
    ends, promotion = _day_of(subscription.expiration_date), subscription.promo_code
    renewal = renewal_months({**document_of(subscription), "prepaidDuration": months})
    starts = _term_start(subscription, ends, months, today)
    return Terms(
        offer=offer,
        currency=subscription.currency or currency_of(payer),
        country=payer.country or "",
        seats=seats,
        starts=starts,
        anchor=anchor_of(subscription, starts),
        ends=ends,
        months=months,
        upfront=subscription.payment_period == "upfront",
        promo=(promotion.name if promotion else None) or "",
        promo_until=_day_of(promotion.discount_end_date) if promotion else None,
        # A prepaid term keeps its price; a monthly subscription follows the price list.
        locked=subscription.unit_price if months else None,
        id=subscription.billing_subscription_id or subscription.id,
        renewal_months=renewal,
        renewal_seats=seats,
    )


def _term_start(subscription: StoredSubscription, ends: date | None, months: int, today: date) -> date:
    """The first day of the current term. Where it is not stored, it is counted back from the end of the term, or from
    the creation without an end."""
    created = _day_of(subscription.creation_date) or today
    if not months:
        return created
    if subscription.term_start is not None:
        return subscription.term_start
    if ends is not None:
        next_start = ends + _DAY
        counted = months_after(next_start, -months, anchor_of(subscription, next_start))
        if counted <= today:
            return counted
    terms = 0
    while months_after(created, (terms + 1) * months) <= today:
        terms += 1
    return months_after(created, terms * months)


def anchor_of(subscription: StoredSubscription, starts: date) -> int:
    """The day of the month on which the terms of a subscription begin, one of them on `starts`."""
    first = subscription.first_start or _day_of(subscription.creation_date) or starts
    return returning_day(first, starts)


def requested_terms(
    order: Order, offer: Offer, payer: StoredCompany, current: Terms | None, today: date, assigned: int = 0
) -> Terms:
    """The terms of an order: new terms, or the current terms with the changes of the order."""
    base = current or Terms(
        offer=offer,
        currency=currency_of(payer),
        country=payer.country or "",
        seats=1,
        starts=today,
        months=(offer.prepaid_duration or 0) if offer.is_prepaid else 0,
    )
    months = (order.prepaid_duration or base.months) if offer.is_prepaid else 0
    upfront = base.upfront if order.payment_period is None else order.payment_period == "upfront"
    seats = base.seats if order.max_number_users is None else seats_of(offer, order.max_number_users)
    same_price = months == base.months and upfront == base.upfront
    starts, ends = term_start(order, base, today), base.ends
    anchor = base.anchor if starts == base.starts else 0
    if current is None or changes_end(order):
        ends = last_day(order, offer, starts, today, anchor) or ends
    terms = replace(
        base,
        seats=seats,
        months=months,
        upfront=upfront,
        starts=starts,
        anchor=anchor,
        ends=ends,
        promo=order.promo_code or base.promo,
        promo_until=None if order.promo_code else base.promo_until,
        locked=base.locked if same_price else None,
    )
    return _with_renewal(terms, order, base, assigned)


def _with_renewal(terms: Terms, order: Order, base: Terms, assigned: int) -> Terms:
    if order.auto_renew_to_monthly:
        months = 0
    elif order.auto_renew is not None or order.renewal_term is not None:
        renewal = {"autoRenew": bool(base.renewal_months), "renewalTerm": base.renewal_months or None}
        changes = {wire: value for wire, value in document_of(order).items() if value is not None}
        months = renewal_months({**renewal, **changes, "prepaidDuration": terms.months})
    else:
        months = base.renewal_months
    seats = {"allocated": assigned, "volume": order.renewal_volume or 0}
    return replace(
        terms, renewal_months=months, renewal_seats=seats.get(order.prepaid_renewal_option or "", terms.seats)
    )


def term_start(order: Order, base: Terms, today: date) -> date:
    """The first day of the ordered term: today if a monthly subscription gets a prepaid term."""
    return today if order.prepaid_duration and not base.months else base.starts


def changes_end(order: Order) -> bool:
    """Whether the order sets or clears the last day."""
    return bool({"expirationDate", "monthlyDuration", "prepaidDuration"} & set(document_of(order)))


def last_day(order: Order, offer: Offer, starts: date, today: date, anchor: int = 0) -> date | None:
    """The last day that results from the order, of a term with this first day; None without one."""
    if order.expiration_date:
        return order.expiration_date
    if offer.is_prepaid:
        months = order.prepaid_duration or offer.prepaid_duration or 0
        return last_day_of(starts, months, anchor) if months else None
    if order.monthly_duration:
        return last_day_of(today, order.monthly_duration)
    return None


def end_of(day: date) -> datetime:
    """The last moment of a day."""
    return datetime.combine(day, time(23, 59, 59, 999_000), UTC)


def promotion_of(code: str, terms: Terms, billing: Billing, today: date, bs_subscription_id: str | None) -> PromoCode:
    """The promotion of a code, as stored in a subscription. Refusal 400000 for a code that does not apply."""
    try:
        promotion = billing.promotion(code, replace(terms, starts=today))
    except InvalidPromotion as error:
        raise invalid(Problem("promoCode", str(error), code)) from error
    months = promotion.months or terms.months
    fields: dict[str, Any] = {
        "name": promotion.name,
        "bs_subscription_id": bs_subscription_id,
        "billing_product_rate_plan_id": terms.offer.billing_product_rate_plan_id,
        "billing_product_rate_plan_charge_id": terms.offer.billing_product_rate_plan_charge_id,
        "discount_type": "percentage",
        "discount_end_date": end_of(last_day_of(today, months)) if months else None,
    }
    return PromoCode(**{name: value for name, value in fields.items() if value is not None})


def price_of(terms: Terms, billing: Billing, today: date) -> Decimal:
    """The price per licence and month."""
    return Decimal(billing.unit_price(terms, today))


def _day_of(moment: datetime | None) -> date | None:
    return moment.date() if moment else None
