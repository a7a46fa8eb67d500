"""What administrators are told when a subscription or a licence changes: the messages of section 6 as records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from xml.etree import ElementTree

from svc_tui.interface.records import Record, field
from svc_tui.interface.subscriptions.records import LICENCES

#: Namespace of the element in a management message.
NAMESPACE = "jabber:iq:configuration"

#: Children of a `companysubscription` that was created or changed, in the order of section 6.
_CHILDREN = ("offerId", "offerName", "profileId", "profileName", "status", "syncOngoing", "maxNumberUsers")


class CompanySubscriptionMessage(Record):
    """`companysubscription`: it was created, changed or deleted. Deleted carries no children."""

    action: Literal["create", "update", "delete"]
    subscription_id: str
    company_id: str
    offer_id: str | None = field(None)
    offer_name: str | None = field(None)
    profile_id: str | None = field(None)
    profile_name: str | None = field(None)
    status: str | None = field(None)
    sync_ongoing: bool | None = field(None)
    max_number_users: int | None = field(None, label=LICENCES)


class UserProfileMessage(Record):
    """`userprofile`: a licence was given to a user, or taken from him."""

    action: Literal["created", "deleted"]
    subscription_id: str
    offer_reference: str | None = field(None)


def subscription_message(action: Literal["create", "update", "delete"], subscription: Mapping[str, Any]) -> Record:
    """The message of a subscription as it stands in the store."""
    told = {} if action == "delete" else {name: subscription.get(name) for name in _CHILDREN}
    return CompanySubscriptionMessage.model_validate(
        {
            "action": action,
            "subscriptionId": subscription["id"],
            "companyId": subscription["companyId"],
            **{name: value for name, value in told.items() if value is not None},
        }
    )


def element(name: str, content: Mapping[str, Any], attributes: tuple[str, ...]) -> str:
    """A message as the XML element that clients receive; what is no attribute is a child with its value as text."""
    found = ElementTree.Element(name, {"xmlns": NAMESPACE})
    for wire, value in content.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if wire in attributes:
            found.set(wire, text)
        else:
            ElementTree.SubElement(found, wire).text = text
    return ElementTree.tostring(found, encoding="unicode")


#: Element -> what stands in its attributes; the rest are children.
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "companysubscription": ("action", "subscriptionId", "companyId"),
    "userprofile": ("action", "subscriptionId", "offerReference"),
}
