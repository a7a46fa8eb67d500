"""Statistics of companies and usage of applications (4.8): counting, roles, and ranges."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event

from svc_tui.interface.dates import stamp
from svc_tui.interface.metrics.records import GROUPS
from svc_tui.interface.metrics.values import flat_statistics
from svc_tui.server.metrics.company_numbers import StatisticsCollector, added
from svc_tui.server.metrics.counting import CallCounter
from svc_tui.server.metrics.demo_history import DemoHistory
from svc_tui.server.metrics.usage import slices
from tests.support.world import APP, COMPANY, ORGANISATION, OTHER_COMPANY, PARTNER, World, granted, refused

STATS = "/api/svc/metrics/v1.0/analyticmetrics/companies"
USAGE = "/api/svc/metrics/v1.0/cpaasmetrics"

#: 4.8, word for word.
_ADMINISTRATION = "administration, applications, billing, provisioning, subscriptions, technical"
_RESOURCES = (
    "bots, bubbles, calendar, calllog, channels, company, conference, contactpresence, conversations, files, geoloc, "
    "groups, guests, instantmessages, instantmessagesack, instantmessagesinbubbles, invitation, login, mobile, "
    "mypresence, office365, pbxtelephony, recording, roster, users, vcards"
)


def asked(world: World, hours: int = 24, **more: Any) -> dict[str, Any]:
    now = world.clock.now()
    return {"fromDate": stamp(now - timedelta(hours=hours)), "toDate": stamp(now + timedelta(hours=1)), **more}


async def developer(world: World) -> dict[str, Any]:
    """The owner of the world's application."""
    return await world.user("dev@example.com", roles=("app_admin",), id="f0" * 12)


async def test_the_groups_are_those_of_the_specification(world: World) -> None:
    by = await developer(world)
    found = granted(await world.get(f"{USAGE}/apiGroupsMapping", by=by))["data"]
    assert ", ".join(found["administration"]) == _ADMINISTRATION
    assert ", ".join(found["resources"]) == _RESOURCES
    assert sorted(GROUPS) == sorted([*found["administration"], *found["resources"]])


async def test_calls_are_counted_by_application_hour_and_group(world: World) -> None:
    by = await developer(world)
    for _ in range(3):
        granted(await world.get(f"/api/svc/applications/v1.0/applications/{APP}", by=by))
    await world.service.part(CallCounter).write()
    granted(await world.get(f"/api/svc/applications/v1.0/applications/{APP}", by=by))
    await world.service.part(CallCounter).write()
    found = granted(await world.get(f"{USAGE}/{APP}", by=by, params=asked(world, 1)))
    assert found["aggregationPeriod"] == "hour"
    now = world.clock.now().replace(minute=0, second=0, microsecond=0)
    this_hour = next(each for each in found["data"] if each["aggregationStartDate"] == stamp(now))
    assert {"group": "applications", "count": 4} in this_hour["groupCounters"]
    only = granted(await world.get(f"{USAGE}/{APP}", by=by, params=asked(world, 1, groups="files, login")))
    assert all(not each["groupCounters"] for each in only["data"])


async def test_logins_are_counted_for_their_application_and_refused_ones_are_not(world: World) -> None:
    """Section 4.8: `login` is a usage group."""
    by = await developer(world)
    await world.user("jane@example.com")
    for _ in range(2):
        granted(await world.login())
    refused(await world.login(password="wrong"), 401500)
    await world.service.part(CallCounter).write()
    found = granted(await world.get(f"{USAGE}/{APP}", by=by, params=asked(world, 1, period="day", groups="login")))
    assert [count for each in found["data"] for count in each["groupCounters"]] == [{"group": "login", "count": 2}]


async def test_an_owner_has_the_counters_of_all_applications(world: World) -> None:
    by = await developer(world)
    other = await world.application("a1" * 12)
    await world.application("a2" * 12, ownerId="e0" * 12)
    async with world.service.database.unit() as store:
        hour = f"{world.clock.now():%Y-%m-%dT%H}"
        await store.counters.add(
            {(APP, hour, "files"): 2, (other["id"], hour, "files"): 3, ("a2" * 12, hour, "files"): 9}
        )
    found = granted(await world.get(f"{USAGE}/owners/{by['id']}", by=by, params=asked(world, 1, period="day")))
    assert sum(count["count"] for each in found["data"] for count in each["groupCounters"]) == 5


