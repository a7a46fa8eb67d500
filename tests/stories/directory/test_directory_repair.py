"""A file that cannot be read is corrected: names of columns, and quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stories.directory.steps import ADMIN, PLACE, imports, looks_at
from tests.stories.driver import Story, profile, story


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a file is expected, in the present folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "odd.csv"


async def chooses(person: Story, text: str) -> None:
    """Choose by typing a part of it."""
    await person.type(text)
    await person.press("enter")


async def test_names_of_columns_are_taken_as_proposed_and_the_file_is_imported(service: str, file: Path) -> None:
    before = "Surname;Phone;Department\nMiller;+351213456789;Sales\n"
    file.write_text(before)
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.sees("line 1, column 1: Surname is not a column", "▸Surname;Phone;Department", "e Repair line")
        # Nothing is read while the first line is wrong.
        await person.press("enter")
        await person.sees("Read odd.csv")
        await person.press("e")
        await person.sees("Apply all 3 suggestions", "Phone  did you mean workPhoneNumber0?")
        await person.press("enter")
        await person.sees("3: lastName, department, workPhoneNumber0", "Mapped     Surname → lastName, Phone →")
        await person.press("enter")
        await person.sees("Doctor of odd.csv", "1 row   no errors")
        await person.sees("No errors. i imports the file.")
        assert "i Import" in person.footer and "Edit" not in person.footer
        await imports(person)
        await person.sees("Completed successfully: 1 created.")
        await person.press("esc", "q")
        await person.sees("Last import of")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        # The columns of another file with the same headings are those of the first one.
        other = file.with_name("other.csv")
        other.write_text(before.replace("Miller", "Smith"))
        await looks_at(person, other)
        await person.sees("Read other.csv", "3: lastName, department, workPhoneNumber0")
    assert file.read_text() == before


async def test_a_column_name_without_a_suggestion_is_chosen(service: str, file: Path) -> None:
    file.write_text("lastName;Xyzzy\nMiller;Porto\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.sees("Xyzzy is not a column")
        await person.press("e")
        await person.sees("Xyzzy  unknown", "lastName  unchanged")
        await chooses(person, "xyzzy")
        await person.sees("Name of Xyzzy", "Leave out", "joined with lastName")
        await chooses(person, "city")
        await person.sees("2: lastName, city")
        await person.press("enter")
        await person.sees("1 row   no errors")
        await person.press("s")
        await person.sees("odd.corrected.csv")
        await person.press("enter")
        await person.sees("Saved 1 corrected row as UTF-8: ")
    assert file.with_name("odd.corrected.csv").read_text() == "lastName;city\nMiller;Porto\n"


async def test_columns_are_chosen_one_by_one_left_out_and_kept_when_a_list_is_closed(service: str, file: Path) -> None:
    file.write_text("lastName;Xyzzy;Abc;Def\nMiller;Porto;1;2\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.press("e")
        await chooses(person, "xyzzy")
        await chooses(person, "city")
        await person.sees("Xyzzy  → city", "Leave out all 2 unknown columns")
        await chooses(person, "abc")
        await person.sees("Name of Abc")
        await person.press("esc")
        await person.sees("Xyzzy  → city")
        await person.press("esc")
        await person.sees("Read odd.csv", "Abc is not a column")
        await person.press("e")
        await person.sees("Xyzzy  → city")
        await chooses(person, "leave out all")
        await person.sees("2: lastName, city", "Left out   Abc, Def")


async def test_the_encoding_of_a_file_is_chosen_by_how_its_lines_read(service: str, file: Path) -> None:
    file.write_bytes("firstName;lastName\nAndré;Bürgi\n".encode("mac_roman"))
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.sees("the byte 0x8E is neither UTF-8 nor Windows-1252", "mac_roman: André;Bürgi", "n Encoding")
        await person.press("n")
        await person.sees("Encoding of the file", "André;Bürgi")
        await person.press("enter")
        await person.sees("Encoding   Mac OS Roman; sent as UTF-8", "2: firstName, lastName")


async def test_cancelling_a_repair_returns_to_the_file(service: str, file: Path) -> None:
    file.write_text("Xyzzy,b\nMiller,Porto\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.press("d", ",")
        await person.sees("Xyzzy is not a column")
        await person.press("e")
        await person.sees("Names of the columns")
        await person.press("esc")
        await person.sees("Read odd.csv", "Xyzzy is not a column", "Delimiter  comma")
        await person.does_not_see("detected")
        await person.press("e")
        await chooses(person, "edit the line")
        await person.sees("Line 1")
        await person.press("ctrl+u")
        await person.type("lastName,city")
        await person.press("ctrl+o")
        await person.sees("2: lastName, city")


async def test_an_open_quote_is_shown_at_its_place_and_taken_as_text(service: str, file: Path) -> None:
    file.write_text('lastName;custom1\nMiller;"5 inch\nSmith;x\n')
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.sees("2: lastName, custom1")
        await person.press("enter")
        await person.sees("line 2, column 8: this opening quote has no closing quote", 'Miller;▸"5 inch')
        await person.press("e")
        await person.sees("Broken quote in line 2", "Read the quote as text", "Remove the quote")
        await person.press("enter")
        await person.sees("2 rows   no errors   1 line repaired")
        await person.press("s")
        await person.press("enter")
        await person.sees("Saved 1 corrected row as UTF-8: ")
    assert file.with_name("odd.corrected.csv").read_text() == 'lastName;custom1\nMiller;"""5 inch"\nSmith;x\n'


async def test_all_broken_quotes_of_a_file_are_taken_as_text_at_once(service: str, file: Path) -> None:
    rows = [f'Name{number};"{number} inch' if number % 100 == 7 else f"Name{number};x" for number in range(5000)]
    file.write_text("\n".join(["lastName;custom1", *rows]) + "\n")
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.press("enter")
        await person.sees("line 9, column 7: the value that starts here ends in line")
        await person.press("e")
        await chooses(person, "all broken quotes")
        await person.sees("5,000 rows   no errors   50 lines repaired")


async def test_a_line_with_a_broken_quote_is_edited_with_its_error_in_view(service: str, file: Path) -> None:
    file.write_text('lastName;custom1\nMiller;"a" b\n')
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, file)
        await person.press("enter")
        await person.sees(
            "the value ends at this quote, but ';' does not", "follow: double the quotes inside it", 'Miller;"a▸" b'
        )
        await person.press("esc")
        await person.sees("Stopped. Nothing was sent.")
        await looks_at(person, file)
        await person.press("enter")
        await person.sees("e Repair line")
        await person.press("e")
        await chooses(person, "edit the line")
        await person.sees("Line 2", "double the quotes")
        await person.press("ctrl+u")
        await person.type('Miller;"a b')
        await person.sees("this opening quote has no closing quote")
        await person.type('"')
        await person.does_not_see("never closed")
        await person.press("ctrl+o")
        await person.sees("1 row   no errors   1 line repaired")
