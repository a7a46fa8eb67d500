"""How long recordings are kept (8): foreseen in the console exactly as the server carries it out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.voice.retention import kept_since, kept_until

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
def test_two_months_where_the_company_says_nothing(date: str, until: str) -> None:
    assert kept_until(_utc(date), None) == _utc(until)


@pytest.mark.parametrize("days", [60, 365])
def test_the_companys_own_days(days: int) -> None:
    assert kept_until(_utc("2026-09-20T10:00"), days) == _utc("2026-09-20T10:00") + timedelta(days=days)


@given(MOMENTS, MOMENTS, DAYS)
def test_what_is_foreseen_is_what_is_carried_out(date: datetime, now: datetime, days: int | None) -> None:
    if date < kept_since(now, days):
        assert kept_until(date, days) <= now
    if kept_until(date, days) < now:
        assert date < kept_since(now, days)


@given(MOMENTS, st.timedeltas(timedelta(0), timedelta(days=5)), DAYS)
def test_a_later_recording_is_never_due_before_an_earlier_one(date: datetime, by: timedelta, days: int | None) -> None:
    assert kept_until(date, days) <= kept_until(date + by, days)
    assert kept_since(date, days) <= kept_since(date + by, days)


@given(MOMENTS)
def test_two_months_are_between_59_and_62_days(date: datetime) -> None:
    assert timedelta(days=59) <= kept_until(date, None) - date <= timedelta(days=62)


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
