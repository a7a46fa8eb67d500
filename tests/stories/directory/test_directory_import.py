"""A directory file is imported: viewed, corrected in place, checked by the service, saved, and sent."""

from __future__ import annotations

from pathlib import Path

from svc_tui.server.directory.demo import faulty_file
from tests.stories.directory.steps import ADMIN, COMPANY, PLACE, doctor, entries, imports, looks_at, opens, writes
from tests.stories.driver import profile, story

#: The correct value of a cell, by column.
_RIGHT = {"country": "PRT", "eMail": "a@acme.example", "firstName": "Ann"}


async def test_corrects_twenty_errors_in_place_and_imports_the_file(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await person.sees(
            "40 rows   20 with errors", "✗ 21 34 56", "is too short for a telephone number", "line 4 of the file"
        )
        await person.sees("enter Edit  n Next error  i Import")
        # All rows with one wrong country at once, then one fault after the other.
        await person.press("tab")
        await person.press("tab")
        await person.sees("only country in country", "✗ PT")
        await writes(person, "PRT", alike=True)
        await person.sees("14 with errors", "6 corrected, not saved")
        await person.press("esc")
        for _ in range(20):
            shown = doctor(person)
            if not shown.doctor.left:
                break
            if shown.fault is None:
                await person.press("n")
            column = shown.column
            await writes(person, _RIGHT.get(column, "213456789"), alike=True)
        await person.sees("no errors", "20 corrected, not saved")
        await person.press("i")
        await person.sees("entries of 40 rows")
        await person.press("enter")
        await person.sees("The name does not match.")
        await person.press("esc")
        await imports(person)
        await person.sees("Completed successfully: 40 created.")
        await person.press("esc")
        await person.sees("Completed successfully", "Created   40")
        assert faulty.read_text(encoding="utf-8") == faulty_file()
    assert await entries(service) == 40


async def test_the_corrected_file_is_saved_beside_the_original(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await writes(person, "213456789")
        await person.press("s")
        await person.sees("fair.corrected.csv")
        await person.press("enter")
        await person.sees("Saved 1 corrected row as UTF-8: ")
        await person.press("esc")
        await person.sees("Last import of")
    before, after = faulty.read_text().split("\n"), faulty.with_name("fair.corrected.csv").read_text().split("\n")
    assert [line for line, old in zip(after, before, strict=True) if line != old] == [
        "Elodie;Oliveira;Dune Textiles;213456789;elodie.oliveira@dune.example;PRT"
    ]


async def test_a_suggestion_is_applied_with_one_key(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await person.press("p")
        await person.sees("Apply suggestion: no suggestion for this cell")
        await person.press("n")
        await person.sees("did you mean PRT?")
        await person.press("p")
        await person.sees("14 with errors", "6 corrected, not saved", "country  ", "PRT")
        await person.press("P")
        await person.sees("Applied suggestions to 1 row.", "✗ 21 34 56")
        await person.press("P")
        await person.sees("Apply all: no suggestions")


async def test_all_suggestions_are_applied_together(service: str, faulty: Path) -> None:
    faulty.write_text("lastName;country\nA;PT\nB;Spain\nC;Nowhere\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await person.press("P")
        await person.sees("Applied suggestions to 2 rows.", "✗ Nowhere")


async def test_jumps_from_error_to_error_and_retypes_a_row(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await person.press("n")
        await person.sees("country is not a three-letter country code (did you mean PRT?): “PT”", "Row 4, line 5")
        await person.press("n")
        await person.sees("workPhoneNumber0 needs a country code, such as +44: “216133033”", "Row 4, line 5")
        await person.press("N", "N")
        await person.sees("Row 3, line 4")
        await person.press("N")
        await person.sees("No more errors above.")
        await person.press("t")
        await person.sees("Elodie;Oliveira;Dune Textiles;21 34 56")
        await person.press("ctrl+end", "ctrl+u")
        await person.type("Ann;Lee;;;;PRT;more")
        await person.sees("has 7 values, but the file has 6 columns")
        await person.press("backspace", "backspace", "backspace", "backspace", "backspace", "ctrl+o")
        await person.sees("19 with errors", "▌  3 ✓  Ann")


async def test_checks_only_and_the_service_has_the_last_word(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, faulty, "c")
        await person.sees("check only, for the directory of")
        await person.press("enter")
        await person.sees("20 with errors")
        await person.press("i")
        await person.sees("Import: the file was opened for a check only")
        await writes(person, "213456789")
        await person.press("c")
        await person.sees("Checked by the service: 21 rows without errors, 19 with errors.")


async def test_a_changed_row_with_errors_does_not_count_as_corrected(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await writes(person, "21 34")
        await person.sees("1 changed, 0 of them corrected, not saved")
        await writes(person, "213456789")
        await person.sees("1 corrected, not saved")


async def test_a_comma_is_called_by_its_name(service: str, faulty: Path) -> None:
    faulty.write_text("lastName,country\nMiller,PRT\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, faulty)
        await person.sees("Delimiter  comma, detected")


async def test_encoding_delimiter_and_comment_are_recognised_and_can_be_given(service: str, faulty: Path) -> None:
    odd = faulty.with_name("odd.csv")
    odd.write_bytes("lastName#custom1\nMüller#50% off\n".encode("utf-16"))
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, odd)
        await person.sees("UTF-16; sent as UTF-8", "lastName#custom1 is not a column")
        await person.press("d")
        await person.sees("Type the delimiter")
        await person.press("esc")
        await person.does_not_see("Type the delimiter")
        await person.press("d", "#", "c", "backspace")
        await person.sees("Delimiter  #", "Comment    none", "2: lastName, custom1")
        await person.press("c", "#")
        await person.sees("the delimiter and the comment character must differ")
        await person.press("c", "!")
        await person.does_not_see("must differ")
        await person.press("enter")
        await person.sees("Doctor of odd.csv", "No errors.", "1 row   no errors")


async def test_purposes_that_are_not_possible_show_the_reason(service: str, faulty: Path) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("/")
        await person.type("logistics")
        await person.press("enter")
        await person.puts_cursor_on("Northwind Logistics")
        await person.press("D")
        await person.sees("Last import of Northwind Logistics", "Completed with failure")
        await person.press("i")
        await person.sees("Directory file for Northwind Logistics")
        faulty.with_name("changes.csv").write_text("__action__;ldap_id;lastName\nsync;1;Miller\n")
        await person.type("changes.csv")
        await person.press("enter")
        await person.sees("Country    ESP", "replace the directory of Northwind Logistics")
        await person.press("m")
        await person.sees("update, create or delete an entry for each row", "Only possible in your own company.")
        await person.press("enter")
        await person.sees("Read changes.csv")
        await person.press("m", "m")
        await person.sees("check only, for the directory of Northwind Logistics")


async def test_imports_into_the_personal_directory(service: str, faulty: Path) -> None:
    own = faulty.with_name("own.csv")
    own.write_text("lastName;workPhoneNumber0\nMiller;+351213456789\n")
    async with story(profile(service, "user@demo.example"), place=PLACE) as person:
        await person.is_ready()
        await person.sees("Your last import", " p imports a file into your own directory")
        await person.sees_across_lines("organization_admin, company_admin or directory_admin")
        await person.press("i")
        await person.sees("Import: needs ")
        await person.press("p")
        await person.sees("File for your own directory")
        await person.sees("A CSV file whose first line names the columns, or a vCard file.")
        await person.type(own.name)
        await person.press("enter")
        await person.sees("replace the personal directory")
        await person.press("enter")
        await person.sees("no errors")
        await person.press("i")
        await person.sees("Entries: 12 → entries of 1 row", "Type personal to confirm")
        await person.type("personal")
        await person.press("enter")
        await person.sees("Completed successfully: 1 created.")


async def test_rows_with_actions_change_only_their_entries(service: str, faulty: Path) -> None:
    changes = faulty.with_name("changes.csv")
    changes.write_text("__action__;ldap_id;lastName;country\nupsert;m1-1;Miller;PRT\nupsert;m1-2;Smith;PT\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        before = await entries(service)
        await looks_at(person, changes)
        await person.press("m")
        await person.sees("update, create or delete an entry for each row")
        await person.press("enter")
        await person.sees("2 rows   1 with errors")
        await person.press("i")
        await person.sees("Rows: — → 1", "Not imported: 0 doubtful, 1 with errors.")
        await person.type(COMPANY)
        await person.press("enter")
        await person.sees("Completed with failure: 1 created, 1 failed.")
        assert await entries(service) == before + 1
        # Only what had failed: the row that is in the directory already is not sent again.
        await writes(person, "PRT")
        await person.press("o")
        await person.sees("/synchronize?label=cha", "Rows: — → 1")
        await person.type(COMPANY)
        await person.press("enter")
        await person.sees("Completed successfully: 1 created.", "Row 2 is imported.")
        assert await entries(service) == before + 2
        await person.press("o")
        await person.sees("no corrected rows")


async def test_corrected_rows_without_actions_are_created_entry_by_entry(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        before = await entries(service)
        await opens(person, faulty)
        await writes(person, "213456789")
        await person.press("o")
        await person.sees("Import corrected 1 row", "row 3  Elodie Oliveira")
        await person.press("enter")
        await person.sees("1 done")
        await person.press("enter")
        await person.sees("Import corrected: 1 done, 0 failed", "Row 3 is imported.")
        await person.press("down")
        await writes(person, "213456789")
        await person.press("q")
        await person.sees("1 changed row neither saved nor imported would be lost.")
    assert await entries(service) == before + 1


async def test_imports_the_file_of_a_command(service: str, faulty: Path) -> None:
    changes = faulty.with_name("changes.csv")
    changes.write_text("__action__;ldap_id;lastName\nupsert;m1-9;Miller\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await person.is_ready()
        await person.sees(f"Last import of {COMPANY}")
        await person.press("m")
        await person.sees("ID of the command")
        await person.press("enter")
        await person.sees("the ID has 24 letters and digits")
        await person.type("a1" * 12)
        await person.press("enter")
        await person.sees("A CSV file whose first line names the columns, or a vCard file.")
        await person.type(changes.name)
        await person.press("enter")
        await person.sees("a1a1a1)")
        await person.press("enter")
        await person.sees("1 row   no errors")
        await person.press("c")
        await person.sees("Checked by the service: 1 row without errors, 0 with errors.")
        await person.press("i")
        await person.sees("&label=changes.csv")
        await person.type(COMPANY)
        await person.press("enter")
        await person.sees("Completed successfully: 1 created.")


async def test_a_file_changed_since_it_was_read_is_neither_saved_nor_sent(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await writes(person, "213456789")
        faulty.write_text("lastName;country\nMiller;FRA\n", encoding="utf-8")
        await person.press("c")
        await person.sees("The file was changed or removed since it was read")
        await person.press("s", "enter")
        await person.sees("The file was changed or removed since it was read", "213456789")
        assert not faulty.with_name("fair.corrected.csv").exists()


async def test_the_original_is_never_written_over(service: str, faulty: Path) -> None:
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await writes(person, "213456789")
        await person.press("s")
        await person.sees("fair.corrected.csv")
        await person.type(str(faulty))
        await person.press("enter")
        await person.sees("enter again replaces it.")
        await person.press("enter")
        await person.sees("This is the original file. Choose another name")
    assert faulty.read_text(encoding="utf-8") == faulty_file()


async def test_hostile_contents_of_a_file_are_drawn_and_have_no_effect(service: str, faulty: Path) -> None:
    hostile = faulty.with_name("hostile.csv")
    hostile.write_text("lastName;country\n\x1b[2J\x07[/x];PT\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, hostile)
        await person.sees("⚠ ", "[/x]", "✗ PT")
        await person.press("left", "enter")
        await person.until(lambda: doctor(person).editing, "no editor")
        assert "\x1b" not in person.screen
        await person.press("esc", "t")
        await person.sees("Row 1")
        assert "\x1b" not in person.screen


async def test_a_partner_imports_into_the_directory_of_a_customer(service: str, faulty: Path) -> None:
    async with story(profile(service, "bp_admin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.puts_cursor_on(COMPANY)
        await person.press("D")
        await person.sees(f"Last import of {COMPANY}")
        await person.press("i")
        await person.sees(f"Directory file for {COMPANY}")
        faulty.with_name("one.csv").write_bytes("lastName;workPhoneNumber0\nMüller;213456789\n".encode("utf-16"))
        await person.type("one.csv")
        await person.press("enter")
        await person.sees("UTF-16; sent as UTF-8", "Country    PRT")
        await person.press("enter")
        await person.sees("1 row   no errors")
        await imports(person)
        await person.sees("Completed successfully: 1 created.")
    assert await entries(service) == 1


async def test_doubtful_rows_are_marked_and_left_over_until_their_suggestion_is_taken(
    service: str, faulty: Path
) -> None:
    faulty.write_text(
        "lastName;workPhoneNumber0;country\nKlein;30123456;DEU\nHahn;030 123456;DEU\nVogt;030 12 privat;DEU\n"
    )
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, faulty)
        await person.sees("3 rows   1 doubtful   1 with errors", "? 30123456", "✗ 030 12 privat")
        await person.sees("has so few digits that its area code may be missing")
        await person.press("i")
        await person.sees("entries of 1 row", "More than half")
        await person.sees("Not imported: 1 doubtful, 1 with errors.")
        await person.type(COMPANY)
        await person.press("enter")
        await person.sees(
            "Completed with failure: 1 created, 1 failed, 1 doubtful. The directory had ", "and has 1 entry."
        )
        await person.press("p")
        await person.sees("3 rows   1 with errors", "1 corrected, not saved")
        await person.press("o")
        await person.sees("Import corrected 1 row", "row 1  Klein")
        await person.press("enter")
        await person.sees("1 done")
    assert await entries(service) == 2


async def test_a_file_without_a_right_row_is_not_imported(service: str, faulty: Path) -> None:
    faulty.write_text("lastName;workPhoneNumber0;country\nKlein;30123456;DEU\nVogt;1001;DEU\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        before = await entries(service)
        await opens(person, faulty)
        await person.press("i")
        await person.sees("Import: no row is correct")
        assert await entries(service) == before
