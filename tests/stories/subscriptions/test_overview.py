"""The overview across companies: found, narrowed, opened, and exported."""

from __future__ import annotations

from pathlib import Path

from tests.stories.driver import Story, profile, story


async def _sees_overview(person: Story) -> None:
    await person.is_ready()
    await person.goes("ending")
    await person.sees("▸ Subscriptions due", "within 90 days")
    await person.is_ready()


async def test_a_partner_sees_what_ends_renews_and_runs_out_at_its_customers(service: str) -> None:
    async with story(profile(service, "bp_finance@demo.example")) as person:
        await _sees_overview(person)
        await person.sees_line(r"▌Bluebird Clinics\s+Dial In\s+ends\s+6 d")
        await person.sees_line(r"Northwind Retail\s+Business, one.*renews\s+11 d")
        await person.sees_line(r"Delta Schools\s+Business, one.*ends, runs out\s+31 d")
        await person.sees_line(r"Northwind Telecom\s+Voice Business\s+runs out\s+—")
        await person.press("w")
        await person.sees("Due within", "90 days  selected")
        await person.type("7 d")
        await person.press("enter")
        await person.sees("within 7 days", "Bluebird Clinics")
        await person.does_not_see("Northwind Retail")
        await person.press("esc")
        await person.sees("within 90 days", "Northwind Retail")
        await person.press("w")
        await person.type("this quarter")
        await person.press("enter")
        await person.sees("this quarter, within ")
        await person.press("/")
        await person.type("delta")
        await person.press("enter")
        await person.sees_line(r"▌Delta Schools")
        await person.press("enter")
        await person.sees("Summary", "3 of 3 licences assigned, 0 free", "Business, one year")
        await person.press("esc")
        await person.sees_line(r"▌Delta Schools")


async def test_it_is_one_key_from_the_companies_and_names_the_roles_that_see_it(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.sees("Bluebird Clinics")
        await person.press("E")
        await person.sees("▸ Subscriptions due", "Bluebird Clinics")


async def test_licences_are_quoted_from_what_is_due(service: str) -> None:
    async with story(profile(service, "bp_finance@demo.example")) as person:
        await _sees_overview(person)
        await person.press("/")
        await person.type("delta")
        await person.press("enter")
        await person.sees_line(r"▌Delta Schools")
        await person.press("u")
        await person.sees("Quotation of Business, one year", "TODAY")


async def test_it_is_exported_as_it_is_shown(service: str, tmp_path: Path) -> None:
    file = tmp_path / "due.csv"
    async with story(profile(service, "bp_finance@demo.example")) as person:
        await _sees_overview(person)
        await person.press("W")
        await person.sees("Export", "due")
        await person.press("ctrl+u")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("rows")
        await person.until(file.exists, "nothing was written")
    lines = file.read_text().splitlines()
    assert lines[0].startswith("companyName,offerName,why,daysLeft,expirationDate")
    assert lines[1].startswith("Bluebird Clinics,Dial In,ends,6,")
