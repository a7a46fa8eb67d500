"""Stretches of days by name, and the query for what happened in them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from svc_tui.console.areas.voice.recording_actions import PERIODS, within

FRIDAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("today", "2026-11-20", "2026-11-20"),
        ("yesterday", "2026-11-19", "2026-11-19"),
        ("this week", "2026-11-16", "2026-11-22"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("last 7 days", "2026-11-14", "2026-11-20"),
        ("this month", "2026-11-01", "2026-11-30"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("last 30 days", "2026-10-22", "2026-11-20"),
    ],
)
def test_days_are_shown_with_their_names(name: str, first: str, last: str) -> None:
    assert tuple(map(str, PERIODS[name](FRIDAY))) == (first, last)


def test_months_end_on_their_last_day() -> None:
    assert PERIODS["last month"](date(2027, 3, 31))[1] == date(2027, 2, 28)
    assert PERIODS["this month"](date(2028, 2, 5))[1] == date(2028, 2, 29)
    assert PERIODS["last month"](date(2027, 1, 1)) == (date(2026, 12, 1), date(2026, 12, 31))


def test_spans_of_days_are_complete_and_adjacent() -> None:
    one, next = within(FRIDAY, FRIDAY), within(FRIDAY + timedelta(days=1), FRIDAY + timedelta(days=1))
    start, end, after = (_moment(each) for each in (one["fromDate"], one["toDate"], next["fromDate"]))
    assert start.astimezone().date() == end.astimezone().date() == FRIDAY
    assert end + timedelta(milliseconds=1) == after


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
