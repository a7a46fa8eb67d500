"""Licences: the holders of a subscription's licences, why a licence cannot be assigned or unassigned, and what becomes
of those of users who leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from svc_tui.interface.data import RecordData
from svc_tui.interface.subscriptions.facts import LicenceFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.rules import assignment_violation, unassignment_violation
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.leaving import Holding, LeaveService, Leaving, name_of, sequence, subject_of, user_now
from svc_tui.workspace.kinds.registry import KINDS


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


class LicenceHoldings:
    """The licences of users who leave."""

    kinds: Mapping[str, str] = {"licence": _("Licence")}

    async def read(
        self, service: LeaveService, user: RecordData, successor: RecordData | None, unread: dict[str, str]
    ) -> list[Holding]:
        """The licences of the user record; proposed is that they are free."""
        return [_holding(each, successor) for each in profiles_of(user) if each.get("subscriptionId")]

    def step(self, service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
        """The requests of a choice."""
        return _licence_step(service, leaving, holding)

    def objections(self, leaving: Leaving) -> Mapping[str, str]:
        """None: they do not depend on each other."""
        return {}


def _holding(profile: RecordData, successor: RecordData | None) -> Holding:
    id = str(profile["subscriptionId"])
    name = str(profile.get("offerName") or id)
    if broken := unassignment_violation(LicenceFacts.of(profile)):
        return Holding(kind="licence", id=id, name=name, note=broken.sentence)
    taken = successor is not None and held(successor, id) is not None
    choices = ("keep", "free", *(("hand-over",) if successor and not taken else ()))
    note = _("the successor has one") if taken else ""
    return Holding(kind="licence", id=id, name=name, choices=choices, choice="free", note=note)


def _licence_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    subject = subject_of(leaving.user, service.caller)

    def request(operation_id: str, user: Mapping[str, str]) -> JobStep:
        path = {"userId": user["id"], "subscriptionId": holding.id}
        label = f"{_('Licence')} {holding.name}: {name_of(user)}"
        about = {"subscriptionId": holding.id, "offerName": holding.name}
        undo = UndoEntry.of_opposite(label, KINDS["licences"], operation_id, path, about)
        body: dict[str, object] | None = {} if operation_id == "assign_licence" else None
        return JobStep(user["id"], path=path, body=body, subject=subject, operation_id=operation_id, undo=undo)

    take = request("unassign_licence", leaving.user)
    give = [request("assign_licence", leaving.successor)] if holding.choice == "hand-over" else []

    async def check() -> JobStep | None:
        left = [take] if held(await user_now(service, leaving.user["id"]), holding.id) else []
        if give and held(await user_now(service, leaving.successor["id"]), holding.id) is None:
            left += give
        return sequence(left) if left else None

    return sequence([take, *give], check)
