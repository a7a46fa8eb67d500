"""The simulator's promotional codes: discounts, conditions and end dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from svc_tui.server.billing.interface import InvalidPromotion, Promotion, Terms


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
