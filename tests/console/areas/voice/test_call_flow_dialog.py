"""The picture of where calls to a welcome service go: both ways, the one in force, and what comes next."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.console.areas.voice.call_flow_dialog import picture

NINE_TO_FIVE: dict[str, Any] = {"openhours": [[], *[[["09:00", "17:00"]]] * 5, []]}
#: A Friday; in Lisbon it is as late as in UTC then.
FRIDAY = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
SERVICE: dict[str, Any] = {
    "name": "Reception",
    "timezone": "Europe/Lisbon",
    "companyCalendarName": "Office",
    "welcomeName": "Northwind greets",
    "externalNumber": "+351210990000",
    "openHoursOverflow": {"type": "user", "userDisplayName": "Clara Novak"},
    "closedHoursOverflow": {"type": "number", "number": "+351213456700"},
}


def test_the_current_way_is_marked_and_the_next_changes_are_listed() -> None:
    lines = picture(SERVICE, NINE_TO_FIVE, FRIDAY)
    assert lines[0] == "Calls to +351 21 099 0000"
    assert "Reception: Open by the office hours Office" in lines
    assert "  │  open until Fri 2026-11-20 17:00" in lines
    assert "  │  hears Northwind greets" in lines
    assert "  ├━━ open   ━━━▸ To Clara Novak  ◂ current" in lines
    assert "  └┄┄ closed ┄┄┄  To the number +351213456700" in lines
    assert [line for line in lines if line.startswith("Then")] == [
        "Then Fri 2026-11-20 17:00  closed  To the number +351213456700",
        "Then Mon 2026-11-23 09:00  open    To Clara Novak",
        "Then Mon 2026-11-23 17:00  closed  To the number +351213456700",
    ]


def test_without_office_hours_a_service_is_open_permanently() -> None:
    lines = picture({"name": "Sales"}, None, FRIDAY)
    assert lines[0] == "Calls to the service (no number of its own)"
    assert "Sales: Open by default, without office hours" in lines
    assert "  │  open permanently" in lines
    assert not [line for line in lines if line.startswith("Then") or "▲" in line]


def test_an_unknown_time_zone_is_named_and_no_way_is_current() -> None:
    lines = picture({**SERVICE, "timezone": "Mars/Base"}, NINE_TO_FIVE, FRIDAY)
    assert "  │  Fri 2026-11-20 10:00, UTC; the time zone Mars/Base is unknown on this machine" in lines
    assert "Reception: Open or closed is unknown: this machine does not know its time zone" in lines
    assert not [line for line in lines if "current" in line or "▲" in line or line.startswith("Then")]
    by_hand = {"timezone": "Mars/Base", "manualMode": {"mode": "closed", "endDate": "2026-11-20T12:00:00Z"}}
    lines = picture({**SERVICE, **by_hand}, NINE_TO_FIVE, FRIDAY)
    assert "  │  closed until Fri 2026-11-20 12:00" in lines
    assert lines[-1].startswith("Fri 2026-11-20 12:00  Open or closed is unknown")


def test_a_manual_mode_ends_at_its_end_time() -> None:
    closed = {**SERVICE, "manualMode": {"mode": "closed", "endDate": "2026-11-20T12:00:00Z"}}
    lines = picture(closed, NINE_TO_FIVE, FRIDAY)
    assert "Reception: Closed by hand" in lines
    assert "  │  closed until Fri 2026-11-20 12:00" in lines
    assert "  └━━ closed ━━━▸ To the number +351213456700  ◂ current" in lines


def test_overflows_that_refer_to_each_other_are_shown() -> None:
    each_other = {"openHoursOverflow": {"type": "closed_hours"}, "closedHoursOverflow": {"type": "office_hours"}}
    lines = picture({**SERVICE, **each_other}, NINE_TO_FIVE, FRIDAY)
    assert any("Both overflows refer to each other: the call ends" in line for line in lines)


def test_a_loop_over_the_number_of_another_service_is_drawn() -> None:
    night = {
        "id": "night",
        "name": "Night",
        "externalNumber": "+351213456700",
        "closedHoursOverflow": {"type": "number", "number": "+351210990000"},
    }
    lines = picture(SERVICE, NINE_TO_FIVE, FRIDAY, [night])
    below = " " * 18
    assert lines[lines.index("  └┄┄ closed ┄┄┄  To the number +351213456700") + 1 :][:2] == [
        f"{below}▸ The welcome service Night answers",
        f"{below}▸ A loop, the call never ends: Reception ▸ Night ▸ Reception",
    ]


@pytest.mark.parametrize("odd", [0, True, "x", [None], {"a": 1}, [[]]])
def test_malformed_values_are_drawn_as_far_as_possible(odd: Any) -> None:
    assert picture({**SERVICE, "secondaryDDIs": odd, "timezone": odd, "manualMode": odd}, odd, FRIDAY)
    assert picture({**SERVICE, "openHoursOverflow": odd, "name": odd}, {"openhours": odd, "exceptions": odd}, FRIDAY)
