"""Terms in whole months: their days come back, and parts of a month are counted exactly."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.dates import last_day_of, months_after, months_between, returning_day

DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))


@pytest.mark.parametrize(
    ("starts", "last", "months"),
    [
        # Twelve months from the first of a month end with a month, whose number is one less.
        (date(2027, 1, 1), date(2027, 12, 31), 12),
        (date(2026, 12, 1), date(2027, 2, 28), 3),
        (date(2026, 11, 20), date(2027, 11, 19), 12),
        (date(2026, 11, 20), date(2026, 11, 20), Fraction(1, 30)),
        (date(2027, 1, 1), date(2027, 2, 14), Fraction(3, 2)),
        (date(2026, 11, 20), date(2026, 11, 19), 0),
        (date(2026, 11, 20), date(2025, 1, 1), 0),
    ],
)
def test_the_last_day_of_a_contract_counts(starts: date, last: date, months: Fraction) -> None:
    assert months_between(starts, last) == months


@given(DAYS, st.integers(3, 60), st.integers(1, 6))
def test_terms_follow_each_other_and_their_day_comes_back(first: date, months: int, terms: int) -> None:
    starts = first
    for each in range(1, terms + 1):
        anchor = returning_day(first, starts)
        last = last_day_of(starts, months, anchor)
        assert months_between(starts, last, anchor) == months
        starts = last + timedelta(days=1)
        assert starts == months_after(first, months * each), "counted from the first start"
