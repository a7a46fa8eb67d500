"""Licences that are suspended (2.10)."""

from __future__ import annotations

import pytest

from svc_tui.interface.subscriptions.descriptions import licence_findings


@pytest.mark.parametrize(("status", "words"), [("hold", "on hold"), ("terminated", "terminated")])
def test_a_suspended_licence_is_found_by_its_name(status: str, words: str) -> None:
    [finding] = licence_findings(
        [{"offerName": "Voice Line", "status": status}, {"offerName": "B", "status": "active"}]
    )
    assert finding.sentence == f"Suspended: Voice Line is {words}."
    assert (finding.kind, finding.field, finding.rule) == ("licences", "status", "2.10")


def test_a_licence_that_needs_attention_still_works() -> None:
    assert not list(licence_findings([{"status": "alerting"}, {"status": "active"}, {}]))
