"""Numbers that were seen before are there while the service is not, with their age, and at once when it is slow."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story
from tests.stories.metrics.test_metrics import PARTNER, asked, chooses, opens_usage
from tests.stories.wire import Wire, wired


async def loses_the_service(person: Story, wire: Wire) -> None:
    wire.away = True
    wire.cut()
    await person.press("r")
    await person.sees("○ offline")


async def test_statistics_and_usage_that_were_seen_before_are_shown_offline_with_their_age(service: str) -> None:
    async with wired(service) as (wire, url):
        async with story(profile(url, PARTNER)) as person:
            await person.is_ready()
            await person.goes("statistics")
            await person.sees_line(r"Harbour Telecom Partners +users connected today")
            await person.is_ready()
            await person.goes("dashboard")
            await person.sees("Customers", "Northwind Telec", "Recent changes")
            await loses_the_service(person, wire)
            await person.sees("Offline: showing cached data", "Northwind Telec")
            await person.goes("statistics")
            await person.sees_line(r"Harbour Telecom Partners +users connected today")
            await person.sees("from cache", "Offline: showing")
            # The dashboard has asked for this one.
            await person.press("o")
            await person.sees("the company and its customers", "from cache")
            wire.away = False
            await person.sees("●", "the company and its customers")
            await person.does_not_see("from cache", "Offline")
            await person.is_ready()
            wire.away = True
            wire.cut()
        async with story(profile(url, PARTNER), place="dashboard") as person:
            await person.sees("○ offline", "Dashboard of Harbour Telecom Partners", "Northwind Telec", "Users by")


async def test_usage_that_was_seen_before_is_shown_offline(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await opens_usage(person)
        await person.sees_line(r"Maintenance Desk +[\d,]+ in total")
        await person.is_ready()
        await person.press("esc")
        await person.sees("NAME ▲")
        await loses_the_service(person, wire)
        await person.press("M")
        await person.sees_line(r"Maintenance Desk +[\d,]+ in total")
        await person.sees("from cache", "Offline: showing")
        await chooses(person, "p", "Period", "by month")
        await person.sees("Maintenance Desk: Offline: no cached data. It loads when")
        wire.away = False
        await person.sees_line(r"Maintenance Desk +[\d,]+ in total")
        await person.does_not_see("Offline")


async def test_what_was_seen_before_stands_there_until_the_service_answers(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, PARTNER)) as person:
        await person.is_ready()
        await person.goes("statistics")
        await person.sees_line(r"Harbour Telecom Partners +users connected today")
        await person.is_ready()
        await person.goes("companies")
        await person.sees("NAME ▲")
        before = len(asked(person, "get_company_daily_stats"))
        wire.hold = b"GET /api/svc/metrics"
        await person.goes("statistics")
        await person.sees_line(r"Harbour Telecom Partners +users connected today")
        await person.sees("from cache", "refreshing")
        wire.released.set()
        await person.does_not_see("from cache", "refreshing")
        assert len(asked(person, "get_company_daily_stats")) == before + 1
