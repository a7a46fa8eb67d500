"""Spans of days: what is typed, what lies before, which period suits them, and when they begin in a time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from svc_tui.workspace.metrics.spans import RULES, Span, problem_of, read, today, usual, zones


@pytest.mark.parametrize(
    ("typed", "first", "until"),
    [
        ("2026", date(2026, 1, 1), date(2027, 1, 1)),
        ("2026-02", date(2026, 2, 1), date(2026, 3, 1)),
        ("2026-12", date(2026, 12, 1), date(2027, 1, 1)),
        ("2026-10-05", date(2026, 10, 5), date(2026, 10, 6)),
        (" 2026-10-05  2026-10-12 ", date(2026, 10, 5), date(2026, 10, 13)),
        ("2026-10-05..2026-10-12", date(2026, 10, 5), date(2026, 10, 13)),
        ("2025-12 to 2026-01", date(2025, 12, 1), date(2026, 2, 1)),
    ],
)
def test_the_last_day_that_is_named_belongs_to_it(typed: str, first: date, until: date) -> None:
    assert read(typed) == Span(first, until)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "Type 2026, 2026-10"),
        ("soon", "soon is no date"),
        ("2026-13", "no 2026-13 in the calendar"),
        ("2026-02-30", "no 2026-02-30 in the calendar"),
        ("9999", "no 9999 in the calendar"),
        ("0000", "no 0000 in the calendar"),
        ("1969-12", "no 1969-12 in the calendar"),
        ("2026-10 2026-09", "ends before it begins"),
        ("2020 2026", "longer than 3 years"),
        ("1 2 3", "Type 2026"),
        ("2026-10-05T10:00", "is no date"),
    ],
)
def test_what_is_no_span_is_said_in_a_sentence(typed: str, why: str) -> None:
    assert why in problem_of(typed)
    with pytest.raises(ValueError, match=r".*\.$"):
        read(typed)


def test_before_whole_months_lie_as_many_months_before_days_as_many_days() -> None:
    assert read("2026-03").before() == Span(date(2026, 2, 1), date(2026, 3, 1))
    assert read("2026-01 2026-03").before() == Span(date(2025, 10, 1), date(2026, 1, 1))
    assert read("2026-10-05 2026-10-11").before() == read("2026-09-28 2026-10-04")
    assert read("2024-02-29").year_before() == Span(date(2023, 2, 28), date(2023, 3, 1))
    assert read("2026-10").year_before() == read("2025-10")


def test_the_same_weekdays_lie_whole_weeks_before() -> None:
    span = read("2026-10-05 2026-11-03")
    found = span.same_weekdays()
    assert (found.days, span.weeks, found.first) == (span.days, 5, date(2026, 8, 31))
    assert found.until <= span.first and found.first.weekday() == span.first.weekday()
    week = read("2026-10-05 2026-10-11")
    assert week.same_weekdays() == week.before()
    assert read("2026-10-05").same_weekdays() == read("2026-09-28")


def test_a_span_is_called_by_its_month_or_its_first_and_last_day() -> None:
    said = [
        str(read(text)) for text in ("2026", "2026-10", "2026-10-05", "2026-10-05 2026-10-12", "2025-12-30 2026-01-02")
    ]
    assert said == ["2026", "2026-10", "2026-10-05", "2026-10-05 – 10-12", "2025-12-30 – 2026-01-02"]


def test_the_period_follows_the_span_by_the_rules_of_both_sides() -> None:
    assert RULES == "by hour up to 7 days, by day up to 3 months, by month up to 3 years"
    assert [read(text).suited("hour") for text in ("2026-10-05", "2026-10", "2026")] == ["hour", "day", "month"]
    assert read("2026-10-05").suited("month") == "month"
    assert "most for the period hour; ask for day" in read("2026-10").problem("hour")
    assert read("2026-10").problem("day") == ""


def test_days_begin_in_their_time_zone_also_where_the_clocks_are_changed() -> None:
    first, last = read("2026-03").moments("Europe/Paris")
    assert (first, last) == (datetime(2026, 2, 28, 23, tzinfo=UTC), datetime(2026, 3, 31, 22, tzinfo=UTC))
    assert today("Asia/Tokyo", datetime(2026, 11, 20, 20, tzinfo=UTC)) == date(2026, 11, 21)
    assert zones()[0] == "UTC" and "Europe/Paris" in zones()


def test_what_people_ask_for_most_is_proposed_up_to_this_day() -> None:
    found = {span.name: str(span) for span in usual(date(2026, 3, 31))}
    assert found["today"] == "2026-03-31" and found["last 7 days"] == "2026-03-25 – 03-31"
    assert found["last month"] == "2026-02" and found["the month before last"] == "2026-01"
    assert found["last 3 months"] == "2025-12-01 – 2026-02-28"
    assert all(span.problem("month") == "" for span in usual(date(2026, 3, 31)))


def test_what_is_compared_moves_with_the_span() -> None:
    october, march = read("2026-10"), read("2026-03")
    assert march.as_far_from(october, october.before()) == march.before()
    assert march.as_far_from(october, october.year_before()) == march.year_before()
    assert march.as_far_from(october, october.same_weekdays()) == march.same_weekdays()
    assert march.as_far_from(october, read("2020")) is None
