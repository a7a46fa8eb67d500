"""Opening hours of a welcome service: the state, the next change, and the route of a call (2.17)."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from svc_tui.interface.voice.call_route import loop_of, route
from svc_tui.interface.voice.hours import (
    DAY,
    OpeningReason,
    Schedule,
    UnknownZone,
    clock_time,
    joined,
    minutes,
    periods_on,
    without,
    zone_of,
)
from svc_tui.interface.voice.office_hours import Hours

WORK = [["08:30", "12:00"], ["13:00", "17:30"]]
#: From Sunday: five working days, closed on Saturday and Sunday.
OFFICE: dict[str, Any] = {"openhours": [[], WORK, WORK, WORK, WORK, [["08:30", "12:00"]], []]}
LISBON = ZoneInfo("Europe/Lisbon")


def lisbon(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=LISBON)


def schedule(exceptions: list[dict[str, Any]] | None = None, manual: dict[str, Any] | None = None) -> Schedule:
    return Schedule({**OFFICE, "exceptions": exceptions or []}, "Europe/Lisbon", manual)


@pytest.mark.parametrize(
    ("at", "open", "until"),
    [
        # 20 November 2026 is a Friday.
        ("2026-11-19 08:29", False, "2026-11-19 08:30"),
        ("2026-11-19 08:30", True, "2026-11-19 12:00"),
        ("2026-11-19 12:00", False, "2026-11-19 13:00"),
        ("2026-11-19 17:29", True, "2026-11-19 17:30"),
        ("2026-11-20 12:00", False, "2026-11-23 08:30"),
        ("2026-11-22 00:00", False, "2026-11-23 08:30"),
    ],
)
def test_office_hours_of_a_week(at: str, open: bool, until: str) -> None:
    state = schedule().at(lisbon(at))
    assert (state.open, state.because, state.until) == (open, OpeningReason.HOURS, lisbon(until))


def test_hours_are_in_their_time_zone() -> None:
    noon = datetime(2026, 11, 19, 12, 15, tzinfo=UTC)
    assert not Schedule(OFFICE, "Europe/Lisbon").at(noon).open
    assert Schedule(OFFICE, "Europe/Berlin").at(noon).open
    assert Schedule(OFFICE, None).at(noon) == Schedule(OFFICE, "UTC").at(noon)
    assert zone_of("") is UTC


def test_time_zones_are_known_on_a_machine_without_a_database_of_them() -> None:
    program = "from svc_tui.interface.voice.hours import zone_of; print(zone_of('Europe/Lisbon'))"
    environment = {**os.environ, "PYTHONTZPATH": ""}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout == "Europe/Lisbon\n", done.stderr


@pytest.mark.parametrize("zone", ["Nowhere/At all", "../../etc/passwd", "europe/lisbon?", "Europe/Lisbon\0"])
def test_hours_in_an_unknown_time_zone_are_neither_open_nor_closed(zone: str) -> None:
    noon = datetime(2026, 11, 19, 12, 15, tzinfo=UTC)
    with pytest.raises(UnknownZone, match="is unknown on this machine"):
        zone_of(zone)
    state = Schedule(OFFICE, zone).at(noon)
    assert (state.open, state.because, state.until) == (None, OpeningReason.ZONE, None)
    # What does not depend on the hours is known.
    assert Schedule(None, zone).at(noon).open is True
    end = datetime(2026, 11, 19, 18, tzinfo=UTC)
    by_hand = Schedule(OFFICE, zone, {"mode": "closed", "endDate": end.isoformat()}).at(noon)
    assert (by_hand.open, by_hand.until) == (False, end)


@pytest.mark.parametrize(
    ("exception", "at", "open", "until"),
    [
        # Christmas of every year is closed: a Friday in 2026.
        ({"month": 12, "mday": 25, "open": False}, "2026-12-25 09:00", False, "2026-12-28 08:30"),
        ({"year": 2026, "month": 12, "mday": 25, "open": False}, "2026-12-25 09:00", False, "2026-12-28 08:30"),
        ({"year": 2025, "month": 12, "mday": 25, "open": False}, "2026-12-25 09:00", True, "2026-12-25 12:00"),
        # Closed for an hour, else as usual.
        (
            {"month": 11, "mday": 19, "open": False, "periods": [["09:00", "10:00"]]},
            "2026-11-19 08:45",
            True,
            "2026-11-19 09:00",
        ),
        # Open on a Saturday, and all day.
        (
            {"month": 11, "mday": 21, "open": True, "periods": [["10:00", "11:00"]]},
            "2026-11-20 14:00",
            False,
            "2026-11-21 10:00",
        ),
        ({"month": 11, "mday": 21, "open": True}, "2026-11-20 14:00", False, "2026-11-21 00:00"),
    ],
)
def test_exceptions(exception: dict[str, Any], at: str, open: bool, until: str) -> None:
    state = schedule([exception]).at(lisbon(at))
    assert (state.open, state.until) == (open, lisbon(until))


def test_the_exception_of_a_year_comes_before_that_of_every_year() -> None:
    exceptions = [{"month": 12, "mday": 24, "open": False}, {"year": 2026, "month": 12, "mday": 24, "open": True}]
    assert schedule(exceptions).at(lisbon("2026-12-24 20:00")).because is OpeningReason.EXCEPTION
    assert schedule(exceptions).at(lisbon("2026-12-24 20:00")).open
    assert not schedule(exceptions).at(lisbon("2027-12-24 10:00")).open


def test_a_closing_far_ahead_is_known() -> None:
    always = {"exceptions": [{"year": 2031, "month": 5, "mday": 1, "open": False}]}
    state = Schedule(always, "Europe/Lisbon").at(lisbon("2026-11-20 10:00"))
    assert (state.open, state.until) == (True, lisbon("2031-05-01 00:00"))


def test_the_manual_mode_comes_before_the_hours() -> None:
    by_hand = {"mode": "open", "startDate": "2026-11-20T13:00:00.000Z", "endDate": "2026-11-20T15:00:00Z"}
    before = schedule(manual=by_hand).at(lisbon("2026-11-20 12:30"))
    assert (before.open, before.because, before.until) == (False, OpeningReason.HOURS, lisbon("2026-11-20 13:00"))
    while_open = schedule(manual=by_hand).at(lisbon("2026-11-20 14:00"))
    assert (while_open.open, while_open.because) == (True, OpeningReason.HAND)
    assert (while_open.until, while_open.sentence) == (lisbon("2026-11-20 15:00"), "Open by hand")
    assert not schedule(manual={"mode": "closed"}).at(lisbon("2026-11-19 09:00")).open
    assert schedule(manual={"mode": "closed"}).at(lisbon("2026-11-19 09:00")).until is None
    assert schedule(manual={"mode": "default"}).at(lisbon("2026-11-19 09:00")).because is OpeningReason.HOURS


def test_the_next_change_can_be_weeks_after_the_manual_mode() -> None:
    closed = {"openhours": [[], [], [], [["09:00", "10:00"]], [], [], []]}
    by_hand = {"mode": "closed", "endDate": "2027-03-01T00:00:00Z"}
    state = Schedule(closed, None, by_hand).at(datetime(2026, 11, 20, tzinfo=UTC))
    assert state.until == datetime(2027, 3, 3, 9, tzinfo=UTC)


def test_without_hours_it_is_always_open() -> None:
    for hours in (None, {}):
        state = Schedule(hours).at(datetime(2026, 11, 20, tzinfo=UTC))
        assert (state.open, state.because, state.until) == (True, OpeningReason.NO_HOURS, None)


@pytest.mark.parametrize(
    ("at", "until"),
    [
        # Berlin puts its clocks forward at 1:00 UTC on 28 March 2027: 2:30 does not exist, and 3:00 is when it opens.
        ("2027-03-28T00:30:00+00:00", "2027-03-28T01:00:00+00:00"),
        # And back at 1:00 UTC on 31 October 2027: 2:30 comes twice, and it opens at the first one.
        ("2027-10-31T00:00:00+00:00", "2027-10-31T00:30:00+00:00"),
    ],
)
def test_on_the_days_when_clocks_change(at: str, until: str) -> None:
    nightly = {"openhours": [[["02:30", "04:00"]], [], [], [], [], [], []]}
    state = Schedule(nightly, "Europe/Berlin").at(datetime.fromisoformat(at))
    assert (state.open, state.until) == (False, datetime.fromisoformat(until))


def test_a_period_in_a_repeated_hour_opens_twice() -> None:
    schedule = Schedule({"openhours": [[["02:07", "02:21"]], [], [], [], [], [], []]}, "Europe/Berlin")
    moment = datetime.fromisoformat("2027-10-31T00:00:00+00:00")
    changes = []
    for _ in range(4):
        state = schedule.at(moment)
        assert state.until is not None
        moment = state.until
        changes.append((state.open, f"{moment:%H:%M}"))
    assert changes == [(False, "00:07"), (True, "00:21"), (False, "01:07"), (True, "01:21")]


TIMES = st.integers(0, DAY)
PERIODS = st.lists(st.tuples(TIMES, TIMES), max_size=3).map(
    lambda each: [[clock_time(start), clock_time(end)] for start, end in joined(each)]
)
DAYS = st.dates(date(2026, 10, 20), date(2026, 11, 10))
EXCEPTIONS = st.lists(
    st.builds(
        lambda day, every, open, periods: {
            **({} if every else {"year": day.year}),
            "month": day.month,
            "mday": day.day,
            "open": open,
            "periods": periods,
        },
        DAYS,
        st.booleans(),
        st.booleans(),
        PERIODS,
    ),
    max_size=3,
    # A day stands once.
    unique_by=lambda each: (each.get("year"), each["month"], each["mday"]),
)
HOURS = st.fixed_dictionaries({"openhours": st.lists(PERIODS, min_size=7, max_size=7), "exceptions": EXCEPTIONS})
MOMENTS = st.datetimes(datetime(2026, 10, 20), datetime(2026, 11, 5), timezones=st.just(UTC))
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])


@settings(deadline=None, max_examples=25)
@given(HOURS, ZONES, MOMENTS)
@example(OFFICE, "Europe/Berlin", datetime(2026, 10, 25, 0, 40, tzinfo=UTC))
def test_the_next_change_is_the_first_minute_that_is_different(
    hours: dict[str, Any], zone: str, moment: datetime
) -> None:
    Hours.model_validate(hours)
    found = Schedule(hours, zone)
    state = found.at(moment)

    def open_at(each: datetime) -> bool:
        local = each.astimezone(ZoneInfo(zone))
        return any(start <= local.hour * 60 + local.minute < end for start, end in periods_on(hours, local.date()))

    assert state.open == open_at(moment)
    horizon = moment + timedelta(days=9)
    minute = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
    while minute < horizon and open_at(minute) == state.open:
        minute += timedelta(minutes=1)
    if minute < horizon:
        assert state.until == minute
    else:
        assert state.until is None or state.until >= horizon


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["08:00", "12:00", "24:00"]),
    lambda inner: st.lists(inner, max_size=7),
    max_leaves=20,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "openhours": ODD,
            "exceptions": st.lists(
                st.dictionaries(st.sampled_from(["year", "month", "mday", "open", "periods"]), ODD), max_size=3
            ),
        },
    ),
    st.text(max_size=20),
    st.dictionaries(st.sampled_from(["mode", "startDate", "endDate"]), st.sampled_from(["open", "closed", "x", ""])),
)
def test_any_stored_value_has_a_state(hours: dict[str, Any], zone: str, manual: dict[str, str]) -> None:
    assert Schedule(hours, zone, manual).at(datetime(2026, 11, 20, tzinfo=UTC)).sentence


@given(st.lists(st.tuples(TIMES, TIMES), max_size=5), st.lists(st.tuples(TIMES, TIMES), max_size=5))
def test_joining_and_subtracting_periods_keeps_their_minutes(
    some: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    def held(periods: list[tuple[int, int]]) -> set[int]:
        return {minute for start, end in periods for minute in range(start, end)}

    whole, shut = joined(some), joined(others)
    assert held(whole) == held(some)
    assert all(earlier[1] < later[0] for earlier, later in pairwise(whole))
    assert held(without(whole, shut)) == held(some) - held(others)


def test_times_are_read_and_written() -> None:
    assert [minutes(text) for text in ("00:00", "08:30", "24:00")] == [0, 510, DAY]
    for minute in range(DAY + 1):
        assert minutes(clock_time(minute)) == minute
    for text in ("24:01", "8:30", "08:60", "0830", "", "٠٨:30", None, 510):
        assert minutes(text) is None


USER = {"type": "user", "destinationId": "u1", "userDisplayName": "Jane Example"}
MENU = {"type": "auto_attendant", "destinationId": "a1", "name": "Main menu"}


@pytest.mark.parametrize(
    ("service", "open", "sentences"),
    [
        ({"openHoursOverflow": USER, "closedHoursOverflow": MENU}, True, ["To Jane Example"]),
        ({"openHoursOverflow": USER, "closedHoursOverflow": MENU}, False, ["To the automatic attendant Main menu"]),
        ({"openHoursOverflow": {**USER, "toVoicemail": True}}, True, ["To the voicemail of Jane Example"]),
        (
            {"openHoursOverflow": USER, "closedHoursOverflow": {"type": "office_hours"}},
            False,
            ["As in office hours", "To Jane Example"],
        ),
        (
            {
                "openHoursOverflow": {"type": "closed_hours"},
                "closedHoursOverflow": {"type": "number", "number": "+351"},
            },
            True,
            ["As in closed hours", "To the number +351"],
        ),
        (
            {"openHoursOverflow": {"type": "closed_hours"}, "closedHoursOverflow": {"type": "office_hours"}},
            True,
            [
                "As in closed hours",
                "As in office hours",
                "Both overflows refer to each other: the call ends",
            ],
        ),
        (
            {"openHoursOverflow": {"type": "closed_hours"}},
            True,
            ["As in closed hours", "Nothing is set for closed hours: the call ends"],
        ),
        ({"openHoursOverflow": {"type": "group", "name": "Sales"}}, True, ["To the group Sales"]),
        ({"openHoursOverflow": {"type": "choir", "destinationId": "c1"}}, True, ["To choir c1"]),
        ({}, True, ["Nothing is set for office hours: the call ends"]),
    ],
)
def test_the_route_of_a_call(service: dict[str, Any], open: bool, sentences: list[str]) -> None:
    assert [hop.sentence for hop in route(service, open=open)] == sentences


def _service(name: str, number: str, closed: str, opened: str = "auto_attendant") -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "externalNumber": "+351219999999",
        "secondaryDDIs": [{"numberE164": number}],
        "openHoursOverflow": {"type": opened},
        "closedHoursOverflow": {"type": "number", "number": closed},
    }


@pytest.mark.parametrize(
    ("services", "sentences"),
    [
        ([_service("A", "+1", "+9")], ["To the number +9"]),
        (
            [_service("A", "+1", "+1")],
            ["To the number +1", "The welcome service A answers", "A loop, the call never ends: A ▸ A"],
        ),
        (
            [_service("A", "+1", "+2"), _service("B", "+2", "+9")],
            ["To the number +2", "The welcome service B answers"],
        ),
        (
            [_service("A", "+1", "+2"), _service("B", "+2", "+1")],
            ["To the number +2", "The welcome service B answers", "A loop, the call never ends: A ▸ B ▸ A"],
        ),
        (
            # Also where the loop begins behind the first service, and continues while the others are open.
            [_service("A", "+1", "+2"), _service("B", "+2", "+3", "closed_hours"), _service("C", "+3", "+2")],
            ["To the number +2", "The welcome service B answers", "A loop, the call never ends: B ▸ C ▸ B"],
        ),
    ],
)
def test_a_route_shows_the_service_that_answers_a_number_and_a_loop(
    services: list[dict[str, Any]], sentences: list[str]
) -> None:
    assert [hop.sentence for hop in route(services[0], open=False, services=services)] == sentences
    assert bool(loop_of(services[0], services)) == ("loop" in sentences[-1])
    assert [hop.kind for hop in route(services[0], open=True, services=services)] == ["auto_attendant"]


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles", "UTC"])
@pytest.mark.parametrize("end", ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-14:00"])
def test_a_manual_mode_without_end_applies_in_every_time_zone(zone: str, end: str) -> None:
    state = Schedule(OFFICE, zone, {"mode": "closed", "endDate": end}).at(datetime(2026, 11, 20, tzinfo=UTC))
    assert (state.open, state.because) == (False, OpeningReason.HAND)
    assert state.until is None or state.until.year == 9999
    never = Schedule(OFFICE, zone, {"mode": "closed", "startDate": end}).at(datetime(2026, 11, 20, tzinfo=UTC))
    assert never.because is OpeningReason.HOURS


ODD: list[Any] = [None, 0, 1.5, True, "", "soon", [], [None], ["a"], [[]], {}, {"a": 1}, [{}], [{"month": "x"}]]


@pytest.mark.parametrize("odd", ODD)
def test_any_stored_value_has_a_route(odd: Any) -> None:
    moment = datetime(2026, 11, 20, tzinfo=UTC)
    for hours in (odd, {"openhours": odd}, {"openhours": [odd] * 7}, {**OFFICE, "exceptions": odd}):
        for manual in (odd, {"mode": odd}, {"mode": "open", "startDate": odd, "endDate": odd}):
            assert Schedule(hours, odd, manual).at(moment).sentence
    today = {"month": 11, "mday": 20, "periods": odd}
    assert Schedule({**OFFICE, "exceptions": [today]}, "UTC").at(moment).because is OpeningReason.EXCEPTION
    for open in (True, False):
        one = {"openHoursOverflow": odd, "closedHoursOverflow": {"type": "number", "number": odd}, "secondaryDDIs": odd}
        for services in ([one], [{**one, "id": odd}] * 2):
            assert route({"openHoursOverflow": odd, "closedHoursOverflow": odd}, open=open)[-1].sentence
            assert route(one, open=open, services=services)[-1].sentence