@pytest.mark.parametrize(
    ("period", "most", "wider"),
    [("hour", timedelta(days=7), "day"), ("day", timedelta(days=93), "month"), ("month", timedelta(days=1098), "")],
)
async def test_the_longest_range_depends_on_the_period(world: World, period: str, most: timedelta, wider: str) -> None:
    by = await developer(world)
    now = world.clock.now()
    query = {"fromDate": stamp(now - most), "toDate": stamp(now), "period": period}
    granted(await world.get(f"{USAGE}/{APP}", by=by, params=query))
    query["fromDate"] = stamp(now - most - timedelta(minutes=1))
    body = refused(await world.get(f"{USAGE}/{APP}", by=by, params=query), 400000)
    (problem,) = body["errorDetails"]
    assert problem["param"] == "toDate" and "is longer than" in problem["msg"] and wider in problem["msg"]


@pytest.mark.parametrize(
    ("changed", "param"),
    [
        ({"fromDate": None}, "fromDate"),
        ({"toDate": None}, "toDate"),
        ({"toDate": "2020-01-01T00:00:00Z"}, "toDate"),
        ({"period": "week"}, "period"),
        ({"groups": "files,shoes"}, "groups"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
    ],
)
async def test_invalid_usage_queries_are_refused_by_their_parameter(
    world: World, changed: dict[str, Any], param: str
) -> None:
    by = await developer(world)
    query = {name: value for name, value in {**asked(world), **changed}.items() if value is not None}
    body = refused(await world.get(f"{USAGE}/{APP}", by=by, params=query), 400000)
    assert body["errorDetails"][0]["param"] == param


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("0001-01-01T00:00:00+14:00", "0001-01-01T05:00:00+14:00"),
        ("0001-01-01T00:00:00Z", "0001-01-01T05:00:00Z"),
        ("9999-12-31T00:00:00Z", "9999-12-31T23:30:00Z"),
        ("9999-12-31T20:00:00-14:00", "9999-12-31T23:59:59.999-14:00"),
    ],
)
@pytest.mark.parametrize("period", ["hour", "day", "month"])
@pytest.mark.parametrize("timezone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
async def test_at_the_ends_of_the_calendar_nothing_was_counted(
    world: World, first: str, last: str, period: str, timezone: str
) -> None:
    by = await developer(world)
    query = {"fromDate": first, "toDate": last, "period": period, "timezone": timezone}
    answer = await world.get(f"{USAGE}/{APP}", by=by, params=query)
    assert answer.status_code in (200, 400), answer.text


async def test_developers_read_their_own_counters_only(world: World) -> None:
    await developer(world)
    other = await world.user("other@example.com", roles=("app_admin",))
    refused(await world.get(f"{USAGE}/{APP}", by=other, params=asked(world)), 403001)
    refused(await world.get(f"{USAGE}/owners/{'f0' * 12}", by=other, params=asked(world)), 403001)
    for role in ("superadmin", "app_superadmin", "app_support"):
        by = await world.user(f"{role}@example.com", roles=(role,))
        granted(await world.get(f"{USAGE}/{APP}", by=by, params=asked(world)))
    refused(await world.get(f"{USAGE}/{APP}", by=await world.user(), params=asked(world)), 403000)


def test_days_and_months_begin_in_their_time_zone() -> None:
    zone = zoneinfo.ZoneInfo("Europe/Paris")
    # On the 29th of March 2026 the clocks there go an hour ahead.
    first, last = datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC)
    days = slices(first, last, "day", zone)
    assert [stamp(day)[:16] for day in days] == [
        "2026-03-27T23:00",
        "2026-03-28T23:00",
        "2026-03-29T22:00",
        "2026-03-30T22:00",
    ]
    months = slices(datetime(2026, 1, 15, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC), "month", zone)
    assert [stamp(month)[:16] for month in months] == [
        "2025-12-31T23:00",
        "2026-01-31T23:00",
        "2026-02-28T23:00",
        "2026-03-31T22:00",
        "2026-04-30T22:00",
    ]


async def _customers(world: World) -> dict[str, Any]:
    await world.company(PARTNER, name="Partner", isBP=True)
    await world.company(COMPANY, name="Small", bpId=PARTNER, organisationId=ORGANISATION)
    await world.company(OTHER_COMPANY, name="Large", bpId=PARTNER)
    now = world.clock.now()
    for number in range(4):
        company = COMPANY if number == 0 else OTHER_COMPANY
        queries: dict[str, Any] = {"lastLoginDate": stamp(now - timedelta(days=3 * number))} if number != 3 else {}
        await world.user(
            f"user{number}@example.com", companyId=company, creationDate=stamp(now - timedelta(days=50)), **queries
        )
    return await world.user("partner@example.com", roles=("bp_admin",), companyId=PARTNER)


