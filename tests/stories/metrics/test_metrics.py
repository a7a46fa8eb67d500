"""Statistics and usage: two months compared and saved, companies beside each other, a dashboard that is left open."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from svc_tui.console.areas.metrics.dashboard_view import DashboardView
from svc_tui.console.views.list import ListView
from svc_tui.server.demo.accounts import account
from tests.stories.driver import Story, profile, story

PARTNER = "bp_admin@demo.example"
NORTHWIND = account("company_admin").company_id


def months() -> tuple[str, str]:
    """The last month and the one before it, as they are typed."""
    last = datetime.now(UTC).replace(day=1) - timedelta(days=1)
    return f"{last:%Y-%m}", f"{last.replace(day=1) - timedelta(days=1):%Y-%m}"


def asked(person: Story, operation: str) -> list[str]:
    """The addresses that an operation was asked at."""
    return [each.url for each in person.app.frame.workspace.log.exchanges if each.operation_id == operation]


async def opens_usage(person: Story, name: str = "Maintenance Desk") -> None:
    """Go to the usage of an application of the caller."""
    await person.is_ready()
    await person.goes(f"applications {name}")
    await person.until(lambda: name in person.cursor, f"the cursor is not on {name}")
    await person.press("M")
    await person.sees("▸ Usage", "by day · UTC · all groups", "chart  table  groups")


async def chooses(person: Story, key: str, title: str, typed: str) -> None:
    """Choose by typing a part of it."""
    await person.press(key)
    await person.sees(title, "Type to search")
    await person.type(typed)
    await person.press("enter")
    await person.does_not_see("Type to search")


async def saves_as(person: Story, file: Path, title: str = "Save as CSV") -> None:
    await person.press("D")
    await person.sees(title)
    await person.type(str(file))
    await person.press("enter")
    await person.sees("Saved ")


async def test_two_months_of_usage_are_compared_and_saved(service: str, tmp_path: Path) -> None:
    last, before = months()
    async with story(profile(service)) as person:
        await opens_usage(person)
        await chooses(person, "w", "Time span", "last month")
        await person.sees(f"{last} · by day")
        await chooses(person, "c", "Compare with", "previous span")
        await person.sees(f"{last} compared with {before} · by day")
        totals = await person.sees_line(r"([\d,]+) against ([\d,]+)   ([-+][\d.]+ %)")
        now, then = (int(totals[place].replace(",", "")) for place in (1, 2))
        assert totals[3] == f"{(now - then) / then * 100:+.1f} %"
        await person.press("t")
        await person.sees_line(rf"START +START +{last} +{before} +DIFFERENCE +PERCENT")
        # The slice that was under the cursor still is.
        await person.sees_line(rf"▌{last}-(28|29|30|31) ")
        await person.press("g")
        await person.sees_line(rf"▌{last}-01\s+{before}-01\s+[\d,]+\s+[\d,]+\s+[-+][\d,]+")
        await saves_as(person, tmp_path / "usage.csv")
    with (tmp_path / "usage.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:2] == ["group", f"start of {last}"] and {row["group"] for row in rows} == {"all groups"}
    assert rows[0][f"start of {last}"] == f"{last}-01" and len(rows) in (30, 31)
    assert sum(int(row[last] or 0) for row in rows) == now
    assert sum(int(row[before] or 0) for row in rows) == then


async def test_a_span_that_is_too_long_for_its_period_changes_the_period_with_an_explanation(service: str) -> None:
    async with story(profile(service)) as person:
        await opens_usage(person)
        await person.press("p")
        await person.sees("by hour  is longer than 7 days, the limit for period hour; use day")
        await person.press("esc")
        await chooses(person, "w", "Time span", "last 12 months")
        await person.sees("by month · UTC", "Counted by month: counting by day is limited to 3 months.")
        await person.press("w")
        await person.type("other")
        await person.press("enter")
        await person.sees("2026, 2026-10")
        await person.type("2020 2026")
        await person.press("enter")
        await person.sees("The span is longer than 3 years, the limit for period month.")
        assert len(asked(person, "get_application_usage")) == 2


async def test_what_is_compared_moves_with_the_span(service: str) -> None:
    last, before = months()
    async with story(profile(service)) as person:
        await opens_usage(person)
        await chooses(person, "c", "Compare with", "previous span")
        await person.sees(" against ")
        await chooses(person, "w", "Time span", "last month")
        await person.sees(f"{last} compared with {before} · by day")


async def test_days_are_compared_with_the_same_weekdays_and_a_week_has_them_anyway(service: str) -> None:
    async with story(profile(service)) as person:
        await opens_usage(person)
        await chooses(person, "c", "Compare with", "weekdays")
        await person.until(lambda: len(asked(person, "get_application_usage")) == 3, "not asked for")
        first, before = (re.search(r"fromDate=(\S{10})", url) for url in asked(person, "get_application_usage")[-2:])
        assert first is not None and before is not None
        apart = datetime.fromisoformat(first[1]) - datetime.fromisoformat(before[1])
        assert abs(apart.days) == 35
        await chooses(person, "w", "Time span", "last 7 days")
        await person.press("c")
        await person.sees("the previous span, with the same weekdays a week earlier")


async def test_groups_and_the_time_zone_are_chosen_and_the_zone_is_kept(service: str, tmp_path: Path) -> None:
    async with story(profile(service)) as person:
        await opens_usage(person)
        await chooses(person, "f", "Groups", "instantmessagesinb")
        await person.sees("instantmessagesinbubbles")
        await chooses(person, "f", "Groups", "login")
        await person.sees("instantmessagesinbubbles, login")
        await person.press("tab", "tab")
        await person.sees_line(r"▌login +[\d,]+")
        await person.does_not_see("calllog")
        await chooses(person, "z", "Time zone", "Pacific/Auckland")
        await person.sees("by day · Pacific/Auckland")
        await person.until(lambda: "timezone=Pacific" in asked(person, "get_application_usage")[-1], "not asked for")
        assert "groups=instantmessagesinbubbles%2Clogin" in asked(person, "get_application_usage")[-1]
        # Kept at once, however the console ends.
        assert any("Pacific/Auckland" in file.read_text() for file in tmp_path.rglob("preferences.json"))
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("applications Maintenance Desk")
        await person.until(lambda: "Maintenance Desk" in person.cursor, "not found")
        await person.press("M")
        await person.sees("by day · Pacific/Auckland")


async def test_marked_applications_are_shown_side_by_side(service: str) -> None:
    async with story(profile(service), size=(110, 30)) as person:
        await person.is_ready()
        await person.goes("applications maintenance")
        await person.sees("NAME ▲")
        await person.is_ready()
        await person.press(" ", " ")
        await person.press("M")
        await person.sees("▸ Usage")
        await person.until(lambda: len(asked(person, "get_application_usage")) == 2, "two are not asked for")
        await person.press("t")
        await person.sees("START", "DIFFERENCE", "PERCENT")


async def test_only_as_many_series_as_fit_are_requested(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("usage")
        await person.sees("a adds an application", "No numbers yet.")
        await chooses(person, "a", "Which application?", "maintenance desk")
        await person.sees_line(r"Maintenance Desk +[\d,]+ in total")
        await person.goes("applications")
        await person.is_ready()
        await person.press("*")
        await person.sees("marked")
        await person.press("M")
        await person.sees("Usage: mark at most 8")


async def test_beside_a_wide_list_nothing_more_is_read_of_a_customer(service: str) -> None:
    async with story(profile(service, PARTNER), size=(120, 30)) as person:
        await person.is_ready()
        await person.goes("customerstats")
        await person.sees("Northwind Telecom")
        await person.sees_line(r"Registered +50")
        await person.puts_cursor_on("Northwind Retail")
        await person.sees_line(r"Company +Northwind Retail")
        view = person.app.frame.view if person.app.started else None
        assert isinstance(view, ListView)
        # No reading is in progress, and none waits for the cursor to rest.
        assert view.beside._timer is None and view.beside._source is None


async def test_the_largest_customers_stand_first_and_are_compared(service: str) -> None:
    async with story(profile(service, PARTNER)) as person:
        await person.is_ready()
        await person.goes("customerstats")
        await person.sees("Statistics of customers", "USERS ▼")
        await person.sees_line(r"Northwind Telecom\s+\d+")
        await person.is_ready()
        counts = [int(line.split()[-5]) for line in person.lines[2:13]]
        assert counts == sorted(counts, reverse=True) and counts[0] > counts[-1]
        await person.press("s", "u")
        await person.sees_line(r"USERS ▲.*\n.Willow Studio +0 ")
        await person.press("g")
        await person.puts_cursor_on("Northwind Telecom")
        await person.press("M")
        await person.sees("▸ Statistics", "Northwind Telecom   users connected today", "only the company")
        await chooses(person, "m", "KPI", "registered users")
        await person.sees("Northwind Telecom   registered users")
        await chooses(person, "w", "Time span", "30 days compared")
        await person.sees("last 30 days compared with the days before, other weekdays", "on average")
        await chooses(person, "w", "Time span", "4 weeks compared")
        await person.sees("last 4 weeks compared with the days before, same weekdays", "on average")
        await person.press("t")
        await person.sees_line(rf"▌{datetime.now(UTC):%Y-%m-%d} ")
        await chooses(person, "a", "Which company?", "Northwind Retail")
        await person.sees("Northwind Telecom and 1 more   registered users")
        await person.sees("D Northwind Retail before")
        await person.sees_line(r"START A +START B +A +B +C +D")
        await person.press("tab")
        await person.sees_line(r"users_registered +\d+ +\d+")


async def test_a_company_is_counted_alone_or_with_its_customers(service: str) -> None:
    async with story(profile(service, PARTNER)) as person:
        await person.is_ready()
        await person.goes("statistics")
        await person.sees("only the company")
        await person.is_ready()
        await person.press("o")
        await person.sees("the company and its customers")
        scopes = [re.findall(r"scope=(\w+)", url) for url in asked(person, "get_company_daily_stats")]
        assert scopes == [["ec"], ["bp"]]
        await person.press("C")
        await person.sees("Statistics of customers")


async def test_a_saved_table_of_statistics_names_its_number(service: str, tmp_path: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("statistics")
        await person.is_ready()
        await saves_as(person, tmp_path / "statistics.csv")
    with (tmp_path / "statistics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:2] == ["number", "start"] and {row["number"] for row in rows} == {"users_dailyConnected"}


async def test_every_number_of_every_customer_is_saved(service: str, tmp_path: Path) -> None:
    async with story(profile(service, PARTNER)) as person:
        await person.is_ready()
        await person.goes("customerstats")
        await person.sees_line(r"Northwind Telecom\s+\d+")
        await person.is_ready()
        shown = re.search(r"(\d+) customers", person.status)
        assert shown is not None
        await saves_as(person, tmp_path / "all.csv", "Save all statistics")
    with (tmp_path / "all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == int(shown[1])
    telecom = next(row for row in rows if row["companyName"] == "Northwind Telecom")
    assert int(telecom["users_total"]) > 10 and "usages_chat" in telecom


async def test_a_dashboard_that_is_left_open_draws_nothing_while_nothing_changes(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with story(profile(service, PARTNER), place="dashboard") as person:
        await person.sees("Dashboard of Harbour Telecom", "Customers", "Northwind Telec", "Recent changes")
        await person.sees_line(r"▲Mo|▲Tu|▲We|▲Th|▲Fr|▲\(?Sa|▲\(?Su")
        view = person.app.frame.view if person.app.started else None
        assert isinstance(view, DashboardView)
        await person.is_ready()
        drawn: list[Any] = []
        monkeypatch.setattr(view.board, "refresh", lambda *regions, **more: drawn.append(regions))
        # The same numbers an hour later are no change.
        status, workspace = person.status, view._workspace
        later = workspace.now() + 3600
        monkeypatch.setattr(workspace, "now", lambda: later)
        assert "changed " in status
        looks = len(asked(person, "get_company_stats"))
        await person.press("r")
        await person.until(lambda: len(asked(person, "get_company_stats")) > looks, "it does not refresh")
        await person.until(lambda: len(asked(person, "get_company_daily_stats")) == 2, "the days are not asked for")
        await person.is_ready()
        assert drawn == []
        assert person.status == status
        monkeypatch.undo()
        assert view.board.go(f"company {NORTHWIND}")
        await person.press("enter")
        await person.sees("▸ Statistics", "Northwind Telecom   users connected today")


async def test_usage_of_applications_of_another_user_is_refused_before_a_request(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("users Una Byrne")
        await person.until(lambda: "Una Byrne" in person.cursor, "not found")
        await person.press("M")
        await person.sees("Usage: ")
        assert not asked(person, "get_owner_usage")


async def test_roles_that_may_not_read_numbers_see_the_reason(service: str) -> None:
    async with story(profile(service, "app_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("customerstats")
        await person.sees("Your role does not allow this")
        await person.goes("ownerusage")
        await person.sees("Anders Holm", "in total")
        await person.press("Z")
        await person.type("na")
        await person.press("enter")
        await person.sees("only in na")
        await person.until(lambda: "dcZones=na" in asked(person, "get_owner_usage")[-1], "not asked for")


async def test_enter_where_nothing_opens_shows_a_message_with_the_keys(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("metrics")
        await person.sees("▸ Statistics")
        await person.press("enter")
        await person.sees("Nothing to open here. ? shows the keys.")
