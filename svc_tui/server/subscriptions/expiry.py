"""Renews and terminates subscriptions after their last day (2.10, 4.6), in the background, once a minute.

Term and renewal are part of the order that the billing systems know: a renewal is not reported to them, only its price
is requested.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.dates import continues_monthly, last_day_of, renewal_months, stamp
from svc_tui.interface.subscriptions.rules import OVER
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.companies.access import bp_of
from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.running.background import Sleep
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost, In, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCompany, StoredSubscription
from svc_tui.server.subscriptions.access import offer_of, offer_or_remembered
from svc_tui.server.subscriptions.records import is_billed, notify, terminate
from svc_tui.server.subscriptions.terms import anchor_of, current_terms, end_of, price_of

#: Seconds between two checks.
EVERY = 60.0
#: Fields of a prepaid term and its renewal; they end with the last term.
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
    "firstStart",
    "termStart",
)


@background_job
def expiring(service: Service, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
    """Renew and terminate subscriptions for the length of a block."""
    # Subscriptions that could not be checked are still due at the next check.
    return in_turn(
        service,
        "ends of terms",
        lambda: expire(service),
        EVERY,
        "subscriptions could not be checked",
        done="subscriptions renewed or terminated at the end of their term",
        sleep=sleep,
    )


async def expire(service: Service) -> int:
    """Renew or terminate the subscriptions that are due, and return their number."""
    now = service.clock.now()
    active = (Not(In("status", (*OVER, "creating"))), Not(Is("isDefault", True)))
    async with service.database.unit() as store:
        due = await store.subscriptions.find(AtMost("expirationDate", stamp(now)), *active)
    count = 0
    for subscription in all_typed(StoredSubscription, due.documents):
        try:
            count += await _expire(service, subscription.id, now)
        except (SQLAlchemyError, OSError):
            raise
        except Exception as error:
            # After any other error the subscription stays due and does not block the others.
            log.error("subscription %s could not be renewed or terminated: %s", subscription.id, type(error).__name__)
    if count:
        service.event_delivery.wake()
    return count


async def _expire(service: Service, id: str, now: datetime) -> bool:
    async with service.database.unit() as store:
        await store.lock(f"subscription:{id}")
        subscription = typed(StoredSubscription, await store.subscriptions.get(id))
        if subscription is None or not _is_due(subscription, now):
            return False
        company = typed(StoredCompany, await store.companies.get(subscription.company_id))
        renewed = await _renewed(service, store, subscription, company, now)
        if renewed is None:
            await terminate(store, subscription, await offer_of(store, subscription), company, now)
        else:
            await store.subscriptions.put(document_of(renewed))
            if company is not None:
                await notify(store, "update", renewed, company, now)
    return True


def _is_due(subscription: StoredSubscription, now: datetime) -> bool:
    """Whether it is still due: another process may have handled it. A synchronisation in progress comes first."""
    if subscription.sync_ongoing or subscription.status in OVER:
        return False
    return subscription.expiration_date is not None and subscription.expiration_date <= now


async def _renewed(
    service: Service, store: Store, subscription: StoredSubscription, company: StoredCompany | None, now: datetime
) -> StoredSubscription | None:
    """The subscription in its current term, or continuing monthly; None if it is not renewed.

    After a long downtime of the server, several terms may have passed.
    """
    if company is None or company.status == "terminated" or subscription.status == "terminating":
        return None
    renewed = subscription
    while renewed.expiration_date is not None and renewed.expiration_date <= now:
        document, last = document_of(renewed), renewed.expiration_date.date()
        if continues_monthly(document):
            kept = {wire: value for wire, value in document.items() if wire not in (*_OF_A_TERM, "unitPrice")}
            return typed(StoredSubscription, kept)
        months = renewal_months(document)
        if not months:
            return None
        renewed = _in_next_term(renewed, months, last)
        await _update_price(service, store, renewed, company, last + timedelta(days=1))
    return renewed


def _in_next_term(subscription: StoredSubscription, months: int, last: date) -> StoredSubscription:
    """The subscription in the term after its last day. A single renewal is not repeated."""
    starts = last + timedelta(days=1)
    renewed = copied(subscription)
    renewed.prepaid_duration = months
    renewed.expiration_date = end_of(last_day_of(starts, months, anchor_of(subscription, starts)))
    renewed.term_start = starts
    del renewed.auto_renew_one_time
    return renewed


async def _update_price(
    service: Service, store: Store, subscription: StoredSubscription, company: StoredCompany, on: date
) -> None:
    """Set the price of the first day of a term: the previous price was agreed for the previous term only."""
    offer = await offer_or_remembered(store, subscription)
    if not is_billed(offer):
        return
    payer = company if company.is_bp else await bp_of(store, company) or company
    unpriced = copied(subscription)
    del unpriced.unit_price
    subscription.unit_price = price_of(current_terms(unpriced, offer, payer, on), service.billing, on)
