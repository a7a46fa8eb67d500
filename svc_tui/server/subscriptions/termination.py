"""Termination of a subscription, by a user or at the end of its term: status, licences, notification (3, 4.6)."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.store.conditions import ContainsAny
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredSubscription, StoredUser, change_users
from svc_tui.server.subscriptions.notifications import notify
from svc_tui.server.subscriptions.paid_applications import update_paid_application
from svc_tui.server.subscriptions.records import is_known_to_billing


async def terminate(
    store: Store,
    subscription: StoredSubscription,
    offer: Offer | None,
    company: StoredCompany | None,
    now: datetime,
) -> None:
    """Terminate a locked subscription. One that the billing systems do not know is removed."""
    if is_known_to_billing(subscription, offer):
        terminated = copied(subscription)
        terminated.status = "terminated"
        await store.subscriptions.put(document_of(terminated))
        await update_paid_application(store, terminated)
    else:
        await store.subscriptions.remove(subscription.id)
    await _unassign_licences(store, subscription.id)
    if company is not None:
        await notify(store, "delete", subscription, company, now)


async def _unassign_licences(store: Store, subscription_id: str) -> None:
    """Unassign all licences of a subscription."""

    def change(document: Document) -> Document:
        user = copied(typed(StoredUser, document))
        user.profiles = [each for each in user.profiles or () if each.get("subscriptionId") != subscription_id]
        return document_of(user)

    await change_users(store, ContainsAny("profiles", (subscription_id,)), change)
