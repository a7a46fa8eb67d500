"""The end of a subscription, whoever or whatever brings it: its status, its licences, who is told (3, 4.6)."""

from __future__ import annotations

from datetime import datetime

from svc_tui.server.locking import users_locked
from svc_tui.server.store.conditions import Has
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.making import is_known
from svc_tui.server.subscriptions.paying import pay
from svc_tui.server.subscriptions.telling import tell


async def end(
    store: Store, subscription: Document, offer: Document | None, company: Document | None, now: datetime
) -> None:
    """End a locked subscription: what the billing systems know is kept as terminated, everything else removed."""
    if is_known(subscription, offer):
        await pay(store, await store.subscriptions.put({**subscription, "status": "terminated"}))
    else:
        await store.subscriptions.remove(subscription["id"])
    await _take_licences(store, subscription["id"])
    if company is not None:
        await tell(store, "delete", subscription, company, now)


async def _take_licences(store: Store, subscription: str) -> None:
    """Nobody holds a licence of it any more."""
    async for user in users_locked(store, Has("profiles", (subscription,))):
        kept = [each for each in user.get("profiles") or () if each.get("subscriptionId") != subscription]
        await store.users.put({**user, "profiles": kept})
