"""Retention of recordings (8): the console shows exactly the expiry that the server applies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.voice.moments import expiry_of, retained_since

MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))
DAYS = st.none() | st.integers(60, 365)


@pytest.mark.parametrize(
    ("date", "until"),
    [
        ("2026-09-20T10:00", "2026-11-20T10:00"),
        ("2026-11-30T10:00", "2027-01-30T10:00"),
        ("2026-12-28T10:00", "2027-02-28T10:00"),
        ("2026-12-29T10:00", "2027-03-01T00:00"),
        ("2026-12-31T10:00", "2027-03-01T00:00"),
        ("2027-12-29T10:00", "2028-02-29T10:00"),
    ],
)
def test_the_default_retention_is_two_months(date: str, until: str) -> None:
    assert expiry_of(_utc(date), None) == _utc(until)


@pytest.mark.parametrize("days", [60, 365])
def test_the_retention_of_a_company(days: int) -> None:
    assert expiry_of(_utc("2026-09-20T10:00"), days) == _utc("2026-09-20T10:00") + timedelta(days=days)


@given(MOMENTS, MOMENTS, DAYS)
def test_the_expiry_and_the_retained_range_agree(date: datetime, now: datetime, days: int | None) -> None:
    if date < retained_since(now, days):
        assert expiry_of(date, days) <= now
    if expiry_of(date, days) < now:
        assert date < retained_since(now, days)


@given(MOMENTS, st.timedeltas(timedelta(0), timedelta(days=5)), DAYS)
def test_a_later_recording_never_expires_before_an_earlier_one(date: datetime, by: timedelta, days: int | None) -> None:
    assert expiry_of(date, days) <= expiry_of(date + by, days)
    assert retained_since(date, days) <= retained_since(date + by, days)


@given(MOMENTS)
def test_two_months_are_between_59_and_62_days(date: datetime) -> None:
    assert timedelta(days=59) <= expiry_of(date, None) - date <= timedelta(days=62)


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
