"""Licences: listing, assignment and unassignment (4.6, with the rules of licences)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.subscriptions import licences as declared
from svc_tui.interface.subscriptions.facts import LicenceFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.licences import NoFields, UserProfile
from svc_tui.interface.subscriptions.records import UserProfileMessage
from svc_tui.interface.subscriptions.rules import assignment_violation, unassignment_violation
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.hooks import UserBelongings, of_users
from svc_tui.server.reach import owned_subject
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.events import Event
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredProfile, StoredSubscription, StoredUser
from svc_tui.server.subscriptions.access import check, offer_of
from svc_tui.server.subscriptions.licence_counts import assigned_licences, profile_of

#: Name of the element of the message.
_MESSAGE = "userprofile"


@rule(declared.list_user_profiles)
async def list_user_profiles(call: Call) -> RuleResult:
    return {"data": _represented((await _user(call)).profiles or ())}


@rule(declared.assign_licence)
async def assign_licence(call: Call[Any, NoFields]) -> RuleResult:
    user = await _locked_user(call)
    subscription = typed(StoredSubscription, await call.store.subscriptions.get(call.path["subscriptionId"]))
    if subscription is None:
        raise not_found("Subscription", call.path["subscriptionId"])
    company_id, profiles = user.company_id or "", user.profiles or []
    counts = await assigned_licences(call.store, [company_id])
    counted = SubscriptionFacts.of({**document_of(subscription), "numberAssignedUsers": counts[subscription.id]})
    check(assignment_violation(counted, company_id, [LicenceFacts.of(each) for each in profiles]))
    profile = profile_of(subscription, await offer_of(call.store, subscription), call.stamp)
    await _put(call, user, [*profiles, profile], "created", typed(StoredProfile, profile))
    return {"status": f"Licence of subscription {subscription.id} assigned", "data": _represented([profile])[0]}


@rule(declared.unassign_licence)
async def unassign_licence(call: Call) -> RuleResult:
    user = await _locked_user(call)
    id, profiles = call.path["subscriptionId"], user.profiles or []
    profile = next((each for each in profiles if each.get("subscriptionId") == id), None)
    if profile is None:
        raise Refusal(Code.NOT_FOUND, f"The user has no licence of subscription {id}")
    check(unassignment_violation(LicenceFacts.of(profile)))
    left = [each for each in profiles if each is not profile]
    await _put(call, user, left, "deleted", typed(StoredProfile, profile))
    return {"status": f"Licence of subscription {id} unassigned", "data": _represented(left)}


async def _user(call: AnyCall) -> StoredUser:
    """The user of the path. Refusal 404000 also for a terminated user, 403301 if the caller does not reach the user."""
    user = typed(StoredUser, await call.store.users.get(call.path["userId"]))
    if user is None or user.is_terminated:
        raise not_found("User", call.path["userId"])
    company = await call.store.companies.get(user.company_id or "") or {}
    call.require(owned_subject(document_of(user), company))
    return user


async def _locked_user(call: AnyCall) -> StoredUser:
    """The user of the path, while no other request changes licences of this subscription or this user."""
    # The subscription first: requests that change or terminate it take the same lock.
    await call.store.lock(f"subscription:{call.path['subscriptionId']}")
    await call.store.lock(f"user:{call.path['userId']}")
    return await _user(call)


async def _put(
    call: AnyCall,
    user: StoredUser,
    profiles: list[Document],
    action: Literal["created", "deleted"],
    profile: StoredProfile,
) -> None:
    """Write the user's licences, and notify the user, in one transaction."""
    changed = copied(user)
    changed.profiles, changed.last_update_date = profiles, call.now
    await call.store.users.put(document_of(changed))
    message = {
        "action": action,
        "subscriptionId": profile.subscription_id,
        "offerReference": profile.offer_reference,
    }
    content = UserProfileMessage.model_validate({name: value for name, value in message.items() if value}).wire()
    await call.store.events.add(Event(_MESSAGE, (user.id,), content), now=call.now)


def _represented(profiles: Iterable[Document]) -> list[Document]:
    """Profiles with all their fields, null where they are unset, and without those of the store."""
    return [{wire: each.get(wire) for wire in field_by_wire(UserProfile)} for each in profiles]


class Licences(UserBelongings):
    """The licences of a user, which the deletion of the user releases: also that of the default offer."""

    async def locks(self, store: Store, user: Document) -> list[str]:
        return [f"subscription:{each.subscription_id}" for each in all_typed(StoredProfile, user.get("profiles") or ())]

    async def release(self, store: Store, user: Document) -> None:
        await store.users.put({**(await store.users.get(user["id"]) or user), "profiles": []})


of_users(Licences())
