"""Usage in zones with half hours, and on days of 23 and 25 hours (4.8): every hour is counted once, in its day."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, timedelta

import pytest

from svc_tui.interface.dates import stamp
from svc_tui.interface.metrics.values import range_problem
from svc_tui.server.metrics.usage import hours_of, slices
from svc_tui.workspace.metrics.spans import Span
from tests.server.metrics.test_metrics import USAGE, developer
from tests.support.world import APP, World, granted, refused

HOUR = timedelta(hours=1)
#: Half and quarter hours, a change of clocks by half an hour, and one at midnight in each direction.
ZONES = (
    *("Asia/Kolkata", "Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns", "Australia/Lord_Howe"),
    *("America/Havana", "America/Santiago", "Europe/Paris", "Pacific/Auckland", "UTC"),
)


@pytest.mark.parametrize("zone", ZONES)
def test_every_hour_of_a_year_is_in_one_day_only(zone: str) -> None:
    """The usage of two days is that of the first and that of the second: an accountant adds them up."""
    here, counted = zoneinfo.ZoneInfo(zone), list[datetime]()
    for day in (date(2026, 1, 1) + timedelta(days=n) for n in range(365)):
        first, last = Span(day, day + timedelta(days=1)).moments(zone)
        hours = hours_of(first, last, here)
        assert timedelta(hours=22) < hours.end - hours.start < timedelta(hours=26)
        assert slices(first, last, "day", here) == [first]
        if counted:
            assert counted[-1] == hours.start
        counted.append(hours.end)
        assert slices(first, last, "hour", here)[0] == first


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Paris", date(2026, 10, 25), 25),
        ("Europe/Paris", date(2026, 3, 29), 23),
        ("Pacific/Auckland", date(2026, 4, 5), 25),
        ("America/Havana", date(2026, 11, 1), 25),
        ("America/Santiago", date(2026, 9, 6), 23),
    ],
)
def test_a_week_over_a_change_of_clocks_is_seven_days(zone: str, day: date, hours: int) -> None:
    """`up to 7 days` are days of the user, of which one has 23 or 25 hours."""
    assert len(slices(*Span(day, day + timedelta(days=1)).moments(zone), "hour", zoneinfo.ZoneInfo(zone))) == hours
    for back in (6, 3, 0):
        week = Span(day - timedelta(days=back), day + timedelta(days=7 - back))
        assert range_problem(*week.moments(zone), "hour", zone) == ""
        longer = Span(week.first, week.until + timedelta(days=1))
        assert "longer than 7 days" in range_problem(*longer.moments(zone), "hour", zone)


async def test_a_week_of_169_hours_is_counted_by_hour_and_eight_days_are_refused(world: World) -> None:
    by = await developer(world)
    week = Span(date(2026, 10, 20), date(2026, 10, 27))
    first, last = map(stamp, week.moments("Europe/Paris"))
    query = {"fromDate": first, "toDate": last, "period": "hour", "timezone": "Europe/Paris"}
    assert len(granted(await world.get(f"{USAGE}/{APP}", by=by, params=query))["data"]) == 169
    # The same hours are more than seven days of another zone.
    refused(await world.get(f"{USAGE}/{APP}", by=by, params={**query, "timezone": "UTC"}), 400000)


@pytest.mark.parametrize(
    ("zone", "hour", "day"),
    [
        # Midnight is at 18:30 of UTC: the hour from 18:00 is as much of one day as of the other, and goes to the later.
        ("Asia/Kolkata", "2026-11-18T18", "2026-11-19"),
        ("Asia/Kolkata", "2026-11-18T17", "2026-11-18"),
        # Midnight is at 18:15: three quarters of the hour are of the later day.
        ("Asia/Kathmandu", "2026-11-18T18", "2026-11-19"),
        # Midnight is at 10:15 in Chatham in summer.
        ("Pacific/Chatham", "2026-11-18T10", "2026-11-19"),
        ("Pacific/Chatham", "2026-11-18T09", "2026-11-18"),
    ],
)
async def test_an_hour_between_two_days_is_counted_in_one_of_them(world: World, zone: str, hour: str, day: str) -> None:
    by = await developer(world)
    async with world.service.database.unit() as store:
        await store.counters.add({(APP, hour, "files"): 5})
    found = {}
    for each in (date(2026, 11, 18), date(2026, 11, 19)):
        first, last = map(stamp, Span(each, each + timedelta(days=1)).moments(zone))
        for period in ("hour", "day", "month"):
            query = {"fromDate": first, "toDate": last, "period": period, "timezone": zone, "groups": "files"}
            data = granted(await world.get(f"{USAGE}/{APP}", by=by, params=query))["data"]
            found[str(each), period] = sum(one["count"] for slice in data for one in slice["groupCounters"])
    assert {each for each, count in found.items() if count} == {(day, period) for period in ("hour", "day", "month")}
    assert set(found.values()) == {0, 5}


async def test_a_range_of_whole_hours_of_utc_counts_them_in_every_zone(world: World) -> None:
    by = await developer(world)
    async with world.service.database.unit() as store:
        await store.counters.add({(APP, f"2026-11-18T{hour:02}", "files"): 1 for hour in range(24)})
    for zone in ZONES:
        query = {
            "fromDate": stamp(datetime(2026, 11, 18, 10, tzinfo=UTC)),
            "toDate": stamp(datetime(2026, 11, 18, 12, tzinfo=UTC)),
            "timezone": zone,
        }
        data = granted(await world.get(f"{USAGE}/{APP}", by=by, params=query))["data"]
        assert sum(one["count"] for slice in data for one in slice["groupCounters"]) == 2, zone
