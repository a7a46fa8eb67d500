"""Reports on imports: why yesterday's failed, passed on to others, written for a command, and deleted."""

from __future__ import annotations

import csv
from pathlib import Path

from svc_tui.interface.catalogue import operation
from svc_tui.server.demo.accounts import LOGISTICS
from svc_tui.server.demo.repeatable import id_of
from tests.stories.beside import other_client
from tests.stories.directory.steps import ADMIN, writes
from tests.stories.driver import Story, profile, story

ROOT, COMPANY = "superadmin@demo.example", "Northwind Logistics"
LOGISTICS_ID = id_of("company", LOGISTICS)
IMPORTS = f"companies/{LOGISTICS_ID}/directory"
COMMAND = "ab" * 12


async def _opens_report(person: Story) -> None:
    await person.is_ready()
    await person.sees(f"Last import of {COMPANY}", "Completed with failure")
    await person.press("enter")
    await person.sees(f"Report on {COMPANY}")


async def test_finds_why_yesterdays_import_failed(service: str) -> None:
    async with story(profile(service, ROOT), place="companies") as person:
        await person.is_ready()
        await person.press("/")
        await person.type("logistics")
        await person.press("enter")
        await person.until(lambda: COMPANY in person.cursor, "the company is not found")
        await person.press("D")
        await _opens_report(person)
        await person.sees(
            "Contacts of the spring fair",
            "20 rows with errors",
            "Rows with errors",
            "workPhoneNumber0  is too short for a telephone number  “21 34 56”",
            "Elodie;Oliveira;Dune Textiles;21 34 56;elodie.oliveira@dune",
        )
        await person.sees_line(r"Failed\s+20")
        # From there to the doctor, where the rows are corrected.
        await person.press("enter")
        await person.sees("Doctor of the report", "20 rows   20 with errors", "Row 3 of the imported file.")
        await writes(person, "213456789")
        await person.sees("19 with errors")
        await person.press("o")
        await person.sees("enter Try the first one")
        await person.press("enter")
        await person.sees("1 done")
        await person.press("enter")
        await person.sees("Row 3 is imported.")


async def test_all_rows_of_a_report_are_shown_with_their_lines(service: str) -> None:
    async with story(profile(service, ROOT), place=IMPORTS) as person:
        await _opens_report(person)
        await person.press("a")
        await person.sees("All rows", "Row 1", "created")
        await person.press("a")
        await person.sees("Rows with errors")


async def test_a_report_goes_to_others_as_csv_and_as_text(service: str, tmp_path: Path) -> None:
    async with story(profile(service, ROOT), place=IMPORTS) as person:
        await _opens_report(person)
        for key, title, name in (("s", "Save the report", "report.csv"), ("t", "Save as text", "report.txt")):
            await person.sees("20 rows with errors")
            await person.press(key)
            await person.sees(title)
            await person.press("ctrl+u")
            await person.type(str(tmp_path / name))
            await person.press("enter")
            await person.sees("Saved: ")
            await person.press("down")
    with (tmp_path / "report.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["status"] for row in rows} == {"failed"}
    assert len({row["row"] for row in rows}) == 20
    # No spreadsheet calculates the text of a cell.
    assert any(row["value"] == "+351 21" for row in rows)
    text = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert text.startswith(f"Import of: {COMPANY}\nState: Completed with failure\n")
    assert "row 3: workPhoneNumber0: is too short for a telephone number (21 34 56)" in text


async def test_the_report_of_a_command_is_asked_for_and_written(service: str) -> None:
    async with story(profile(service, ADMIN), place="companies/own/directory") as person:
        await person.is_ready()
        await person.sees("Last import of Northwind Telecom")
        await person.press("o")
        await person.type(COMMAND)
        await person.press("enter")
        await person.sees(f"the command {COMMAND}", "not found")
        await person.press("w")
        await person.sees("Review and write")
        await person.press("enter")
        await person.sees("ctrl+o")
        await person.type("no connection")
        await person.press("ctrl+o")
        await person.on_field("Status")
        await person.press("f", "ctrl+o")
        await person.sees("/api/svc/massprovisioning/v1.0/directories/imports/synchronize/", "Affects 1 report.")
        await person.press("enter")
        await person.sees_line(r"Ended\s+failure")
        await person.sees_line(r"Details\s+no connection")
        await person.press("x")
        await person.sees("Delete: reports of commands cannot be deleted")


async def test_a_directory_without_an_import_has_no_report(service: str) -> None:
    place = f"companies/{id_of('company', 'bluebird')}/directory"
    async with story(profile(service, "superadmin@demo.example"), place=place) as person:
        await person.sees("Last import of Bluebird Clinics", "Nothing has been imported yet.")
        await person.press("enter")
        await person.sees("Report: no import yet")
        await person.does_not_see("was not found")


async def test_an_import_without_a_report_shows_the_reason(service: str) -> None:
    async with story(profile(service, ADMIN), place="companies/own/directory") as person:
        await person.is_ready()
        await person.sees("Last import of Northwind Telecom")
        await person.press("l")
        await person.type("main")
        await person.press("enter")
        await person.sees("configuration main", "not found")
        await person.press("x")
        await person.sees("Delete: no report")


async def test_a_report_is_deleted_and_the_directory_stays(service: str) -> None:
    async with other_client(service, ROOT) as client:
        query = {"companyId": LOGISTICS_ID}
        before = (await client.send(operation("list_directory_entries"), query=query)).body["total"]
        async with story(profile(service, ROOT), place=IMPORTS) as person:
            await _opens_report(person)
            await person.sees("20 rows with errors")
            await person.press("x")
            await person.sees(
                f"Delete the report on {COMPANY}", "The directory is not changed.", "Type delete to confirm"
            )
            await person.type("delete")
            await person.press("enter")
            await person.sees("The report was deleted.")
            await person.press("esc")
            await person.sees(f"Last import of {COMPANY}", "Nothing has been imported yet.")
        assert (await client.send(operation("list_directory_entries"), query=query)).body["total"] == before
