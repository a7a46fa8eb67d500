"""Messages to administrators about changes of subscriptions and licences, as records (section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.records import LICENCES

#: Children of a `companysubscription` after a creation or update, in the order of section 6.
_CHILDREN = ("offerId", "offerName", "profileId", "profileName", "status", "syncOngoing", "maxNumberUsers")


class CompanySubscriptionMessage(Record):
    """`companysubscription`: a subscription was created, updated or deleted. A deletion has no children."""

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
    """`userprofile`: a licence was assigned to a user or unassigned."""

    action: Literal["created", "deleted"]
    subscription_id: str
    offer_reference: str | None = field(None)


def subscription_message(action: Literal["create", "update", "delete"], subscription: Mapping[str, Any]) -> Record:
    """The message about a stored subscription."""
    children = {} if action == "delete" else {name: subscription.get(name) for name in _CHILDREN}
    return CompanySubscriptionMessage.model_validate(
        {
            "action": action,
            "subscriptionId": subscription["id"],
            "companyId": subscription["companyId"],
            **{name: value for name, value in children.items() if value is not None},
        }
    )
