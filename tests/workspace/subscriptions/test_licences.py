"""Objections to the assignment and removal of licences, for one user and for many."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.workspace.subscriptions.licences import free, held, objection, objections

SUBSCRIPTION = {
    "id": "s1",
    "companyId": "c1",
    "status": "active",
    "syncOngoing": False,
    "businessModel": "nb_users",
    "maxNumberUsers": 10,
    "numberAssignedUsers": 8,
}


def user(*profiles: dict[str, Any], company: str = "c1") -> dict[str, Any]:
    return {"id": "u1", "companyId": company, "profiles": list(profiles)}


def test_a_user_holds_the_licences_in_the_user_record() -> None:
    profile = {"subscriptionId": "s1"}
    assert held(user({"subscriptionId": "s0"}, profile), "s1") is profile
    assert held({"id": "u1"}, "s1") is None


@pytest.mark.parametrize(
    ("subscription", "who", "sentence"),
    [
        ({}, user(), ""),
        ({"syncOngoing": True}, user(), "synchronisation"),
        ({"status": "hold"}, user(), "is on hold, not active"),
        ({"businessModel": "flat_fee"}, user(), "has no licences"),
        ({"numberAssignedUsers": 10}, user(), "all 10 licences are assigned"),
        ({}, user(company="c2"), "another company"),
        ({}, user({"subscriptionId": "s1"}), "already has this licence"),
        ({"isExclusive": True}, user({"isExclusive": True, "offerName": "Enterprise"}), "exclusive licence Enterprise"),
    ],
)
def test_objections_to_an_assignment(subscription: dict[str, Any], who: Any, sentence: str) -> None:
    found = objection(who, {**SUBSCRIPTION, **subscription}, assign=True)
    assert (sentence in found) if sentence else not found


def test_objections_to_a_removal() -> None:
    assert "has no licence" in objection(user(), SUBSCRIPTION, assign=False)
    default = user({"subscriptionId": "s1", "isDefault": True})
    assert "default subscription cannot be unassigned" in objection(default, SUBSCRIPTION, assign=False)
    assert objection(user({"subscriptionId": "s1"}), {**SUBSCRIPTION, "syncOngoing": True}, assign=False) == ""


def test_only_as_many_users_as_licences_left_get_one() -> None:
    users = [(f"u{number}", user()) for number in range(4)]
    users.insert(1, ("holder", user({"subscriptionId": "s1"})))
    found = objections(users, SUBSCRIPTION, assign=True)
    assert list(found) == ["holder", "u2", "u3"]
    assert found["u2"] == "no licence left"


def test_licences_that_are_not_counted_have_no_limit() -> None:
    counted_not = {**SUBSCRIPTION, "maxNumberUsers": None}
    assert (free(SUBSCRIPTION), free(counted_not)) == (2, None)
    assert objections([(f"u{number}", user()) for number in range(20)], counted_not, assign=True) == {}


@pytest.mark.parametrize("odd", ["ten", [], {}, "10", 1.5])
def test_invalid_numbers_of_licences_are_ignored(odd: Any) -> None:
    assert free({**SUBSCRIPTION, "maxNumberUsers": odd}) is None
    assert free({**SUBSCRIPTION, "numberAssignedUsers": odd or "none"}) is None
