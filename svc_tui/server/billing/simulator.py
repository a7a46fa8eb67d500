"""Simulated billing systems with repeatable answers, from a rate card, taxes and promotional codes.

A synchronisation takes `billing_sync_seconds`. It fails if `billing_fails` contains the action (`update`), the offer's
reference (`business`), or both (`update:business`). The store knows all applicant numbers of letters, digits and
dashes, except those in `billing_unknown_applicants`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import last_day_of, stamp
from svc_tui.interface.money import rounded
from svc_tui.interface.subscriptions.quotations import Quotation
from svc_tui.interface.typed_access import Document
from svc_tui.server.billing import rate_card
from svc_tui.server.billing.charges import ChargeLine, PricedTerms, next_invoice, renewed
from svc_tui.server.billing.interface import Promotion, SyncResult, SyncStarted, Terms
from svc_tui.server.settings import Settings
from svc_tui.server.stored import StoredSubscription, SyncAction

#: Tax rates on services in percent by country; unlisted countries have no tax.
RATES: Mapping[str, Decimal] = {
    country: Decimal(percent)
    for country, percent in (
        ("AUT", "20"),
        ("BEL", "21"),
        ("CHE", "8.1"),
        ("CHN", "6"),
        ("DEU", "19"),
        ("DNK", "25"),
        ("ESP", "21"),
        ("FIN", "25.5"),
        ("FRA", "20"),
        ("GBR", "20"),
        ("IRL", "23"),
        ("ITA", "22"),
        ("LUX", "17"),
        ("NLD", "21"),
        ("NOR", "25"),
        ("POL", "23"),
        ("PRT", "23"),
        ("SWE", "25"),
    )
}


def tax(net: Decimal, country: str) -> Decimal:
    """The tax on an amount, in whole cents."""
    return rounded(net * RATES.get(country, Decimal(0)) / 100)


_APPLICANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{2,31}")
#: Validity of a quotation.
_VALID_FOR = timedelta(days=30)
_UNITS = {"nb_users": "User", "nb_services": "Service", "flat_fee": "Flat fee"}


class Simulator:
    """The simulated billing systems; see the description of this module."""

    takes_any_applicant = True

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.billing_sync_seconds
        self._fails = frozenset(settings.billing_fails)
        self._unknown = frozenset(settings.billing_unknown_applicants)

    async def knows_applicant(self, number: str) -> bool:
        return bool(_APPLICANT.fullmatch(number)) and number not in self._unknown

    def promotion(self, code: str, terms: Terms) -> Promotion:
        return rate_card.promotion(code, terms)

    def unit_price(self, terms: Terms, on: date) -> Decimal:
        if terms.locked is not None:
            return terms.locked
        return rate_card.unit_price(
            terms.offer, on, currency=terms.currency, months=terms.months, upfront=terms.upfront
        )

    async def quote(self, requested: Terms, current: Terms | None, now: datetime) -> Document:
        today = now.date()
        new = self._priced(requested, current.promo if current else "", today)
        old = self._priced(current, current.promo, today) if current else None
        target, lines = next_invoice(new, old, today)
        net = sum((line.amount for line in lines), Decimal(0))
        taxes = tax(net, requested.country)
        metrics = _metrics(new, old)
        totals = {wire: sum((each[wire] for each in metrics), Decimal(0)) for wire in ("mrr", "tcv", "dmrr", "dtcv")}
        quotation: Document = {
            "currency": requested.currency,
            "contractedMrr": totals["mrr"],
            "totalContractedValue": totals["tcv"],
            "totalDeltaMrr": totals["dmrr"],
            "totalDeltaTcv": totals["dtcv"],
            "amount": net + taxes,
            "amountWithoutTax": net,
            "taxAmount": taxes,
            "invoiceTargetDate": target,
            "invoiceItems": [_item(line, requested) for line in lines],
            "chargeMetrics": metrics,
        }
        return {**Quotation.model_validate(quotation).wire(), "expirationDate": stamp(now + _VALID_FOR)}

    async def start_sync(self, action: SyncAction, subscription: StoredSubscription, now: datetime) -> SyncStarted:
        ids = {} if subscription.billing_subscription_id else _ids(subscription.id)
        return SyncStarted(now + timedelta(seconds=self._seconds), ids)

    async def sync_result(self, action: SyncAction, subscription: StoredSubscription, now: datetime) -> SyncResult:
        due = subscription.sync_due
        if due is not None and now < due:
            return SyncResult("running", due)
        reference = str(subscription.offer_reference)
        if self._fails & {action, reference, f"{action}:{reference}"}:
            return SyncResult("failed", reason="the simulator is configured to fail here")
        return SyncResult("done")

    def _priced(self, terms: Terms, current_promo: str, today: date) -> PricedTerms:
        """Terms with the prices of today and of their renewal, and the promotion."""
        priced = self._promoted(terms, current_promo, today)
        if not terms.renewal_months:
            return priced
        after = renewed(terms)
        return replace(priced, renewal_unit=self.unit_price(after, after.starts))

    def _promoted(self, terms: Terms, current_promo: str, today: date) -> PricedTerms:
        """Terms with price and promotion. The current promotion is not checked again, but it ends after its months."""
        unit = self.unit_price(terms, today)
        if not terms.promo:
            return PricedTerms(terms, unit)
        if terms.promo != current_promo:
            promotion = rate_card.promotion(terms.promo, replace(terms, starts=today))
            return PricedTerms(terms, unit, promotion, _last_day(today, promotion.months))
        campaign = rate_card.CAMPAIGNS.get(terms.promo.upper())
        if campaign is None:
            return PricedTerms(terms, unit)
        until = terms.promo_until or _last_day(terms.starts, campaign.promotion.months)
        return (
            PricedTerms(terms, unit) if until and until < today else PricedTerms(terms, unit, campaign.promotion, until)
        )


def _last_day(since: date, months: int) -> date | None:
    """The last day of a promotion; None if it applies to the whole term."""
    return last_day_of(since, months) if months else None


def _metrics(new: PricedTerms, old: PricedTerms | None) -> list[dict[str, Any]]:
    """The charges per month and term, and the change of both, for the service and for the discount."""
    base = _metric(
        new.terms,
        "1",
        (new.month, old.month if old else Decimal(0)),
        (new.value, old.value if old else Decimal(0)),
    )
    metrics = [base]
    if new.promotion or (old and old.promotion):
        month = (-new.discount, -old.discount if old else Decimal(0))
        term = (-new.value_discount, -old.value_discount if old else Decimal(0))
        metrics.append(_metric(new.terms, "2", month, term))
    return metrics


def _metric(terms: Terms, part: str, month: tuple[Decimal, Decimal], term: tuple[Decimal, Decimal]) -> dict[str, Any]:
    plan = terms.offer.billing_product_rate_plan_id
    key = _digest(f"charge/{terms.id}/{terms.offer.id}")[:8].upper()
    return {
        "productRatePlanId": plan,
        "productRatePlanChargeId": _charge(terms.offer, promotion=part == "2"),
        "originRatePlanId": plan if terms.id else None,
        "originalId": terms.id or None,
        "number": f"C-{key}-{part}",
        "mrr": month[0],
        "dmrr": month[0] - month[1],
        "tcv": term[0],
        "dtcv": term[0] - term[1],
    }


def _item(line: ChargeLine, terms: Terms) -> dict[str, Any]:
    offer = terms.offer
    charge = _charge(offer, promotion=line.discount)
    return {
        "serviceStartDate": line.since,
        "serviceEndDate": line.until,
        "chargeAmount": line.amount,
        "chargeDescription": line.description,
        "chargeName": line.name,
        "productName": offer.name,
        "productRatePlanChargeId": charge,
        "quantity": Decimal(line.quantity),
        "unitOfMeasure": _UNITS.get(offer.business_model or "", "Unit"),
    }


def _charge(offer: Offer, *, promotion: bool) -> str | None:
    """The identifier of an offer's charge, or of the discount on it, in the billing systems."""
    charge = offer.billing_product_rate_plan_charge_id
    return _digest(f"promotion/{charge}")[:32] if charge and promotion else charge


def _ids(subscription: str) -> Document:
    return {
        "bsSubscriptionId": f"BS-{int(_digest(f'bs/{subscription}')[:8], 16) % 1_000_000:06d}",
        "billingSubscriptionId": _digest(f"billing/{subscription}")[:32],
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
