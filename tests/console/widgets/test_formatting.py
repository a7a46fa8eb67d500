"""Values as text."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest

from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.widgets.formatting import NOTHING, read_at, written


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, NOTHING),
        ("", NOTHING),
        ([], NOTHING),
        (True, "yes"),
        (False, "no"),
        (3, "3"),
        (2.50, "2.5"),
        (1234567.89, "1234567.89"),
        (["a", "b"], "a, b"),
        ({"mfaType": "totp", "on": True}, "mfaType totp · on yes"),
        ([{"id": "1"}, {"id": "2"}], "id 1 ; id 2"),
    ],
)
def test_values_are_written_in_words(value: object, said: str) -> None:
    assert written(value) == said


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles", "UTC"])
def test_the_ends_of_the_calendar_are_written_in_every_time_zone(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert written("9999-12-31T23:59:59.999Z").startswith("9999-12-31")
        assert written("0001-01-01T00:00:00.000Z")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_hostile_text_is_shown_as_marks_wherever_it_stands() -> None:
    for value in ("\x1b[2J", ["\x1b[2J"], {"\x1b[2J": "\x1b[2J"}):
        assert "\x1b" not in written(value)


def test_the_time_of_reading_is_a_time_because_an_age_would_change() -> None:
    now = datetime(2026, 11, 20, 12, 30).astimezone()
    times = [read_at(now - timedelta(seconds=seconds), now) for seconds in (1, 40, 240, 7200, 200_000)]
    assert times == ["", "", "read at 12:26", "read at 10:30", "read on 2026-11-18"]
    assert read_at(None) == ""


def test_a_preview_shows_old_and_new_but_no_secret() -> None:
    changes = field_changes("update_application", {"name": "a"}, {"name": "b", "origin": "x"})
    assert [(item.label, item.old, item.new) for item in changes] == [("Name", "a", "b"), ("Origin", NOTHING, "x")]
    change = Change("Create", "create_application", {}, {"name": "a", "appSecret": "hunter2"})
    assert change.request().startswith("POST /api/svc/applications/v1.0/applications\n")
    assert "hunter2" not in change.request()
