"""Which subscriptions of a company need attention: status, synchronisation, end and licences (2.10, 3, 4.6)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.workspace.subscriptions.overview import subscription_findings

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def found(**subscription: Any) -> list[tuple[str, str, str]]:
    known = {"id": "s1", "offerName": "Business", "status": "active", "syncOngoing": False, **subscription}
    findings = list(subscription_findings([known], NOW))
    assert {each.record_id for each in findings} <= {"s1"}
    return [(each.sentence, each.effect, each.field) for each in findings]


@pytest.mark.parametrize(
    ("status", "sentence", "effect"),
    [
        ("failed", "“Business”: rejected by the billing systems.", "prevents"),
        ("hold", "“Business”: on hold.", "limits"),
        ("alerting", "“Business”: in alert.", "limits"),
        ("unknown", "“Business”: its status is unknown.", "limits"),
        ("terminating", "“Business”: is being terminated.", "notes"),
    ],
)
def test_a_status_that_needs_attention(status: str, sentence: str, effect: str) -> None:
    assert found(status=status) == [(sentence, effect, "status")]


@pytest.mark.parametrize("status", ["active", "terminated"])
def test_others_have_no_findings(status: str) -> None:
    assert found(status=status, creationDate="2026-01-01T10:00:00.000Z") == []


def test_a_synchronisation_blocks_changes_and_one_that_takes_days_is_a_limit() -> None:
    assert found(syncOngoing=True, creationDate="2026-01-01T10:00:00.000Z") == [
        ("“Business”: synchronising, changes are blocked.", "notes", "syncOngoing")
    ]
    assert found(status="creating", syncOngoing=True, creationDate="2026-11-22T09:00:00.000Z") == [
        ("“Business”: synchronising, changes are blocked.", "notes", "syncOngoing")
    ]
    assert found(status="creating", syncOngoing=True, creationDate="2026-11-20T09:00:00.000Z") == [
        ("“Business”: not confirmed for 2 days.", "limits", "syncOngoing")
    ]


@pytest.mark.parametrize(
    ("day", "renewal", "expected"),
    [
        ("2026-12-02T12:00:00.000Z", {}, [("“Business”: ends in 10 d, without renewal.", "limits", "expirationDate")]),
        ("2026-11-22T23:00:00.000Z", {}, [("“Business”: ends today, without renewal.", "limits", "expirationDate")]),
        ("2026-12-02T12:00:00.000Z", {"autoRenew": True}, [("“Business”: renews in 10 d.", "notes", "expirationDate")]),
        ("2027-12-02T12:00:00.000Z", {}, []),
    ],
)
def test_the_end_of_the_term(day: str, renewal: dict[str, Any], expected: list[tuple[str, str, str]]) -> None:
    assert found(expirationDate=day, **renewal) == expected


@pytest.mark.parametrize(
    ("used", "bought", "effect"), [(8, 10, None), (9, 10, "notes"), (10, 10, "limits"), (12, 10, "limits")]
)
def test_licences_that_run_out(used: int, bought: int, effect: str | None) -> None:
    counted = {"businessModel": "nb_users", "numberAssignedUsers": used, "maxNumberUsers": bought}
    sentence = f"“Business”: {used} of {bought} licences are assigned."
    assert found(**counted) == ([] if effect is None else [(sentence, effect, "maxNumberUsers")])
    assert found(**{**counted, "businessModel": "flat_fee"}) == []
