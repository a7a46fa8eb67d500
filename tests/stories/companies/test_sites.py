"""Sites of a company: created, changed, deleted."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story


async def _sees_sites(person: Story) -> None:
    await person.is_ready()
    await person.goes("sites")
    await person.sees("▸ Sites", "NAME ▲")


async def test_a_site_of_the_own_company_is_created_changed_and_deleted(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_sites(person)
        await person.press("n")
        await person.sees("New site", "Company *")
        await person.type("Harbour warehouse")
        await person.press("ctrl+o")
        await person.sees("POST /api/svc/admin/v1.0/sites", "Creates 1 site.")
        await person.press("enter")
        await person.sees_line(r"▌Harbour warehouse\s+active")
        await person.press("e")
        await person.on_field("Status")
        await person.press("h", "ctrl+o")
        await person.sees("Status: Active → On hold", '"status": "hold"')
        await person.press("enter")
        await person.sees_line(r"▌Harbour warehouse\s+on hold")
        await person.press("x")
        await person.type("Harbour warehouse")
        await person.press("enter")
        await person.does_not_see("Harbour warehouse  ")


async def test_a_site_needs_a_name(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_sites(person)
        await person.press("n")
        await person.sees("New site")
        await person.press("ctrl+o")
        await person.sees("Name is required")


async def test_an_ordinary_user_creates_no_site(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await _sees_sites(person)
        await person.press("n")
        await person.sees("New: needs superadmin")
