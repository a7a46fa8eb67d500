"""Billing systems that are simulated: the same answers at each start, from a rate card, taxes and promotional codes.

A synchronisation takes `billing_sync_seconds`. It fails when `billing_fails` holds the action (`update`), the reference
of the offer (`business`), or both (`update:business`). The store knows the applicant numbers that are words of letters,
digits and dashes, except those in `billing_unknown_applicants`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from svc_tui.interface.months import months_after
from svc_tui.interface.subscriptions.quotations import Quotation
from svc_tui.interface.timestamps import moment, stamp
from svc_tui.server.billing import promotions, rate_card
from svc_tui.server.billing.charges import Line, Priced, next_invoice
from svc_tui.server.billing.interface import Action, Begun, Promotion, Settled, Terms
from svc_tui.server.billing.taxes import tax
from svc_tui.server.settings import Settings
from svc_tui.server.store.tables import Document

_APPLICANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{2,31}")
#: How long a quotation holds.
_HOLDS = timedelta(days=30)
_UNITS = {"nb_users": "User", "nb_services": "Service", "flat_fee": "Flat fee"}


class Simulator:
    """See the top of this file."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.billing_sync_seconds
        self._fails = frozenset(settings.billing_fails)
        self._unknown = frozenset(settings.billing_unknown_applicants)

    async def knows_applicant(self, number: str) -> bool:
        return bool(_APPLICANT.fullmatch(number)) and number not in self._unknown

    def promotion(self, code: str, terms: Terms) -> Promotion:
        return promotions.promotion(code, terms)

    def unit_price(self, terms: Terms, on: date) -> Decimal:
        if terms.locked is not None:
            return terms.locked
        return rate_card.unit_price(
            terms.offer, on, currency=terms.currency, months=terms.months, upfront=terms.upfront
        )

    async def quote(self, wanted: Terms, standing: Terms | None, now: datetime) -> Document:
        today = now.date()
        new = self._priced(wanted, standing.promo if standing else "", today)
        old = self._priced(standing, standing.promo, today) if standing else None
        target, lines = next_invoice(new, old, today)
        net = sum((line.amount for line in lines), Decimal(0))
        taxes = tax(net, wanted.country)
        metrics = _metrics(new, old)
        totals = {wire: sum((each[wire] for each in metrics), Decimal(0)) for wire in ("mrr", "tcv", "dmrr", "dtcv")}
        quotation: Document = {
            "currency": wanted.currency,
            "contractedMrr": totals["mrr"],
            "totalContractedValue": totals["tcv"],
            "totalDeltaMrr": totals["dmrr"],
            "totalDeltaTcv": totals["dtcv"],
            "amount": net + taxes,
            "amountWithoutTax": net,
            "taxAmount": taxes,
            "invoiceTargetDate": target,
            "invoiceItems": [_item(line, wanted) for line in lines],
            "chargeMetrics": metrics,
        }
        return {**Quotation.model_validate(quotation).wire(), "expirationDate": stamp(now + _HOLDS)}

    async def begin(self, action: Action, subscription: Document, now: datetime) -> Begun:
        ids = {} if subscription.get("billingSubscriptionId") else _ids(subscription["id"])
        return Begun(now + timedelta(seconds=self._seconds), ids)

    async def settle(self, action: Action, subscription: Document, now: datetime) -> Settled:
        due = moment(str(subscription["syncDue"]))
        if now < due:
            return Settled("running", due)
        reference = str(subscription.get("offerReference"))
        if self._fails & {action, reference, f"{action}:{reference}"}:
            return Settled("failed", reason="the simulator was told to let it fail")
        return Settled("done")

    def _priced(self, terms: Terms, known: str, today: date) -> Priced:
        """With the promotion; one that works already is not judged again, but ends when its months are over."""
        unit = self.unit_price(terms, today)
        if not terms.promo:
            return Priced(terms, unit)
        if terms.promo != known:
            found = promotions.promotion(terms.promo, replace(terms, starts=today))
            return Priced(terms, unit, found, _last_day(today, found.months))
        campaign = promotions.CAMPAIGNS.get(terms.promo.upper())
        if campaign is None:
            return Priced(terms, unit)
        until = terms.promo_until or _last_day(terms.starts, campaign.promotion.months)
        return Priced(terms, unit) if until and until < today else Priced(terms, unit, campaign.promotion, until)


def _last_day(since: date, months: int) -> date | None:
    """The last day of a promotion; None for one that works for the whole term."""
    return months_after(since, months) - timedelta(days=1) if months else None


def _metrics(new: Priced, old: Priced | None) -> list[dict[str, Any]]:
    """Each charge by month and term, and how both change: the service, and what a promotion takes off."""
    base = _metric(
        new.terms,
        "1",
        (new.month, old.month if old else Decimal(0)),
        (new.value, old.value if old else Decimal(0)),
    )
    found = [base]
    if new.promotion or (old and old.promotion):
        off = (-new.off, -old.off if old else Decimal(0))
        found.append(_metric(new.terms, "2", off, (-new.value_off, -old.value_off if old else Decimal(0))))
    return found


def _metric(terms: Terms, part: str, month: tuple[Decimal, Decimal], term: tuple[Decimal, Decimal]) -> dict[str, Any]:
    plan = terms.offer.get("billingProductRatePlanId")
    key = _digest(f"charge/{terms.id}/{terms.offer.get('id')}")[:8].upper()
    found = {
        "productRatePlanId": plan,
        "productRatePlanChargeId": _charge(terms.offer, promotion=part == "2"),
        "number": f"C-{key}-{part}",
        "mrr": month[0],
        "dmrr": month[0] - month[1],
        "tcv": term[0],
        "dtcv": term[0] - term[1],
    }
    if terms.id:
        found.update(originRatePlanId=plan, originalId=terms.id)
    return {name: value for name, value in found.items() if value is not None}


def _item(line: Line, terms: Terms) -> dict[str, Any]:
    offer = terms.offer
    charge = _charge(offer, promotion=line.off)
    return {
        "serviceStartDate": line.since,
        "serviceEndDate": line.until,
        "chargeAmount": line.amount,
        "chargeDescription": line.said,
        "chargeName": line.name,
        "productName": offer.get("name"),
        **({"productRatePlanChargeId": charge} if charge else {}),
        "quantity": Decimal(line.quantity),
        "unitOfMeasure": _UNITS.get(str(offer.get("businessModel")), "Unit"),
    }


def _charge(offer: Document, *, promotion: bool) -> str | None:
    """What the billing systems call the charge of an offer, or what a promotion takes off it."""
    charge = offer.get("billingProductRatePlanChargeId")
    return _digest(f"promotion/{charge}")[:32] if charge and promotion else charge


def _ids(subscription: str) -> Document:
    return {
        "bsSubscriptionId": f"BS-{int(_digest(f'bs/{subscription}')[:8], 16) % 1_000_000:06d}",
        "billingSubscriptionId": _digest(f"billing/{subscription}")[:32],
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
