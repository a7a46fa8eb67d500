"""The application that a CPaaS subscription pays for says so itself (2.6, 2.10)."""

from __future__ import annotations

from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


async def pay(store: Store, subscription: Document) -> None:
    """Write a subscription as it is now into the application that it pays for, if it pays for one."""
    id = subscription.get("applicationId")
    if not id:
        return
    await store.lock(f"application:{id}")
    application = await store.applications.get(str(id))
    if application is None:
        return
    told = {"id": subscription["id"], "offerName": subscription.get("offerName"), "status": subscription["status"]}
    others = [each for each in application.get("subscriptions") or () if each.get("id") != subscription["id"]]
    paid = [*others, told]
    statuses = [each["status"] for each in paid if each.get("status")]
    await store.applications.put({**application, "subscriptions": paid, "subscriptionStatus": statuses})
