"""Licences: who of a company holds one of a subscription, and what stands in the way of giving or taking one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from svc_tui.interface.data import RecordData
from svc_tui.interface.subscriptions.rules import assignment_violation, unassignment_violation


def profiles_of(user: RecordData) -> Sequence[RecordData]:
    """The licences that a user record tells of."""
    profiles = user.get("profiles")
    return [profile for profile in profiles if isinstance(profile, Mapping)] if isinstance(profiles, list) else []


def held(user: RecordData, subscription_id: str) -> RecordData | None:
    """The licence of a subscription that a user holds; None when he holds none."""
    return next((profile for profile in profiles_of(user) if profile.get("subscriptionId") == subscription_id), None)


def objection(user: RecordData, subscription: RecordData, *, assign: bool) -> str:
    """Why a user cannot be given a licence, or be taken one from; empty when he can, as far as is known here."""
    profile = held(user, str(subscription.get("id") or ""))
    if assign:
        broken = assignment_violation(subscription, str(user.get("companyId") or ""), profiles_of(user))
    elif profile is None:
        return "the user holds no licence of it"
    else:
        broken = unassignment_violation(profile)
    return broken.sentence if broken else ""


def free(subscription: RecordData) -> int | None:
    """How many licences are left to give; None where they are not counted, or nobody said."""
    most, used = subscription.get("maxNumberUsers"), subscription.get("numberAssignedUsers") or 0
    if not isinstance(most, int) or not isinstance(used, int):
        return None
    return max(0, most - used)


def objections(users: Iterable[tuple[str, RecordData]], subscription: RecordData, *, assign: bool) -> dict[str, str]:
    """Id -> why not, of those of many who cannot be given a licence, or taken one from.

    Those for whom no licence would be left are among them.
    """
    left = free(subscription) if assign else None
    found = {}
    for user_id, user in users:
        why = objection(user, subscription, assign=assign)
        if not why and left is not None:
            why = "" if left else "no licence is left for this one"
            left = max(0, left - 1)
        if why:
            found[user_id] = why
    return found
