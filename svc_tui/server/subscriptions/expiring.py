"""Renews and ends subscriptions whose last day is over (2.10, 4.6), in the background, at the start and every minute.

The billing systems agreed on the term and on what follows it when they were told of the order: a renewal is no change
of theirs, and asks them for its price only.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.months import months_after
from svc_tui.interface.renewal import continues_monthly, renewal_months
from svc_tui.interface.subscriptions.rules import OVER
from svc_tui.interface.timestamps import moment, stamp
from svc_tui.server.background import Sleep, in_background, run_repeatedly
from svc_tui.server.companies.seen import bp_of
from svc_tui.server.responses import log
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost, In, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.ending import end
from svc_tui.server.subscriptions.making import is_billed
from svc_tui.server.subscriptions.reaching import offer_behind
from svc_tui.server.subscriptions.telling import tell
from svc_tui.server.subscriptions.terms import end_of, price_of, standing

#: Seconds between two rounds.
EVERY = 60.0
#: What says how a term was paid, and what follows it; it is over with the last term.
_OF_A_TERM = (
    "prepaidDuration",
    "paymentPeriod",
    "expirationDate",
    "autoRenew",
    "autoRenewOneTime",
    "autoRenewToMonthly",
    "renewalTerm",
    "renewalTermOption",
    "addOns",
)


def expiring(service: Service, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
    """While the block runs subscriptions come to the end of their term when it is there."""

    async def act() -> None:
        if count := await expire(service):
            log.info("subscriptions renewed or ended at the end of their term: %d", count)

    # What could not be checked is still due at the next round.
    return in_background(
        run_repeatedly(act, EVERY, "subscriptions could not be checked", immediately=True, sleep=sleep)
    )


async def expire(service: Service) -> int:
    """Renew or end what is due now; how many there were."""
    now = service.clock.now()
    async with service.database.unit() as store:
        due = await store.subscriptions.find(AtMost("expirationDate", stamp(now)), *_living())
    count = 0
    for each in due.documents:
        try:
            count += await _expire(service, each["id"], now)
        except (SQLAlchemyError, OSError):
            raise
        except Exception as error:
            # Whatever is wrong with this one, or a billing system raises: it stays due, and holds up no other.
            log.error("subscription %s could not be renewed or ended: %s", each["id"], type(error).__name__)
    if count:
        service.courier.wake()
    return count


def _living() -> tuple[Not, Not]:
    return Not(In("status", (*OVER, "creating"))), Not(Is("isDefault", True))


async def _expire(service: Service, id: str, now: datetime) -> bool:
    async with service.database.unit() as store:
        await store.lock(f"subscription:{id}")
        subscription = await store.subscriptions.get(id)
        if subscription is None or not _is_due(subscription, now):
            return False
        company = await store.companies.get(str(subscription.get("companyId")))
        if followed := await _followed(service, store, subscription, company, now):
            await store.subscriptions.put(followed)
            if company is not None:
                await tell(store, "update", followed, company, now)
        else:
            await end(store, subscription, await store.offers.get(str(subscription.get("offerId"))), company, now)
    return True


def _is_due(subscription: Document, now: datetime) -> bool:
    """Whether another process has not been here meanwhile. What is being synchronised waits for the answer."""
    if subscription.get("syncOngoing") or subscription.get("status") in OVER:
        return False
    ends = subscription.get("expirationDate")
    return bool(ends) and moment(str(ends)) <= now


async def _followed(
    service: Service, store: Store, subscription: Document, company: Document | None, now: datetime
) -> Document | None:
    """The subscription in the term that has begun, or month by month; None where nothing follows. After a long rest of
    the server several terms are over."""
    if company is None or company.get("status") == "terminated" or subscription.get("status") == "terminating":
        return None
    found = subscription
    while moment(str(found["expirationDate"])) <= now:
        last = date.fromisoformat(str(found["expirationDate"])[:10])
        if continues_monthly(found):
            return {wire: value for wire, value in found.items() if wire not in (*_OF_A_TERM, "unitPrice")}
        months = renewal_months(found)
        if not months:
            return None
        found = _renewed(found, months, last)
        found = await _priced(service, store, found, company, last + timedelta(days=1))
    return found


def _renewed(subscription: Document, months: int, last: date) -> Document:
    """The subscription in the term behind its last day; what was to be renewed once is not renewed again."""
    begins = last + timedelta(days=1)
    ends = end_of(months_after(begins, months) - timedelta(days=1))
    kept = {wire: value for wire, value in subscription.items() if wire != "autoRenewOneTime"}
    return {**kept, "prepaidDuration": months, "expirationDate": ends}


async def _priced(service: Service, store: Store, subscription: Document, company: Document, on: date) -> Document:
    """With the price of the day on which its term begins: that of the last one was agreed on for that one."""
    offer = await offer_behind(store, subscription)
    if not is_billed(offer):
        return subscription
    payer = company if company.get("isBP") else await bp_of(store, company) or company
    unpriced = {wire: value for wire, value in subscription.items() if wire != "unitPrice"}
    price = price_of(standing(unpriced, offer, payer, on), service.billing, on)
    return {**subscription, "unitPrice": price}