@contextmanager
def _statements(world: World) -> Iterator[list[str]]:
    """The statements that this test sends to the database in a block; not those of the background jobs."""
    found: list[str] = []
    ours = ContextVar("ours", default=False)

    def note(*of: Any) -> None:
        # The jobs are tasks that began before: their context does not have the mark.
        if ours.get():
            found.append(of[2])

    database = world.service.database
    own = [each.engine for each in (database.reader, database.writer) if each is not None]
    engines = [database.engine.sync_engine, *own]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    ours.set(True)
    try:
        yield found
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


async def test_the_numbers_of_a_company_are_counted_from_its_records(world: World) -> None:
    by = await _customers(world)
    found = granted(await world.get(f"{STATS}/{OTHER_COMPANY}", by=by))
    assert (found["companyName"], found["scope"], found["companies"]) == ("Large", "ec", 1)
    users = found["users"]
    assert (users["total"], users["registered"], users["funnel"], users["newUser"]) == (3, 2, 1, 0)
    assert (users["dailyConnected"], users["weeklyConnected"], users["monthlyConnected"]) == (0, 2, 2)


#: Section 2.18: usages of company stats.
_CLIENTS = {"mobile_android", "mobile_ios", "other", "web_win", "node", "desk_win", "desk_osx"}
_TYPES = {"chat", "file", "groupchat", "meeting", "webrtc", "webrtc_missed", "conf"}


async def test_the_usages_of_every_company_have_all_keys_without_history(world: World) -> None:
    by = await _customers(world)
    await world.service.part(StatisticsCollector).collect()
    world.clock.forward(days=1)
    found = granted(await world.get(f"{STATS}/{PARTNER}/daily", by=by, params={"scope": "bp"}))
    assert len(found["dailyStats"]) == 2
    for usages in (found["usages"], *(day["usages"] for day in found["dailyStats"])):
        _check_keys(usages)
    (small, _) = granted(await world.get(f"{STATS}/{PARTNER}/customers", by=by))["data"]
    _check_keys(small["usages"])
    (export, _) = granted(await world.get(f"{STATS}/{PARTNER}/customers/flat", by=by))["data"]
    assert {f"usages_{name}" for name in _CLIENTS | _TYPES} <= set(export["stats"][0])


def test_the_usages_of_the_demo_have_all_keys() -> None:
    _check_keys(DemoHistory().day([(COMPANY, 1_000)], date(2026, 11, 20))["usages"])


def _check_keys(usages: dict[str, Any]) -> None:
    assert set(usages) == {"activeUser", "_any", "_clients", "_types"} and set(usages["_any"]) == {"_any"}
    assert (set(usages["_clients"]), set(usages["_types"])) == (_CLIENTS, _TYPES)


async def test_the_scope_of_a_partner_counts_those_under_it(world: World) -> None:
    by = await _customers(world)
    found = granted(await world.get(f"{STATS}/{PARTNER}", by=by, params={"scope": "bp"}))
    assert (found["companies"], found["users"]["total"]) == (3, 5)
    assert granted(await world.get(f"{STATS}/{PARTNER}", by=by))["users"]["total"] == 1


async def test_customers_are_sorted_by_their_users(world: World) -> None:
    by = await _customers(world)
    found = granted(await world.get(f"{STATS}/{PARTNER}/customers", by=by))
    assert [each["companyName"] for each in found["data"]] == ["Small", "Large"] and found["total"] == 2
    query = {"sortOrder": -1, "limit": 1}
    found = granted(await world.get(f"{STATS}/{PARTNER}/customers", by=by, params=query))
    assert [each["companyName"] for each in found["data"]] == ["Large"] and found["total"] == 2


async def test_flat_rows_have_no_inner_documents(world: World) -> None:
    by = await _customers(world)
    found = granted(await world.get(f"{STATS}/{PARTNER}/customers/flat", by=by))["data"]
    large = next(each for each in found if each["_id"] == OTHER_COMPANY)
    (row,) = large["stats"]
    assert row["users_total"] == 3 and row["profiles_business"] == 0
    assert not any(isinstance(value, dict) for value in row.values())


def test_the_inner_objects_of_usages_are_not_in_flat_keys() -> None:
    numbers = {"usages": {"_types": {"chat": 3}, "_clients": {"node": 1}}, "systems": {"oxe": 2}}
    assert flat_statistics(numbers) == {"usages_chat": 3, "usages_node": 1, "systems_oxe": 2}


