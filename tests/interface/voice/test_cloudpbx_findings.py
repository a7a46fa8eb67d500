"""Findings about a CloudPBX: status, trunk, numbering plan and DDI numbers (2.14, 4.7)."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.voice.findings import cloudpbx_findings

SOUND: dict[str, Any] = {
    "externalTrunkId": "t1",
    "externalTrunkAdditionalInfo": {"status": "active"},
    "numberingPlan": [{"prefix": "2", "digits": 4}],
    "installationNumber": "+351210990000",
}


def found(settings: dict[str, Any] | None = None, ddis: int | None = 5, **record: Any) -> list[tuple[str, str, str]]:
    cloudpbx = {"id": "p1", "status": "created", "cloudpbx": {**SOUND, **(settings or {})}, **record}
    findings = list(cloudpbx_findings(cloudpbx, ddis))
    assert {each.record_id for each in findings} <= {"p1"}
    return [(each.sentence, each.effect, each.field) for each in findings]


def test_a_sound_cloudpbx_has_no_findings() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("record", "sentence", "effect", "field"),
    [
        (
            {"status": "disconnected", "statusUpdatedDate": "2026-09-03T16:02:16.903Z"},
            "Disconnected since 2026-09-03: no calls.",
            "prevents",
            "status",
        ),
        ({"status": "disconnected"}, "Disconnected: no calls.", "prevents", "status"),
        ({"blockedDate": "2026-09-03T16:02:16.903Z"}, "Blocked since 2026-09-03.", "prevents", "blockedDate"),
    ],
)
def test_a_cloudpbx_that_does_not_work(record: dict[str, Any], sentence: str, effect: str, field: str) -> None:
    assert found(**record) == [(sentence, effect, field)]


@pytest.mark.parametrize(
    ("settings", "sentence", "field"),
    [
        ({"externalTrunkId": None}, "Only internal calls: no trunk is linked.", "externalTrunkId"),
        (
            {"externalTrunkAdditionalInfo": {"status": "inactive"}},
            "Its trunk is inactive.",
            "externalTrunkAdditionalInfo",
        ),
        ({"numberingPlan": []}, "No internal numbers: the numbering plan is empty.", "numberingPlan"),
    ],
)
def test_a_cloudpbx_that_lacks_something(settings: dict[str, Any], sentence: str, field: str) -> None:
    assert found(settings) == [(sentence, "limits", field)]


def test_ddi_numbers_are_missing_or_none_is_the_default() -> None:
    none = ("No calls from outside: it has no DDI numbers.", "limits", "installationNumber")
    assert found({"installationNumber": None}, 0) == [none]
    assert found({"installationNumber": None}, 5) == [("No default DDI number is set.", "notes", "installationNumber")]
    # As long as they are not counted, none is missing.
    assert found(ddis=None) == []
