"""Values as text."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

import pytest

from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.widgets import formatting
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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2026-11-22T11:59:30Z", "just now"),
        ("2026-11-22T11:59:00Z", "1 minute ago"),
        ("2026-11-22T09:00:00Z", "3 hours ago"),
        ("2026-11-19T12:00:00Z", "3 days ago"),
        ("2026-09-20T12:00:00Z", "2 months ago"),
        ("2024-11-20T12:00:00Z", "2 years ago"),
        ("2026-12-24T12:00:00Z", "2026-12-24"),
        (None, "—"),
        ("soon", "soon"),
    ],
)
def test_an_age_is_in_words(value: object, text: str) -> None:
    assert formatting.age(value, now=datetime(2026, 11, 22, 12, tzinfo=UTC)) == text


@pytest.mark.parametrize(
    ("part", "whole", "bar"),
    [(0, 10, "·····"), (1, 1000, "━····"), (999, 1000, "━━━━·"), (5, 5, "━━━━━"), (9, 5, "━━━━━"), (0, 0, "·····")],
)
def test_a_bar_is_full_only_when_nothing_is_left_and_empty_only_when_nothing_is_used(
    part: int, whole: int, bar: str
) -> None:
    assert formatting.share(part, whole, 5) == bar


@pytest.mark.parametrize(
    ("day", "text"),
    [("2026-11-22", "today"), ("2026-11-23T00:00:00Z", "tomorrow"), ("2026-12-17", "in 25 days"), ("2026-11-01", "")],
)
def test_how_long_it_is_to_a_day(day: str, text: str) -> None:
    assert formatting.until(day, date(2026, 11, 22)) == text
