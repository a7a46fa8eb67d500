"""The profile that a licence gives its holder, as it stands in his record (4.6)."""

from __future__ import annotations

from svc_tui.server.store.tables import Document

#: What a profile says of its subscription, and of the offer behind it.
_OF_SUBSCRIPTION = (
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
_OF_OFFER = ("canBeSold", "isPrepaid", "hasConference", "isVoicePhone")


def profile_of(subscription: Document, offer: Document | None, date: str) -> Document:
    """The profile of whoever holds a licence since `date`. Without the offer some of it is not known."""
    known = {wire: subscription[wire] for wire in _OF_SUBSCRIPTION if subscription.get(wire) is not None}
    more = {wire: (offer or {})[wire] for wire in _OF_OFFER if (offer or {}).get(wire) is not None}
    return {"subscriptionId": subscription["id"], **known, **more, "assignationDate": date}
