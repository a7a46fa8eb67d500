"""The directory itself: found while typing, made, changed, tagged, saved as a file, and emptied."""

from __future__ import annotations

from pathlib import Path

from svc_tui.console.dialogs.box import Box
from svc_tui.server.demo.accounts import NORTHWIND
from svc_tui.server.demo.repeatable import id_of
from tests.stories.driver import Story, profile, story

ADMIN = "directory_admin@demo.example"
ENTRIES = f"companies/{id_of('company', NORTHWIND)}/directoryentries"


async def _sees_entries(person: Story) -> None:
    await person.is_ready()
    await person.sees("LAST NAME ▲", "Almeida")


async def _finds(person: Story, text: str) -> None:
    await person.press("/")
    await person.type(text)
    await person.press("enter")
    await person.sees(f"/{text}")


async def test_an_entry_is_found_while_a_part_of_it_is_typed(service: str) -> None:
    async with story(profile(service, ADMIN), place=ENTRIES) as person:
        await _sees_entries(person)
        await person.sees("390 contacts")
        await person.press("/")
        await person.type("camila")
        # Nothing is selected yet: the service searches during the typing.
        await person.until(lambda: "Camila" in person.cursor, "nothing is searched")
        await person.does_not_see("Adele", "Almeida")
        await person.press("enter")
        await person.until(lambda: "Camila" in person.cursor, "not found by the name")
        assert all("Camila" in line for line in person.lines[2:-2] if line.strip())
        await person.press("esc")
        await _finds(person, "atlas.example")
        await person.until(lambda: "Atlas Freight" in person.cursor, "not found by the mail address")


async def test_numbers_are_shown_in_national_notation_and_found_in_any(service: str) -> None:
    async with story(profile(service, ADMIN), place=ENTRIES, size=(100, 24)) as person:
        await _sees_entries(person)
        found = await person.sees_line(r"▌Almeida .*?(21 \d{3} \d{4})")
        digits = found[1]
        for written in (digits, digits.replace(" ", ""), f"+351{digits.replace(' ', '-')}"):
            await _finds(person, written)
            await person.until(lambda: digits in person.cursor, f"{written} is not found")
            await person.does_not_see("Baptista")
            await person.press("esc")
            await person.sees("Baptista")


async def test_companies_have_their_own_list(service: str) -> None:
    async with story(profile(service, ADMIN), place=ENTRIES) as person:
        await _sees_entries(person)
        await person.press("t")
        await person.sees("30 companies", "COMPANY ▲", "Boreal Paper 181")
        await person.does_not_see("LAST NAME")
        await person.press("t")
        await person.sees("390 contacts", "LAST NAME ▲")


async def test_the_personal_directory_is_visible_to_its_owner_only(service: str) -> None:
    async with story(profile(service, ADMIN), place="directoryentries") as person:
        await _sees_entries(person)
        await person.press("w")
        await person.sees("390 contacts   company directories")
        await person.press("w")
        await person.sees("12 contacts   personal directory")
        await person.press("n")
        await person.sees("New contact")
        await person.on_field("Last name")
        await person.type("Aaronson")
        await person.press("ctrl+o")
        await person.sees("POST /api/svc/directory/v1.0/entries", "Creates 1 contact.")
        await person.does_not_see("companyId")
        await person.press("enter")
        await person.sees("Created.")
        await person.until(lambda: "Aaronson" in person.cursor, "the cursor is not on the new entry")
        await person.press("down")
        await person.sees("13 contacts   personal directory")
        await person.press("E")
        await person.sees("Empty: only for company directories")


