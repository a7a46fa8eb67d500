"""What changes of subscriptions share: new ones and their end, by a user or at the end of their term (3, 4.6), the
synchronisation with the billing systems, the CPaaS applications that they pay for (2.6, 2.10), and notifications, in
the transaction of the change (section 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from svc_tui.interface.access import Role
from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import stamp
from svc_tui.interface.readers import Whose
from svc_tui.interface.subscriptions.records import Subscription, subscription_message
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.billing.interface import Billing
from svc_tui.server.readers import Readers
from svc_tui.server.security.callers import caller_of
from svc_tui.server.store.conditions import AllOf, AnyOf, ContainsAny, Is, Not
from svc_tui.server.store.events import Event
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import (
    PaidSubscription,
    StoredApplication,
    StoredCompany,
    StoredOffer,
    StoredSubscription,
    StoredUser,
    SyncAction,
    change_users,
)

#: Fields that a subscription takes from its offer under the same name.
_FROM_OFFER = (
    "sapReference",
    "offerReference",
    "profileId",
    "isDefault",
    "businessModel",
    "isExclusive",
    "billingOfferId",
    "billingProductRatePlanId",
    "billingProductRatePlanChargeId",
    "bpBusinessType",
    "groupName",
)


def new_subscription(id: str, offer: StoredOffer, company: StoredCompany, now: datetime) -> StoredSubscription:
    """An active subscription to an offer."""
    from_offer = document_of(offer)
    document = {
        "id": id,
        "companyId": company.id,
        "offerId": offer.id,
        "offerName": offer.name,
        "offerDescription": offer.description,
        "offerTechnicalDescription": offer.technical_description,
        "profileName": offer.profile_name or offer.name,
        **{wire: from_offer.get(wire) for wire in _FROM_OFFER},
        "status": "active",
        "syncOngoing": False,
        "creationDate": stamp(now),
    }
    return typed(StoredSubscription, {wire: value for wire, value in document.items() if value is not None})


def is_billed(offer: Offer) -> bool:
    """Whether the billing systems know subscriptions to this offer: it is neither free nor a demo offer."""
    return offer.business_model != "none" and not offer.is_demo


def is_known_to_billing(subscription: StoredSubscription, offer: Offer | None) -> bool:
    """Whether the billing systems know a subscription."""
    return bool(subscription.billing_subscription_id) or (offer is not None and is_billed(offer))


#: Name of the element.
MESSAGE = "companysubscription"
_PARTNERS = (Role.BP_ADMIN.value, Role.BP_FINANCE.value)


async def notify(
    store: Store, action: SyncAction, subscription: StoredSubscription, company: StoredCompany, now: datetime
) -> None:
    """Notify the administrators of the company and of its partner (BP)."""
    whose = Whose(company_id=company.id)
    by_content: dict[str, tuple[Document, list[str]]] = {}
    for user in await _recipients(store, company):
        seen = await Readers(caller_of(user), store).of_record(Subscription, document_of(subscription), whose)
        content = subscription_message(action, {**seen, "id": subscription.id, "companyId": company.id}).wire()
        by_content.setdefault(repr(content), (content, []))[1].append(str(user["id"]))
    for content, recipients in by_content.values():
        await store.events.add(Event(MESSAGE, tuple(recipients), content), now=now)


async def _recipients(store: Store, company: StoredCompany) -> list[Document]:
    own = AllOf((Is("companyId", company.id), Is("adminType", Role.COMPANY_ADMIN.value)))
    # A company without a partner is its own partner: its partner roles are notified.
    finance = AllOf((Is("companyId", company.bp_id or company.id), ContainsAny("roles", _PARTNERS)))
    return (await store.users.find(AnyOf((own, finance)), Not(Is("isTerminated", True)))).documents


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
