"""The profile of a licence, as stored in the user's record (4.6)."""

from __future__ import annotations

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.typed_access import document_of
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredSubscription

#: Fields that a profile takes from the subscription and from its offer.
_FROM_SUBSCRIPTION = (
    "offerId",
    "offerName",
    "offerDescription",
    "offerReference",
    "profileId",
    "profileName",
    "status",
    "isDefault",
    "isExclusive",
    "businessModel",
    "prepaidDuration",
)
_FROM_OFFER = ("canBeSold", "isPrepaid", "hasConference", "isVoicePhone")


def profile_of(subscription: StoredSubscription, offer: Offer | None, date: str) -> Document:
    """The profile of a licence assigned on `date`. Without the offer, its fields are missing."""
    sources = ((document_of(subscription), _FROM_SUBSCRIPTION), (document_of(offer), _FROM_OFFER))
    fields = {wire: document[wire] for document, wires in sources for wire in wires if document.get(wire) is not None}
    return {"subscriptionId": subscription.id, **fields, "assignationDate": date}
