"""The simulator's promotional codes: what they give, on which orders, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from svc_tui.server.billing.interface import NoPromotion, Promotion, Terms


@dataclass(frozen=True, slots=True)
class Campaign:
    """A code with its conditions: at least so many licences, a term of at least so many months, until a day."""

    promotion: Promotion
    least_seats: int = 0
    least_months: int = 0
    until: date | None = None


CAMPAIGNS = {
    each.promotion.name: each
    for each in (
        Campaign(Promotion("WELCOME10", Decimal(10), months=12)),
        Campaign(Promotion("TEAM20", Decimal(20), months=6), least_seats=20),
        Campaign(Promotion("LOYAL5", Decimal(5)), least_months=36),
        Campaign(Promotion("SPRING24", Decimal(25), months=3), until=date(2024, 6, 30)),
    )
}


def promotion(code: str, terms: Terms) -> Promotion:
    """What a code gives on these terms, whatever its case. NoPromotion says why it gives nothing."""
    campaign = CAMPAIGNS.get(code.strip().upper())
    if campaign is None:
        raise NoPromotion("is no promotional code")
    if campaign.until is not None and terms.starts > campaign.until:
        raise NoPromotion(f"could be used until {campaign.until}")
    if terms.seats < campaign.least_seats:
        raise NoPromotion(f"needs at least {campaign.least_seats} licences")
    if terms.months < campaign.least_months:
        raise NoPromotion(f"needs a term of at least {campaign.least_months} months")
    return campaign.promotion
