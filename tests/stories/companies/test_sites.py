"""Sites of a company: created, changed, deleted."""

from __future__ import annotations

from svc_tui.client.client import Client
from svc_tui.server.demo.repeatable import id_of
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story


async def _sees_sites(person: Story) -> None:
    await person.is_ready()
    await person.goes("sites")
    await person.sees("▸ Sites", "NAME ▲")


async def _site(client: Client, name: str) -> str:
    """Create a site at the service; its ID."""
    body = {"name": name, "companyId": id_of("company", "northwind")}
    return str((await call(client, "create_site", body))["data"]["id"])


async def test_a_site_of_the_own_company_is_created_changed_and_deleted(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_sites(person)
        await person.press("n")
        await person.sees("New site", "Company *")
        await person.type("Harbour warehouse")
        await person.press("ctrl+o")
        await person.sees("POST /api/svc/admin/v1.0/sites", "Creates 1 site.")
        await person.press("enter")
        await person.sees_line(r"▌Harbour warehouse\s+[●▲] active")
        await person.press("enter")
        await person.sees_line(r"Company +Northwind Telecom")
        await person.press("e")
        await person.sees("▸ Edit")
        await person.sees_line(r"Company +Northwind Telecom +[0-9a-f]{24}")
        await person.press("esc", "esc")
        await person.sees_line(r"▌Harbour warehouse\s+[●▲] active")
        await person.press("e")
        await person.on_field("Status")
        await person.press("h", "ctrl+o")
        await person.sees("Status: Active → On hold", '"status": "hold"')
        await person.press("enter")
        await person.sees_line(r"▌Harbour warehouse\s+[●▲] on hold")
        await person.press("x")
        await person.type("Harbour warehouse")
        await person.press("enter")
        await person.does_not_see("Harbour warehouse  ")


async def test_a_company_that_is_typed_and_not_chosen_is_found_by_its_name_or_refused(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await _sees_sites(person)
        await person.press("n")
        await person.sees("New site")
        await person.on_field("Name")
        await person.type("Dock")
        await person.on_field("Company")
        # A role that manages several companies has no own one in the form.
        await person.press(*["backspace"] * 30)
        for text, problem in (
            ("zzz", "names none of them, enter lists all"),
            ("northwind", "names several, enter lists them"),
        ):
            await person.type(text)
            await person.press("ctrl+o")
            await person.sees(problem)
            await person.does_not_see("POST /api")
            await person.press(*["backspace"] * len(text))
            await person.does_not_see(problem)
        await person.type("bluebird")
        await person.press("ctrl+o")
        await person.sees("Company: — → Bluebird Clinics", "Creates 1 site.")
        await person.press("enter")
        await person.sees_line(r"▌Dock\s+[●▲] active")


async def test_an_edit_of_a_site_that_was_deleted_elsewhere_is_not_reviewed(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site, other = await _site(client, "Aft warehouse"), await _site(client, "Aft works")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft warehouse")
        await person.press("e")
        await person.sees("▸ Edit", "no changes")
        await person.press("end")
        await person.type("X")
        await call(client, "delete_site", siteId=site)
        await person.press("ctrl+o")
        await person.sees("This site no longer exists.")
        await person.does_not_see("PUT /api")
        await person.sees("Aft warehouseX")
        await person.press("esc")
        await person.sees("Discard unsaved changes?")
        await person.press("y")
        await person.sees("demo ▸ Sites  ")
        await person.does_not_see("Aft warehouse")
        await person.puts_cursor_on("Aft works")
        await call(client, "delete_site", siteId=other)
        await person.press("e")
        await person.sees("This site no longer exists.")
        await person.does_not_see("▸ Edit", "Aft works")


async def test_the_deletion_of_a_site_that_was_renamed_elsewhere_asks_for_its_name_of_now(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site = await _site(client, "Aft mill")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft mill")
        await call(client, "update_site", {"name": "Aft museum"}, siteId=site)
        await person.press("x")
        await person.sees("Delete site Aft museum", "Type Aft museum to confirm")
        await call(client, "update_site", {"name": "Aft theatre"}, siteId=site)
        await person.type("Aft museum")
        await person.press("enter")
        await person.sees_across_lines("Not sent: another administrator has just changed the name to Aft theatre.")
        await person.press("esc")
        await person.sees_line("▌Aft theatre")
        await person.press("x")
        await person.sees("Type Aft theatre to confirm")
        await call(client, "delete_site", siteId=site)
        await person.type("Aft theatre")
        await person.press("enter")
        await person.sees("This site no longer exists.")
        await person.press("esc")
        await person.does_not_see("Aft theatre")


async def test_the_deletion_of_a_site_that_was_deleted_elsewhere_asks_for_nothing(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site = await _site(client, "Aft pier")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft pier")
        await call(client, "delete_site", siteId=site)
        await person.press("x")
        await person.sees("This site no longer exists.")
        await person.does_not_see("Delete site", "Aft pier")


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


async def test_a_site_that_was_deleted_elsewhere_leaves_the_list_when_it_is_opened(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site = await _site(client, "Aft quay")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft quay")
        await call(client, "delete_site", siteId=site)
        await person.press("enter")
        await person.sees("▸ Aft quay", "This record no longer exists.")
        await person.press("esc")
        await person.sees("demo ▸ Sites  ")
        await person.does_not_see("Aft quay")


async def test_marks_of_sites_that_were_deleted_elsewhere_are_dropped(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site = await _site(client, "Aft dock")
        await _site(client, "Aft yard")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft dock")
        await person.press("space", "space")
        await person.sees("2 marked")
        await call(client, "delete_site", siteId=site)
        await person.press("r")
        await person.does_not_see("Aft dock")
        await person.sees("1 marked")
        await person.press("esc")


async def test_a_deletion_in_bulk_of_a_site_that_was_deleted_elsewhere_reads_the_list_again(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site = await _site(client, "Aft shed")
        await _site(client, "Aft silo")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft shed")
        await person.press("space", "space", "x")
        await person.sees("Delete 2 sites")
        await call(client, "delete_site", siteId=site)
        await person.type("2")
        await person.press("enter")
        await person.sees("1 failed")
        await person.press("esc")
        await person.does_not_see("Aft shed")
        await person.sees_line(r"\*Aft silo")
        await person.press("esc")


async def test_an_undo_shows_what_was_changed_again_by_others_with_its_value_now(service: str) -> None:
    async with story(profile(service)) as person, other_client(service) as client:
        site = await _site(client, "Aft crane")
        await _sees_sites(person)
        await person.puts_cursor_on("Aft crane")
        await person.press("e")
        await person.sees("▸ Edit")
        await person.press("end")
        await person.type("X")
        await person.press("ctrl+o")
        await person.sees("Name: Aft crane → Aft craneX")
        await person.press("enter")
        await person.sees("Changed.")
        await call(client, "update_site", {"name": "Aft lift"}, siteId=site)
        await person.press("ctrl+z")
        await person.sees("Name: Aft lift → Aft crane", "Changed again since then: Name.")
        await person.press("esc")
