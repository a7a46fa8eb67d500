"""New subscriptions, and whether the billing systems know a subscription."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import stamp
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.stored import StoredCompany, StoredOffer, StoredSubscription

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