async def test_each_counted_day_is_in_the_series(world: World) -> None:
    by = await _customers(world)
    await world.service.part(StatisticsCollector).collect()
    world.clock.forward(days=1)
    found = granted(await world.get(f"{STATS}/{OTHER_COMPANY}/daily", by=by))["dailyStats"]
    yesterday, today = found
    assert yesterday["date"] < today["date"] == world.clock.now().date().isoformat()
    assert yesterday["users"]["weeklyConnected"] == 2 and today["users"]["total"] == 3


async def test_roles_that_read_statistics(world: World) -> None:
    await _customers(world)
    own = await world.user("own@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    granted(await world.get(f"{STATS}/{OTHER_COMPANY}", by=own))
    refused(await world.get(f"{STATS}/{COMPANY}", by=own), 403301)
    refused(await world.get(f"{STATS}/{PARTNER}/customers", by=own), 403000)
    other = await world.user("bp2@example.com", roles=("bp_admin",), companyId=COMPANY)
    refused(await world.get(f"{STATS}/{PARTNER}/customers", by=other), 403301)
    refused(await world.get(f"{STATS}/{COMPANY}", by=await world.user("plain@example.com")), 403000)
    granted(await world.get(f"{STATS}/{COMPANY}", by=await world.user("s@example.com", roles=("support",))))


def test_the_history_of_the_demo_is_repeatable_and_low_at_night() -> None:
    application = {"id": APP, "env": "deployed", "dateOfDeployment": "2026-01-01T00:00:00.000Z"}
    noon, night = datetime(2026, 11, 18, 14, tzinfo=UTC), datetime(2026, 11, 18, 3, tzinfo=UTC)
    first, again = DemoHistory().usage(application, noon), DemoHistory().usage(application, noon)
    assert first == again and set(first) <= set(GROUPS)
    assert sum(first.values()) > 10 * sum(DemoHistory().usage(application, night).values())
    assert DemoHistory().usage(application, datetime(2025, 12, 31, 14, tzinfo=UTC)) == {}


def test_the_history_of_several_companies_is_the_sum_of_each() -> None:
    day, sizes = date(2026, 11, 17), [("a", 12), ("b", 12), ("c", 190), ("d", 0)]
    together = DemoHistory().day(sizes, day)
    assert together == added([DemoHistory().day([each], day) for each in sizes])
    users = together["users"]
    assert users["total"] == 214 > users["dailyConnected"] > 100
    assert DemoHistory().day(sizes, day + timedelta(days=5))["users"]["dailyConnected"] < users["dailyConnected"] // 3


def test_numbers_are_added_and_of_other_values_the_first_is_taken() -> None:
    assert added([{"a": 1, "b": {"c": 2}, "d": "x"}, {"a": 3, "b": {"e": 4}, "d": "y", "f": True}, {"a": None}]) == {
        "a": 4,
        "b": {"c": 2, "e": 4},
        "d": "x",
        "f": True,
    }
    assert added([]) == {}


async def test_the_days_of_many_customers_need_no_more_queries_than_those_of_few(
    world: World,
) -> None:
    by = await _customers(world)
    await world.service.part(StatisticsCollector).collect()
    world.clock.forward(days=80)
    with _statements(world) as asked:
        granted(await world.get(f"{STATS}/{PARTNER}/daily", by=by, params={"scope": "bp"}))
    # One for all days that were written down.
    assert sum("daily_stats" in each for each in asked) == 1


async def test_days_of_several_weeks_are_those_of_all_companies_together(world: World) -> None:
    by = await _customers(world)
    await world.service.part(StatisticsCollector).collect()
    first = world.clock.now().date().isoformat()
    world.clock.forward(days=17)
    await world.service.part(StatisticsCollector).collect()
    second = world.clock.now().date().isoformat()
    world.clock.forward(days=3)
    found = granted(await world.get(f"{STATS}/{PARTNER}/daily", by=by, params={"scope": "bp"}))["dailyStats"]
    assert [each["date"] for each in found] == [first, second, world.clock.now().date().isoformat()]
    assert [each["users"]["registered"] for each in found][:2] == [3, 3]
    alone = granted(await world.get(f"{STATS}/{COMPANY}/daily", by=by))["dailyStats"]
    assert [each["users"]["registered"] for each in alone][:2] == [1, 1]


async def test_many_customers_need_no_more_queries_than_few(world: World) -> None:
    by = await _customers(world)
    counts = []
    for more in (0, 60):
        for number in range(more):
            await world.company(f"{number:024x}", name=f"Customer {number}", bpId=PARTNER)
        with _statements(world) as asked:
            found = granted(await world.get(f"{STATS}/{PARTNER}/customers", by=by, params={"sortOrder": -1}))
        assert found["total"] == 2 + more and found["data"][0]["companyName"] == "Large"
        counts.append(len(asked))
    assert counts[0] >= counts[1]
