"""Office hours as text: read, listed, edited, and sent complete with unchanged days as stored."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.problems import problem_of
from svc_tui.interface.voice import week
from svc_tui.interface.voice.hours import DAY
from svc_tui.interface.voice.office_hours import OfficeHoursUpdate
from svc_tui.interface.voice.week import (
    WeekEdit,
    exception_text,
    hours_by_day,
    periods_text,
    read_exceptions,
    read_periods,
    short_periods_text,
    spans,
    with_exceptions,
)

OFFICE: dict[str, Any] = {
    "openhours": [[], *[[["09:00", "13:00"], ["14:00", "18:00"]]] * 4, [["09:00", "13:00"], ["14:00", "16:30"]], []],
    "exceptions": [{"month": 12, "mday": 25, "open": False}],
}
FRIDAY = 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("09:00-12:30, 13:30-18:00", "09:00-12:30, 13:30-18:00"),
        ("9-12;1330 to 18", "09:00-12:00, 13:30-18:00"),
        ("900–1230", "09:00-12:30"),
        ("14:00-18:00, 09:00-15:00", "09:00-18:00"),
        ("closed", "closed"),
        ("", "closed"),
        ("Open", "all day"),
        ("00:00-24:00", "all day"),
        ("8.15-12, 18.30-24.00", "08:15-12:00, 18:30-24:00"),
    ],
)
def test_periods_are_read_in_usual_notations(text: str, expected: str) -> None:
    assert periods_text(read_periods(text)) == expected
    assert read_periods(expected) == read_periods(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("09:00-12:30, 13:30-18:00", "9-12:30 13:30-18"),
        ("00:00-06:00, 23:45-24:00", "0-6 23:45-24"),
        ("closed", "closed"),
        ("all day", "all day"),
    ],
)
def test_short_text_of_periods(text: str, expected: str) -> None:
    assert short_periods_text(read_periods(text)) == expected


@pytest.mark.parametrize("text", ["nine", "09:00", "18:00-09:00", "09:00-09:00", "09:00-24:30", "09:60-12:00", "25-26"])
def test_an_invalid_period_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        read_periods(text)


@pytest.mark.parametrize(
    ("text", "exception"),
    [
        ("12-25 closed", {"month": 12, "mday": 25, "open": False}),
        ("2026-04-25 closed", {"year": 2026, "month": 4, "mday": 25, "open": False}),
        ("12-24 open 09:00-12:00", {"month": 12, "mday": 24, "open": True, "periods": [["09:00", "12:00"]]}),
        ("02-29 closed 12:00-24:00", {"month": 2, "mday": 29, "open": False, "periods": [["12:00", "24:00"]]}),
        ("5-1 Open", {"month": 5, "mday": 1, "open": True}),
    ],
)
def test_exceptions_are_read(text: str, exception: dict[str, object]) -> None:
    assert read_exceptions(text) == [exception]
    assert read_exceptions(exception_text([exception])) == [exception]


@pytest.mark.parametrize(
    "text",
    [
        "Christmas",
        "12-25",
        "13-01 closed",
        "2026-02-29 closed",
        "1999-01-01 closed",
        "12-24..2027-01-02 closed",
        "2026-12-24..2026-12-01 closed",
        "2026-12-24..2028-01-02 closed",
        "2026-02-01..02-29 closed",
    ],
)
def test_an_invalid_exception_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_exceptions(text)


@pytest.mark.parametrize(
    ("text", "days", "shown"),
    [
        ("12-24..01-02 closed", ["12-24", "12-31", "01-01", "01-02"], "12-24..01-02 closed"),
        ("12-24 to 12-26 open 9-12", ["12-24", "12-25", "12-26"], "12-24..12-26 open 09:00-12:00"),
        ("2026-12-24 – 01-02 closed", ["2026-12-24", "2026-12-31", "2027-01-01"], "2026-12-24..2027-01-02 closed"),
        ("2026-12-31..2027-01-01 closed", ["2026-12-31", "2027-01-01"], "2026-12-31..2027-01-01 closed"),
        ("02-28..03-01 closed", ["02-28", "02-29", "03-01"], "02-28..03-01 closed"),
        ("12-25..12-25 closed", ["12-25"], "12-25 closed"),
    ],
)
def test_exceptions_over_several_days_are_one_entry(text: str, days: list[str], shown: str) -> None:
    read = read_exceptions(text)
    assert {week.day_text(each) for each in read} >= set(days)
    (span,) = spans(read[::-1])
    assert exception_text(span) == shown
    edited = WeekEdit({"exceptions": [{"month": 6, "mday": 10, "open": False}]})
    edited.exceptions.append(span)
    # The service has one exception for each day.
    stored = edited.value()
    assert len(stored["exceptions"]) == len(read) + 1
    assert not problem_of(OfficeHoursUpdate, "officehours", {"openhours": [[]] * 7, **stored})
    assert shown in [exception_text(each) for each in WeekEdit(stored).exceptions]
    assert not WeekEdit(stored).changed
    assert list(hours_by_day(stored).values()).count(shown.partition(" ")[2]) >= 1


def test_days_with_other_hours_or_a_gap_are_entries_of_their_own() -> None:
    texts = ["12-23 closed", "12-24 open 09:00-12:00", "12-25..12-26 closed", "12-28 closed", "2026-12-29 closed"]
    entries = [each for text in texts for each in read_exceptions(text)]
    assert [exception_text(span) for span in spans(entries)] == texts


def test_only_edited_days_change_and_all_days_are_sent() -> None:
    week = WeekEdit(OFFICE)
    assert not week.changed
    assert week.value() == OFFICE
    week.set(FRIDAY, read_periods("9-15"))
    assert week.value() == {**OFFICE, "openhours": [*OFFICE["openhours"][:5], [["09:00", "15:00"]], []]}
    assert not problem_of(OfficeHoursUpdate, "officehours", week.value())


def test_half_hours_are_opened_and_closed_and_the_rest_keeps_its_minutes() -> None:
    week = WeekEdit({"openhours": [[["08:45", "12:10"]]] * 7})
    week.paint(1, 10 * 60, 10 * 60 + 30, open=False)
    assert periods_text(week.periods(1)) == "08:45-10:00, 10:30-12:10"
    week.paint(1, 12 * 60, 12 * 60 + 30, open=True)
    assert periods_text(week.periods(1)) == "08:45-10:00, 10:30-12:30"
    assert periods_text(week.periods(2)) == "08:45-12:10"


def test_hours_without_a_week_are_open_and_stay_so_until_a_day_is_changed() -> None:
    week = WeekEdit({"exceptions": []})
    assert {periods_text(week.periods(index)) for index in range(7)} == {"all day"}
    assert week.value() == {"exceptions": []}
    week.set(0, [])
    assert week.value()["openhours"][0] == []
    assert week.value()["openhours"][1] == [["00:00", "24:00"]]


def test_hours_by_day() -> None:
    expected = hours_by_day(OFFICE)
    assert (expected["Friday"], expected["Sunday"], expected["12-25"]) == (
        "09:00-13:00, 14:00-16:30",
        "closed",
        "closed",
    )
    assert hours_by_day(None) == {}


@pytest.mark.parametrize(
    "garbled", [{"openhours": "x"}, {"openhours": [1, None, [["a"]]]}, {"exceptions": [{}, 1, None]}]
)
def test_invalid_hours_are_listed_too(garbled: dict[str, Any]) -> None:
    assert isinstance(hours_by_day(garbled), dict)
    assert not WeekEdit(garbled).changed


@pytest.mark.parametrize(
    "odd", [None, "x", 5, ["a"], {"openhours": "x", "exceptions": 5}, {"openhours": [None, 3, ["a"]]}]
)
def test_invalid_hours_can_be_edited(odd: Any) -> None:
    week = WeekEdit(odd)
    assert [week.periods(index) for index in range(7)]
    assert week.value() == (odd if isinstance(odd, dict) else {})


def test_a_whole_day_is_read_as_it_is_shown_in_another_language_and_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(week, "ALL_DAY", "ganzer Tag")
    shown = week.periods_text([(0, DAY)])
    assert week.read_periods(shown) == week.read_periods("all day") == [(0, DAY)]


def test_exceptions_of_other_hours_replace_those_of_the_same_day_and_leave_the_rest() -> None:
    christmas = {"month": 12, "mday": 25, "open": False}
    once = {"year": 2026, "month": 12, "mday": 25, "open": True, "periods": [["09:00", "12:00"]]}
    shorter = {"month": 12, "mday": 25, "open": True, "periods": [["10:00", "11:00"]]}
    assert with_exceptions([christmas, once], [shorter]) == [shorter, once]
    assert with_exceptions([], [christmas]) == [christmas]
    assert with_exceptions([christmas], [christmas]) == [christmas]
