"""The start page: what needs attention, places with counts, and jobs to begin with."""

from __future__ import annotations

from tests.stories.driver import profile, story


async def test_the_start_page_shows_what_needs_attention_and_opens_it_with_its_filter(service: str) -> None:
    async with story(profile(service), first="home") as person:
        await person.sees("demo ▸ Home", "Needs attention", "2 applications are blocked", "out of licences")
        await person.sees_line(r"1  Applications +58")
        await person.sees("Find an application and see how much it is used")
        await person.press("g")
        await person.press("enter")
        await person.sees("demo ▸ Home ▸ Applications", "/state:blocked")
        await person.press("q")
        await person.press("g")
        await person.press("down")
        await person.press("enter")
        await person.sees("Home ▸ Subscriptions")
        await person.press("q")
        await person.sees("Needs attention")
        await person.goes("companies")
        await person.sees("demo ▸ Companies", "1 company")
        await person.goes("home")
        await person.sees("demo ▸ Home", "Needs attention")


async def test_the_start_page_needs_few_requests_and_is_silent_afterwards(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), first="home") as person:
        await person.sees("out of licences")
        await person.is_ready()
        log = person.app.frame.workspace.log
        await person.until(lambda: all(call.status for call in log.exchanges), "a request is in progress")
        # Two for the login, four for what needs attention, and the first pages of six lists.
        assert len(log.exchanges) <= 12, [call.operation_id for call in log.exchanges]
        counts = [line for line in person.lines if line.strip()]
        await person.goes("home")
        await person.sees("out of licences")
        assert [line for line in person.lines if line.strip()][:-2] == counts[:-2]


async def test_a_start_without_a_service_shows_the_places_and_why_the_numbers_are_missing(service: str) -> None:
    async with story(profile("http://127.0.0.1:9"), first="home") as person:
        await person.sees("demo ▸ Home", "1  Applications", "Try")
        await person.sees("Nothing answers at 127.0.0.1:9")


async def test_a_partner_sees_what_ends_soon_at_its_customers(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example"), first="home") as person:
        await person.sees("customer subscriptions end, renew or run out of licences")
        await person.press("g")
        await person.press("down", "down")
        await person.press("enter")
        await person.sees("Home ▸ Subscriptions due", "Bluebird Clinics")
