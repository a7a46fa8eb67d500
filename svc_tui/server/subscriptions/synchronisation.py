"""Start and end of a synchronisation with the billing systems, in the record of the subscription."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from svc_tui.interface.dates import stamp
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.billing.interface import Billing
from svc_tui.server.stored import StoredSubscription, SyncAction

#: Fields that exist only during a synchronisation.
_WHILE_SYNCING = ("syncDue", "syncAction", "syncBefore")


async def start_synchronisation(
    subscription: StoredSubscription, action: SyncAction, before: Mapping[str, Any], billing: Billing, now: datetime
) -> StoredSubscription:
    """The subscription during a synchronisation; `before` are the values to restore if it fails."""
    started = await billing.start_sync(action, subscription, now)
    document = {
        **document_of(subscription),
        **started.ids,
        "syncOngoing": True,
        "syncAction": action,
        "syncDue": stamp(started.due),
        "syncBefore": dict(before),
    }
    if subscription.promo_code is not None and started.ids.get("bsSubscriptionId"):
        promotion = copied(subscription.promo_code)
        promotion.bs_subscription_id = started.ids["bsSubscriptionId"]
        document["promoCode"] = document_of(promotion)
    return typed(StoredSubscription, document)


def _action(subscription: StoredSubscription) -> SyncAction:
    """The action of the synchronisation in progress."""
    return subscription.sync_action or ("create" if subscription.status == "creating" else "update")


def end_synchronisation(subscription: StoredSubscription, *, succeeded: bool) -> StoredSubscription:
    """The subscription after a synchronisation: active, failed, or with its earlier values."""
    before = subscription.sync_before or {}
    document = {wire: value for wire, value in document_of(subscription).items() if wire not in _WHILE_SYNCING}
    document["syncOngoing"] = False
    if _action(subscription) == "create":
        document["status"] = "active" if succeeded else "failed"
    elif not succeeded:
        document.update(before)
        document = {wire: value for wire, value in document.items() if value is not None}
    return typed(StoredSubscription, document)
