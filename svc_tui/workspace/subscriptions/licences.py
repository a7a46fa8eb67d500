"""Licences: the holders of a subscription's licences, and why a licence cannot be assigned or unassigned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from svc_tui.interface.data import RecordData
from svc_tui.interface.subscriptions.facts import LicenceFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.rules import assignment_violation, unassignment_violation
from svc_tui.language import _


def profiles_of(user: RecordData) -> Sequence[RecordData]:
    """The licences in a user record."""
    profiles = user.get("profiles")
    return [profile for profile in profiles if isinstance(profile, Mapping)] if isinstance(profiles, list) else []


def held(user: RecordData, subscription_id: str) -> RecordData | None:
    """The licence of a subscription that a user holds; None without one."""
    return next((profile for profile in profiles_of(user) if profile.get("subscriptionId") == subscription_id), None)


def objection(user: RecordData, subscription: RecordData, *, assign: bool) -> str:
    """Why a licence cannot be assigned to a user, or unassigned; empty when it probably can."""
    profile = held(user, str(subscription.get("id") or ""))
    if assign:
        licences = [LicenceFacts.of(each) for each in profiles_of(user)]
        broken = assignment_violation(SubscriptionFacts.of(subscription), str(user.get("companyId") or ""), licences)
    elif profile is None:
        return _("the user has no licence of this subscription")
    else:
        broken = unassignment_violation(LicenceFacts.of(profile))
    return broken.sentence if broken else ""


def free(subscription: RecordData) -> int | None:
    """Number of licences left; None where they are not counted, or it is unknown."""
    most, used = subscription.get("maxNumberUsers"), subscription.get("numberAssignedUsers") or 0
    if not isinstance(most, int) or not isinstance(used, int):
        return None
    return max(0, most - used)


def objections(users: Iterable[tuple[str, RecordData]], subscription: RecordData, *, assign: bool) -> dict[str, str]:
    """User id -> objection, for the users whose licence cannot be assigned or unassigned.

    They include the users without a remaining licence.
    """
    left = free(subscription) if assign else None
    found = {}
    for user_id, user in users:
        reason = objection(user, subscription, assign=assign)
        if not reason and left is not None:
            reason = "" if left else _("no licence left")
            left = max(0, left - 1)
        if reason:
            found[user_id] = reason
    return found
