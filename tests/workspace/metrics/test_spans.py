"""Spans of days: parsing, earlier spans, possible periods, and time zones."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from svc_tui import language
from svc_tui.workspace.metrics.spans import RULES, Span, common_spans, parse_span, problem_of, today, zones


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
def test_the_last_day_is_part_of_the_span(typed: str, first: date, until: date) -> None:
    assert parse_span(typed) == Span(first, until)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "Type 2026, 2026-10"),
        ("soon", "soon is not a date"),
        ("2026-13", "2026-13 is not a valid date"),
        ("2026-02-30", "2026-02-30 is not a valid date"),
        ("9999", "9999 is not a valid date"),
        ("0000", "0000 is not a valid date"),
        ("1969-12", "1969-12 is not a valid date"),
        ("2026-10 2026-09", "end is before the start"),
        ("2020 2026", "longer than 3 years"),
        ("1 2 3", "Type 2026"),
        ("2026-10-05T10:00", "is not a date"),
    ],
)
def test_an_invalid_span_is_reported_in_a_sentence(typed: str, why: str) -> None:
    assert why in problem_of(typed)
    with pytest.raises(ValueError, match=r".*\.$"):
        parse_span(typed)


def test_the_span_before_has_as_many_months_or_as_many_days() -> None:
    assert parse_span("2026-03").before() == Span(date(2026, 2, 1), date(2026, 3, 1))
    assert parse_span("2026-01 2026-03").before() == Span(date(2025, 10, 1), date(2026, 1, 1))
    assert parse_span("2026-10-05 2026-10-11").before() == parse_span("2026-09-28 2026-10-04")
    assert parse_span("2024-02-29").year_before() == Span(date(2023, 2, 28), date(2023, 3, 1))
    assert parse_span("2026-10").year_before() == parse_span("2025-10")


def test_the_same_weekdays_are_whole_weeks_earlier() -> None:
    span = parse_span("2026-10-05 2026-11-03")
    found = span.same_weekdays()
    assert (found.days, span.weeks, found.first) == (span.days, 5, date(2026, 8, 31))
    assert found.until <= span.first and found.first.weekday() == span.first.weekday()
    week = parse_span("2026-10-05 2026-10-11")
    assert week.same_weekdays() == week.before()
    assert parse_span("2026-10-05").same_weekdays() == parse_span("2026-09-28")


def test_a_span_is_named_by_its_month_or_its_first_and_last_day() -> None:
    expected = [
        str(parse_span(text))
        for text in ("2026", "2026-10", "2026-10-05", "2026-10-05 2026-10-12", "2025-12-30 2026-01-02")
    ]
    assert expected == ["2026", "2026-10", "2026-10-05", "2026-10-05 – 10-12", "2025-12-30 – 2026-01-02"]


def test_the_possible_period_follows_the_declared_rules() -> None:
    assert RULES == "by hour up to 7 days, by day up to 3 months, by month up to 3 years"
    assert [parse_span(text).possible_period("hour") for text in ("2026-10-05", "2026-10", "2026")] == [
        "hour",
        "day",
        "month",
    ]
    assert parse_span("2026-10-05").possible_period("month") == "month"
    assert parse_span("2026-10").problem("hour") == "is longer than 7 days, the limit for period hour; use day"
    assert parse_span("2026-10").problem("day") == ""


def test_days_start_in_their_time_zone_also_when_the_clocks_change() -> None:
    first, last = parse_span("2026-03").moments("Europe/Paris")
    assert (first, last) == (datetime(2026, 2, 28, 23, tzinfo=UTC), datetime(2026, 3, 31, 22, tzinfo=UTC))
    assert today("Asia/Tokyo", datetime(2026, 11, 20, 20, tzinfo=UTC)) == date(2026, 11, 21)
    assert zones()[0] == "UTC" and "Europe/Paris" in zones()


def test_common_spans_end_with_the_current_day() -> None:
    found = {span.name: str(span) for span in common_spans(date(2026, 3, 31))}
    assert found["today"] == "2026-03-31" and found["last 7 days"] == "2026-03-25 – 03-31"
    assert found["last month"] == "2026-02" and found["the month before last"] == "2026-01"
    assert found["last 3 months"] == "2025-12-01 – 2026-02-28"
    assert all(span.problem("month") == "" for span in common_spans(date(2026, 3, 31)))


def test_the_compared_span_moves_with_the_span() -> None:
    october, march = parse_span("2026-10"), parse_span("2026-03")
    assert march.counterpart(october, october.before()) == march.before()
    assert march.counterpart(october, october.year_before()) == march.year_before()
    assert march.counterpart(october, october.same_weekdays()) == march.same_weekdays()
    assert march.counterpart(october, parse_span("2020")) is None


@pytest.mark.parametrize("name", ["en", "de"])
def test_a_span_is_read_as_it_is_shown(name: str) -> None:
    """What the screen shows can be typed: `2026-10-05 – 10-12`, `05.10.2026 – 12.10.2026`."""
    language.use(name)
    try:
        for text in (
            "2026",
            "2026-10",
            "2026-10-05",
            "2026-10-05 2026-10-12",
            "2025-12-30 2026-01-02",
            "2026-01 2026-03",
        ):
            span = parse_span(text)
            assert parse_span(str(span)) == span, str(span)
    finally:
        language.use("en")


@pytest.mark.parametrize(
    "typed",
    ["05.10.2026 - 12.10.2026", "5.10.2026 12.10.2026", "2026-10-05 to 2026-10-12", "2026-10-05..10-12"],
)
def test_a_span_is_typed_in_the_usual_forms(typed: str) -> None:
    assert parse_span(typed) == Span(date(2026, 10, 5), date(2026, 10, 13))


def test_a_month_with_a_point_is_a_month() -> None:
    assert parse_span("10.2026") == parse_span("2026-10")
    assert problem_of("32.10.2026") and problem_of("10/2026")
