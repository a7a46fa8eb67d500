"""CPaaS applications list the subscriptions that pay for them (2.6, 2.10)."""

from __future__ import annotations

from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.store.store import Store
from svc_tui.server.stored import PaidSubscription, StoredApplication, StoredSubscription


async def update_paid_application(store: Store, subscription: StoredSubscription) -> None:
    """Write the current state of a subscription into the application that it pays for, if any."""
    id = subscription.application_id
    if not id:
        return
    await store.lock(f"application:{id}")
    stored = typed(StoredApplication, await store.applications.get(id))
    if stored is None:
        return
    application = copied(stored)
    entry = {"id": subscription.id, "offerName": subscription.offer_name, "status": subscription.status}
    others = [each for each in application.subscriptions or () if each.get("id") != subscription.id]
    application.subscriptions = [*others, entry]
    paid = all_typed(PaidSubscription, application.subscriptions)
    application.subscription_status = [each.status for each in paid if each.status]
    await store.applications.put(document_of(application))
