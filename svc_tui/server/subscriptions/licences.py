"""Licences: what a user holds, giving him one, taking one from him (4.6, with the rules of licences)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.subscriptions import licences as declared
from svc_tui.interface.subscriptions.licences import NoFields, UserProfile
from svc_tui.interface.subscriptions.messages import UserProfileMessage
from svc_tui.interface.subscriptions.rules import assignment_violation, unassignment_violation
from svc_tui.server.reach import owned_subject
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.events import Event
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.counting import assigned
from svc_tui.server.subscriptions.profiles import profile_of
from svc_tui.server.subscriptions.reaching import check

#: Name of the element of the message.
_MESSAGE = "userprofile"


@rule(declared.list_user_profiles)
async def list_user_profiles(call: Call) -> RuleResult:
    user, _ = await _user(call)
    return {"data": _shown(user.get("profiles") or ())}


@rule(declared.assign_licence)
async def assign_licence(call: Call[Any, NoFields]) -> RuleResult:
    user, company = await _locked(call)
    subscription = await call.store.subscriptions.get(call.path["subscriptionId"])
    if subscription is None:
        raise not_found("Subscription", call.path["subscriptionId"])
    held = list(user.get("profiles") or ())
    counts = await assigned(call.store, [company["id"]])
    counted = {**subscription, "numberAssignedUsers": counts[subscription["id"]]}
    check(assignment_violation(counted, company["id"], held))
    offer = await call.store.offers.get(str(subscription.get("offerId")))
    profile = profile_of(subscription, offer, call.stamp)
    await _keep(call, user, [*held, profile], "created", profile)
    return {"status": f"Licence of subscription {subscription['id']} assigned", "data": _shown([profile])[0]}


@rule(declared.unassign_licence)
async def unassign_licence(call: Call) -> RuleResult:
    user, _ = await _locked(call)
    held = list(user.get("profiles") or ())
    id = call.path["subscriptionId"]
    profile = next((each for each in held if each.get("subscriptionId") == id), None)
    if profile is None:
        raise Refusal(Code.NOT_FOUND, f"The user holds no licence of subscription {id}")
    check(unassignment_violation(profile))
    left = [each for each in held if each is not profile]
    await _keep(call, user, left, "deleted", profile)
    return {"status": f"Licence of subscription {id} unassigned", "data": _shown(left)}


async def _user(call: Call[Any, Any]) -> tuple[Document, Document]:
    """The user in the path, who is not gone and whom the caller's roles reach, and his company."""
    user = await call.store.users.get(call.path["userId"])
    if user is None or user.get("isTerminated"):
        raise not_found("User", call.path["userId"])
    company = await call.store.companies.get(str(user.get("companyId") or "")) or {}
    call.require(owned_subject(user, company))
    return user, {**company, "id": str(user.get("companyId") or "")}


async def _locked(call: Call[Any, Any]) -> tuple[Document, Document]:
    """The same, while nobody else gives or takes a licence of this subscription or of this user."""
    # The subscription first: whoever changes or ends it takes the same lock.
    await call.store.lock(f"subscription:{call.path['subscriptionId']}")
    await call.store.lock(f"user:{call.path['userId']}")
    return await _user(call)


async def _keep(call: Call[Any, Any], user: Document, profiles: list[Document], action: str, profile: Document) -> None:
    """Write the user's licences, and tell him, in one transaction."""
    await call.store.users.put({**user, "profiles": profiles, "lastUpdateDate": call.stamp})
    told = {
        "action": action,
        "subscriptionId": profile["subscriptionId"],
        "offerReference": profile.get("offerReference"),
    }
    content = UserProfileMessage.model_validate({name: value for name, value in told.items() if value}).wire()
    await call.store.events.add(Event(_MESSAGE, (user["id"],), content), now=call.now)


def _shown(profiles: Iterable[Document]) -> list[Document]:
    """Profiles as readers know them; some have more for the service itself."""
    known = field_by_wire(UserProfile)
    return [{wire: value for wire, value in each.items() if wire in known} for each in profiles]
