"""Companies: found, seen as a tree, created, and deleted when nothing is left in them."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

SUPERADMIN = "superadmin@demo.example"


async def _sees_companies(person: Story) -> None:
    await person.is_ready()
    await person.goes("companies")
    await person.sees("▸ Companies", "NAME ▲", "Bluebird Clinics")


async def _creates(person: Story, name: str) -> None:
    await person.press("n")
    await person.sees("New company", "Name *")
    await person.type(name)
    await person.press("ctrl+o")
    await person.sees("POST /api/svc/admin/v1.0/companies", "Creates 1 company.")
    await person.press("enter")
    await person.sees("Created.")
    await person.until(lambda: name in person.cursor, "the cursor is not on the new company")


async def test_companies_are_filtered_by_status_and_partner(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_companies(person)
        await person.press("/")
        await person.type("status:alerting")
        await person.press("enter")
        await person.sees("/status:alerting", "Cedar Insurance")
        await person.does_not_see("Bluebird")
        await person.press("esc", "F")
        await person.sees("Filters", "Partner type")
        await person.on_field("Partner type")
        await person.press("v", "ctrl+o")
        await person.sees("bpType=VAD", "Harbour Telecom Partners", "BP VAD")
        await person.does_not_see("Meridian Channel")


async def test_partners_resellers_and_customers_are_a_tree(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_companies(person)
        await person.press("t")
        await person.sees("Companies ▸ Tree", "Partners", "▸ Harbour Telecom Partners", "Companies without a partner")
        await person.does_not_see("Elm Street Hotels")
        await person.until(lambda: "Harbour" in _line(person), "the cursor is not on the first partner")
        await person.press("space")
        await person.sees("▾ Harbour Telecom Partners", "Northwind Telecom", "▸ Meridian Channel")
        await person.sees_line(r"Northwind Telecom +EC +● active +Portugal")
        while "Meridian" not in _line(person):
            await person.press("down")
        await person.press("right")
        await person.sees("Elm Street Hotels")
        await person.press("left")
        await person.does_not_see("Elm Street Hotels")
        await person.press("left")
        await person.until(lambda: "Harbour" in _line(person), "left does not lead to the company above")
        await person.press("enter")
        await person.sees("Tree ▸ Harbour Telecom Partners")
        await person.press("esc", "t")
        await person.sees("NAME ▲")


def _line(person: Story) -> str:
    from svc_tui.console.widgets.sheet import Sheet

    assert person.app.frame.view is not None
    line = person.app.frame.view.query_one(Sheet).line
    return line.label if line else ""


async def test_deleting_a_company_with_a_site_opens_the_site(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_companies(person)
        await _creates(person, "Almost Empty")
        await person.press("S")
        await person.sees("Companies ▸ Sites of Almost Empty", "0 sites")
        await person.press("n")
        await person.sees("New site")
        await person.type("Lisbon")
        await person.press("ctrl+o", "enter")
        await person.sees_line(r"▌Lisbon\s+● active")
        await person.press("esc")
        await person.until(lambda: "Almost Empty" in person.cursor, "back on the company")
        await person.press("x")
        await person.sees("Almost Empty cannot be deleted yet", "s  the company has sites: 1")
        await person.press("s")
        await person.sees_line(r"▌Lisbon\s+● active")
        await person.press("x")
        await person.sees("Delete site Lisbon", "Type Lisbon to confirm")
        await person.type("Lisbon")
        await person.press("enter")
        await person.sees("No sites here.")
        await person.press("esc", "x")
        await person.sees("Delete company Almost Empty", "Type Almost Empty to confirm")
        await person.type("Almost Empty")
        await person.press("enter")
        await person.sees("successfully deleted")


async def test_all_failed_checks_of_a_deletion_are_listed_at_once(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_companies(person)
        await person.puts_cursor_on("Harbour Telecom Partners")
        await person.press("x")
        await person.sees("cannot be deleted yet", "c  companies are linked to this BP", "u  the company has users")
        await person.press("u")
        await person.sees("Companies ▸ Users of Harbour Telecom Partners", "Bruno Keller")


async def test_a_company_that_always_exists_is_never_deleted(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_companies(person)
        await person.puts_cursor_on("Default")
        await person.press("x")
        await person.sees("Delete: Default is built in and cannot be deleted")


async def test_support_sees_companies_and_changes_none(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await _sees_companies(person)
        await person.press("e")
        await person.sees("Edit: needs")
        await person.press("x")
        await person.sees("Delete: needs")


async def test_what_the_list_looks_up_is_kept_for_a_time_without_a_service(service: str) -> None:
    who = "superadmin@demo.example"
    async with wired(service) as (wire, url):
        async with story(profile(url, who), size=(200, 30), place="companies") as person:
            await person.sees_line(r"Northwind Telecom .* 42 .*in 10 days")
            await person.is_ready()
            wire.away = True
            wire.cut()
        async with story(profile(url, who), size=(200, 30), place="companies") as person:
            await person.sees("○ offline")
            await person.sees_line(r"Northwind Telecom .* 42 .*in 10 days")
    # Without a cached value the cell does not look as if there were none.
    async with wired(service) as (wire, url), story(profile(url, who), size=(100, 30), place="companies") as person:
        await person.sees("Northwind Telecom")
        await person.is_ready()
        wire.away = True
        wire.cut()
        await person.press("r")
        await person.sees("○ offline")
        await person.pilot.resize_terminal(200, 30)
        await person.sees_line(r"Northwind Telecom .* \? ")
        wire.away = False
        await person.sees_line(r"Northwind Telecom .* 42 .*in 10 days")
