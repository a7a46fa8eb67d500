"""The interface of the billing systems behind subscriptions. Any implementation can replace the simulator.

All methods may be called again with the same values: a server that was stopped in between repeats the call. A call that
raises OSError is repeated a little later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from importlib import import_module
from typing import Literal, Protocol

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.typed_access import Document
from svc_tui.server.settings import Settings, SettingsError
from svc_tui.server.stored import StoredSubscription, SyncAction

SyncState = Literal["done", "failed", "running"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of an order or a subscription, as far as its price depends on them.

    `months` is the prepaid term, 0 for monthly payment; `ends` is the last day, if there is one. `locked` is the agreed
    price of a licence per month, valid for the term. `renewal_months` is 0 if the term is not renewed.
    """

    offer: Offer
    currency: str
    country: str
    seats: int
    starts: date
    #: The day of the month on which each term begins, also after one that began earlier in a short month; 0 for that
    #: of `starts`.
    anchor: int = 0
    ends: date | None = None
    months: int = 0
    upfront: bool = False
    promo: str = ""
    #: The last day of the current promotional code; None for a new code, and if the day is not known.
    promo_until: date | None = None
    locked: Decimal | None = None
    renewal_months: int = 0
    renewal_seats: int = 0
    #: Identifier in the billing systems; empty for a new order.
    id: str = ""


@dataclass(frozen=True, slots=True)
class Promotion:
    """A promotional code on an order: the discount in percent for a number of months (0: for the whole term)."""

    name: str
    percent: Decimal
    months: int = 0


class InvalidPromotion(ValueError):
    """A promotional code does not apply; the text is the reason in a few words."""


@dataclass(frozen=True, slots=True)
class SyncStarted:
    """A synchronisation was started. `due` is when to check its result, `ids` are identifiers of the subscription."""

    due: datetime
    ids: Document = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The result of a synchronisation: `done`, `failed`, or `running` with the time of the next check."""

    state: SyncState
    due: datetime | None = None
    reason: str = ""


class Billing(Protocol):
    """The billing systems."""

    async def knows_applicant(self, number: str) -> bool:
        """Whether a partner's applicant number exists in the store.

        Billing systems with `takes_any_applicant = True` have no store of partners: the numbers that exist are then
        those of the partners in this service.
        """
        ...

    def promotion(self, code: str, terms: Terms) -> Promotion:
        """The promotion of a code on these terms. InvalidPromotion."""
        ...

    def unit_price(self, terms: Terms, on: date) -> Decimal:
        """The price of one licence, fee or service per month, without tax."""
        ...

    async def quote(self, requested: Terms, current: Terms | None, now: datetime) -> Document:
        """The quotation (2.11) for requested terms in place of the current ones. InvalidPromotion."""
        ...

    async def start_sync(self, action: SyncAction, subscription: StoredSubscription, now: datetime) -> SyncStarted:
        """Report a subscription that was created, changed or terminated."""
        ...

    async def sync_result(self, action: SyncAction, subscription: StoredSubscription, now: datetime) -> SyncResult:
        """The result of a synchronisation."""
        ...


#: Name in the settings -> `package.module:Name`. Other values of the setting have this form themselves.
_KNOWN = {"simulator": "svc_tui.server.billing.simulator:Simulator"}


def load_billing(settings: Settings) -> Billing:
    """The billing systems of the settings, created with the settings as their argument. SettingsError."""
    module, colon, name = _KNOWN.get(settings.billing, settings.billing).partition(":")
    try:
        if not colon:
            raise ImportError("neither a known name nor package.module:Name")
        billing: Billing = getattr(import_module(module), name)(settings)
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"setting billing: {settings.billing} cannot be used: {error}") from error
    return billing