async def test_an_entry_is_made_changed_and_deleted(service: str) -> None:
    async with story(profile(service, ADMIN), place=ENTRIES) as person:
        await _sees_entries(person)
        await person.press("n")
        await person.sees("New contact")
        await person.on_field("First name")
        await person.type("Ada")
        await person.on_field("Last name")
        await person.type("Zzyzx")
        await person.press("ctrl+o")
        await person.sees('"companyId"', "Creates 1 contact.")
        await person.press("enter")
        await person.sees("Created.")
        await _finds(person, "zzyzx")
        await person.until(lambda: "Ada" in person.cursor, "not found")
        await person.press("e")
        await person.sees("Edit Ada Zzyzx")
        await person.on_field("Email")
        await person.type("no-address")
        await person.press("ctrl+o")
        await person.sees("mail")
        await person.does_not_see("PUT /api")
        await person.type("@zzyzx.example")
        await person.press("ctrl+o")
        await person.sees("PUT /api/svc/directory/v1.0/entries/", "no-address@zzyzx.example")
        await person.press("enter")
        await person.sees("Changed.")
        await person.press("x")
        await person.sees("Delete contact Ada Zzyzx", "Type Ada Zzyzx to confirm")
        await person.type("Ada Zzyzx")
        await person.press("enter")
        await person.sees("No matches")


async def test_marked_entries_get_a_tag_and_are_found_by_it(service: str) -> None:
    async with story(profile(service, ADMIN), place=ENTRIES) as person:
        await _sees_entries(person)
        await person.press("space", "down", "space", "T")
        await person.sees("a word to add")
        await person.type("fair2026")
        await person.press("enter")
        await person.sees("Tag 2 contacts", "enter Try the first one")
        await person.press("enter")
        await person.sees("1 done", "enter Continue with the rest")
        await person.press("enter")
        await person.sees("2 done", "enter Close")
        await person.press("enter")
        await person.sees("Add the tag fair2026: 2 done, 0 failed")
        await _finds(person, "fair2026")
        await person.sees("2 contacts")
        await person.press("T")
        await person.type("-fair2026")
        await person.press("enter")
        await person.sees("Remove the tag fair2026", "PUT /api", "Affects 1 entry.")
        await person.press("enter")
        await person.sees("Changed.")
        await person.press("down")
        await person.sees("1 contact ")


async def test_what_is_saved_can_be_imported_again(service: str, tmp_path: Path) -> None:
    from svc_tui.workspace.directory.doctor import scan

    async with story(profile(service, ADMIN), place=ENTRIES) as person:
        await _sees_entries(person)
        await person.press("S")
        await person.sees("Save the directory")
        await person.press("ctrl+u")
        await person.type(str(tmp_path / "all.csv"))
        await person.press("enter")
        await person.sees("Saved 42")
    doctor = scan(tmp_path / "all.csv", country="PRT")
    assert doctor.total >= 420
    assert doctor.left == 0


async def test_a_part_that_was_saved_does_not_replace_the_rest_unnoticed(service: str, tmp_path: Path) -> None:
    file = tmp_path / "part.csv"
    async with story(profile(service, ADMIN), place=ENTRIES) as person:
        await _sees_entries(person)
        await _finds(person, "camila")
        await person.until(lambda: "Camila" in person.cursor, "not found")
        await person.press("S")
        await person.sees("part of the directory.csv")
        await person.press("ctrl+u")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("; only entries that match camila: ")
        await person.press("i")
        await person.sees("Last import of")
        await person.press("i")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("The file contains only a part of a directory (entries that match ")
        await person.press("m", "m", "m")
        await person.does_not_see("contains only a part")
        await person.press("m")
        await person.sees("contains only a part", "replace the directory of")
        await person.press("enter")
        await person.sees("no errors")
        await person.press("i")
        await person.sees("The file contains only a part of a directory (entries that match ", "camila). The current")
        await person.press("esc")
        await person.does_not_see("The file contains")


async def test_the_directory_of_a_company_is_emptied_when_its_name_is_typed(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.puts_cursor_on("Bluebird Clinics")
        await person.press("A")
        await person.sees("Directory of Bluebird Clinics", "42 contacts")
        await person.press("E")
        await person.sees("Empty the directory of Bluebird Clinics", "Affects 45 entries.")
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, Box), "it was sent without the name")
        await person.type("Bluebird Clinics")
        await person.press("enter")
        await person.sees("No contacts here.")


async def test_who_only_reads_the_directory_changes_nothing_in_it(service: str) -> None:
    async with story(profile(service, "user@demo.example"), place=ENTRIES) as person:
        await _sees_entries(person)
        await person.press("e")
        await person.sees("Edit: your role is limited to your own records")
        await person.press("E")
        await person.sees("Empty: needs")
