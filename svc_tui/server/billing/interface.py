"""What subscriptions ask of the billing systems. Whatever answers this can take the simulator's place.

All methods may be called again with the same values: a server that stopped in between asks again. What raises OSError
is asked again a little later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, Protocol

from svc_tui.server.store.tables import Document

Action = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What is ordered, or stands, as far as its price depends on it.

    `months` is the term that is paid beforehand, 0 for month by month; `ends` the last day where there is one.
    `locked` is the price of a licence a month that was agreed on and holds for the term. `renewal_months` is 0 where
    nothing follows the term.
    """

    offer: Document
    currency: str
    country: str
    seats: int
    starts: date
    ends: date | None = None
    months: int = 0
    upfront: bool = False
    promo: str = ""
    #: The last day on which the promotional code that stands works, or worked; None for a new one, and where it is not
    #: known.
    promo_until: date | None = None
    locked: Decimal | None = None
    renewal_months: int = 0
    renewal_seats: int = 0
    #: What the billing systems call it; empty for what is new.
    id: str = ""


@dataclass(frozen=True, slots=True)
class Promotion:
    """A promotional code as it works on an order: percent off for so many months (the whole term when 0)."""

    name: str
    percent: Decimal
    months: int = 0


class NoPromotion(ValueError):
    """A promotional code does not work; the text says why in a few words."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The billing systems were told. `due` is when to look for their answer, `ids` what they call the subscription."""

    due: datetime
    ids: Document = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settled:
    """How it ended: `done`, `failed`, or `running` with the next moment to look."""

    state: Literal["done", "failed", "running"]
    due: datetime | None = None
    reason: str = ""


class Billing(Protocol):
    """The billing systems."""

    async def knows_applicant(self, number: str) -> bool:
        """Whether a partner's applicant number exists in the store."""
        ...

    def promotion(self, code: str, terms: Terms) -> Promotion:
        """What a promotional code gives on these terms. NoPromotion."""
        ...

    def unit_price(self, terms: Terms, on: date) -> Decimal:
        """What one licence, fee or service costs a month, without tax."""
        ...

    async def quote(self, wanted: Terms, standing: Terms | None, now: datetime) -> Document:
        """The quotation (2.11) for what is wanted in place of what stands. NoPromotion."""
        ...

    async def begin(self, action: Action, subscription: Document, now: datetime) -> Begun:
        """Tell of a subscription that was made, changed or ended."""
        ...

    async def settle(self, action: Action, subscription: Document, now: datetime) -> Settled:
        """What became of it."""
        ...
