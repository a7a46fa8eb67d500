"""Which licences are idle, and how many of a subscription are free or over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.workspace.subscriptions.reports import idle_rows, seat_rows

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LICENCE = {
    "subscriptionId": "s1",
    "offerName": "Business",
    "status": "active",
    "assignationDate": "2026-01-01T00:00:00Z",
}


@pytest.mark.parametrize(
    ("user", "licence", "why"),
    [
        ({"lastLoginDate": "2026-10-22T00:00:00.000Z"}, {}, []),
        ({"lastLoginDate": "2026-10-21T00:00:00.000Z"}, {}, [("idle for 30 days", 30)]),
        ({"lastLoginDate": "2026-09-21T00:00:00.000Z"}, {}, [("idle for 60 days", 60)]),
        ({"lastLoginDate": "2026-08-22T00:00:00.000Z"}, {}, [("idle for 90 days", 90)]),
        ({}, {}, [("never logged in", 323)]),
        ({}, {"assignationDate": "2026-11-21T00:00:00.000Z"}, [("never logged in", 0)]),
        ({"lastLoginDate": "2026-11-19T00:00:00.000Z", "isActive": False}, {}, [("inactive user", 1)]),
        ({"lastLoginDate": "2026-11-19T00:00:00.000Z", "isTerminated": True}, {}, [("inactive user", 1)]),
        ({}, {"isDefault": True}, []),
        ({}, {"status": "terminated"}, []),
        ({}, {"isVoicePhone": True}, []),
        ({"isActive": False}, {"isVoicePhone": True}, [("inactive user", 323)]),
        ({"lastLoginDate": "garbled"}, {}, []),
    ],
)
def test_idle_licences(user: dict[str, Any], licence: dict[str, Any], why: list[tuple[str, int]]) -> None:
    rows = idle_rows({"id": "u1", "profiles": [{**LICENCE, **licence}], **user}, NOW)
    assert [(row["why"], row["idleDays"]) for row in rows] == why


def test_each_licence_of_a_user_is_a_row_with_an_id_of_its_own() -> None:
    other = {**LICENCE, "subscriptionId": "s2"}
    assert [row["id"] for row in idle_rows({"id": "u1", "profiles": [LICENCE, other, "garbled"]}, NOW)] == [
        "u1:s1",
        "u1:s2",
    ]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"maxNumberUsers": 10, "numberAssignedUsers": 4}, (6, 0, 0.4)),
        ({"maxNumberUsers": 10, "numberAssignedUsers": 12}, (0, 2, 1.2)),
        ({"maxNumberUsers": 0, "numberAssignedUsers": 0}, (0, 0, None)),
        ({"maxNumberUsers": 10, "status": "terminated"}, None),
        ({"maxNumberUsers": 10, "businessModel": "flat_fee"}, None),
        ({"maxNumberUsers": 10, "isDefault": True}, None),
        ({}, None),
    ],
)
def test_free_licences(fields: dict[str, Any], found: tuple[int, int, float | None] | None) -> None:
    company = {"id": "c1", "name": "North", "subscriptions": [{"id": "s1", "businessModel": "nb_users", **fields}]}
    rows = [(row["free"], row["over"], row["share"]) for row in seat_rows(company)]
    assert rows == ([] if found is None else [found])
    assert list(seat_rows({"id": "c1", "subscriptions": "garbled"})) == []
