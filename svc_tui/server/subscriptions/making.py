"""How a subscription is written down: what it takes from its offer, and what its billing is told and remembers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.interface.timestamps import stamp
from svc_tui.server.billing.interface import Action, Billing
from svc_tui.server.clock import Clock
from svc_tui.server.store.tables import Document

#: What a subscription takes from its offer under the same name.
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
#: What only stands there while the billing systems are asked.
_WHILE_SYNCING = ("syncDue", "syncAction", "syncBefore")


def made_of(id: str, offer: Document, company: Document, now: str) -> Document:
    """A subscription of an offer, active."""
    found = {
        "id": id,
        "companyId": company["id"],
        "offerId": offer["id"],
        "offerName": offer.get("name"),
        "offerDescription": offer.get("description"),
        "offerTechnicalDescription": offer.get("technicalDescription"),
        "profileName": offer.get("profileName") or offer.get("name"),
        **{wire: offer.get(wire) for wire in _FROM_OFFER},
        "status": "active",
        "syncOngoing": False,
        "creationDate": now,
    }
    return {wire: value for wire, value in found.items() if value is not None}


def is_billed(offer: Document) -> bool:
    """Whether the billing systems know what is subscribed of it: it is neither free nor given away."""
    return offer.get("businessModel") != "none" and not offer.get("isDemo")


def is_known(subscription: Document, offer: Document | None) -> bool:
    """Whether the billing systems know a subscription."""
    return bool(subscription.get("billingSubscriptionId")) or (offer is not None and is_billed(offer))


async def begun(
    subscription: Document, action: Action, before: Mapping[str, Any], billing: Billing, clock: Clock
) -> Document:
    """The subscription while the billing systems are told of it; `before` are the values to put back if they fail."""
    told = await billing.begin(action, subscription, clock.now())
    promotion = subscription.get("promoCode")
    if promotion and told.ids.get("bsSubscriptionId"):
        promotion = {**promotion, "bsSubscriptionId": told.ids["bsSubscriptionId"]}
    return {
        **subscription,
        **told.ids,
        **({"promoCode": promotion} if promotion else {}),
        "syncOngoing": True,
        "syncAction": action,
        "syncDue": stamp(told.due),
        "syncBefore": dict(before),
    }


def settled(subscription: Document, *, well: bool) -> Document:
    """The subscription when the billing systems have answered: active, failed, or as it was before."""
    action = subscription.get("syncAction") or ("create" if subscription.get("status") == "creating" else "update")
    found = {wire: value for wire, value in subscription.items() if wire not in _WHILE_SYNCING}
    found["syncOngoing"] = False
    if action == "create":
        found["status"] = "active" if well else "failed"
    elif not well:
        found.update(subscription.get("syncBefore") or {})
        found = {wire: value for wire, value in found.items() if value is not None}
    return found
