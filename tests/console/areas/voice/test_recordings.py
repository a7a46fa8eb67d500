"""Until when a recording is kept, in words; whose recordings have to be named before they are asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from svc_tui.console.areas.voice.recording_actions import retention_text, rule_of
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.access import Caller, Role

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("date", "days", "until", "left"),
    [
        ("2026-10-01T08:00:00.000Z", None, "2026-12-01T08:00:00+00:00", "10 days left"),
        ("2026-10-01T08:00:00.000Z", 60, "2026-11-30T08:00:00+00:00", "9 days left"),
        ("2026-09-22T12:00:00.000Z", 60, "2026-11-21T12:00:00+00:00", "1 day left"),
        ("2026-09-21T18:00:00.000Z", 60, "2026-11-20T18:00:00+00:00", "within a day"),
        ("2026-09-20T12:00:00.000Z", None, "2026-11-20T12:00:00+00:00", "due now"),
    ],
)
def test_the_deletion_date_of_a_recording_is_shown_in_advance(
    date: str, days: int | None, until: str, left: str
) -> None:
    assert retention_text({"date": date}, days, NOW) == f"{written(date)}, kept until {written(until)}, {left}"


def test_the_retention_of_the_company_is_shown_and_a_default_is_marked_as_such() -> None:
    assert rule_of({"cloudPbxRecordingRetention": 90}) == (90, "The company keeps recordings for 90 days.")
    days, said = rule_of({"cloudPbxRecordingRetention": 60})
    assert (days, "or for 2 months" in said) == (60, True)
    days, said = rule_of({})
    assert (days, "for 2 months" in said) == (None, True)


def test_a_garbled_recording_has_no_retention() -> None:
    for date in ("soon", None, "9999-12-31T23:59:59.999Z"):
        assert retention_text({"date": date}, 60, NOW) == retention_text({"date": date}, None, NOW) == ""
    assert retention_text({}, 60, NOW) == ""


def test_only_roles_with_access_to_every_company_must_select_some_first() -> None:
    awaits = BY_NAME["allrecordings"].awaits
    superadmin = Caller("", frozenset({Role.SUPERADMIN}))
    assert "first" in awaits(superadmin, {"otherNumber": "1"})
    for parameter in ("companyIds", "systemIds", "siteIds"):
        assert awaits(superadmin, {parameter: "a"}) == ""
    assert awaits(Caller("", frozenset({Role.ORGANIZATION_ADMIN})), {}) == ""
    assert awaits(None, {}) == ""
