"""A CloudPBX is edited: groups and lists in one review, two administrators at once, a number tried, a trunk linked."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from svc_tui.console.terminal.theme import STYLES
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.voice.cloudpbx_editing import EDITED
from tests.stories.driver import Story, profile, story

SUPERADMIN = "superadmin@demo.example"
NORTHWIND = "Northwind voice"
REPEATED = "Attendant repetitions"


async def _edits(person: Story, name: str = NORTHWIND) -> None:
    await person.is_ready()
    await person.goes("pbx")
    await person.sees(name[:18])
    await person.puts_cursor_on(name[:18])
    await person.press("e")
    await person.sees(f"Edit {name}", f"{len(fields_of(EDITED))} fields", "no changes")


async def _finds(person: Story, words: str) -> None:
    await person.press("ctrl+f")
    await person.type(words)
    await person.press("enter")
    await person.sees(f"/{words}")


async def _types_over(person: Story, label: str, text: str) -> None:
    await person.on_field(label)
    await person.press("ctrl+u")
    await person.type(text)


async def test_settings_lists_and_options_go_in_one_review(service: str) -> None:
    async with story(profile(service)) as person:
        await _edits(person)
        # The service takes prefixes only with the number of digits beside them.
        await person.on_field("Numbering prefixes")
        await person.press("enter", "end", "enter")
        await person.type("94")
        await person.press("ctrl+o")
        await _types_over(person, "Short code digits", "7")
        await person.sees("must be 6 or less")
        await person.press("backspace")
        await person.type("5")
        await _finds(person, "barring permissions")
        await person.press("n")
        await person.sees_line(r"\* Barring permissions\s+Internal and national calls")
        await person.press("esc")
        await _finds(person, "cli policy")
        await person.press("u")
        await person.press("esc")
        await _finds(person, "announcementProfile")
        await person.press("a")
        await person.press("esc")
        await _finds(person, "prohibited")
        await person.on_field("Prohibited numbers patterns")
        await person.press("enter")
        await person.sees("5 of 1000", "Premium services, Portugal", "n New")
        await person.press("n")
        await person.type("118")
        await person.press("tab")
        await person.type("Directory enquiries")
        await person.press("enter", "ctrl+o")
        await person.sees_line(r"\* Prohibited numbers patterns\s+6: ")
        await person.press("ctrl+o")
        await person.sees("Numbering prefixes: 1 → 2: + 94")
        await person.sees("Short code digits: 4 → 5")
        await person.sees_across_lines("Internal, national and international calls → Internal and national calls")
        await person.sees("CLI policy: The company's number → The user's own number")
        await person.sees("Announcement profile: External calls only → All")
        await person.sees("+ 118 Directory enquiries", "Affects 1 CloudPBX, with 4 requests.")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("e")
        await person.sees("no changes")
        for words, line in (
            ("cli policy", r"CLI policy\s+The user's own number"),
            ("announcementProfile", r"Announcement profile\s+All"),
            ("prohibited numbers", r"patterns\s+6: .*"),
            ("barring permissions", r"Barring permissions\s+Internal and national"),
        ):
            await _finds(person, words)
            await person.sees_line(line)
            await person.press("esc")
        await person.press("esc")
        for undone in (
            "Announcement profile: All → External calls only",
            "Patterns: ",
            "The user's own number → The company's number",
            "Short code digits: 5 → 4",
        ):
            await person.press("ctrl+z")
            await person.sees(undone, "Affects 1 CloudPBX.")
            await person.does_not_see("Changed again since then")
            await person.press("enter")
            await person.sees("Undone.")


async def test_the_numbering_plan_is_a_table(service: str) -> None:
    async with story(profile(service)) as person:
        await _edits(person)
        await person.on_field("Numbering plan")
        await person.press("enter")
        await person.sees("Prefix", "Digits", "Description", "Offices", "3 of 100")
        await person.press("down", "n")
        await person.type("8x")
        await person.sees("Row 3: Prefix must be")
        await person.press("backspace", "tab")
        await person.type("16")
        await person.sees("Row 3: Digits must be 15 or less", "Digits of a whole number")
        await person.press("backspace", "backspace")
        await person.type("4")
        await person.press("tab")
        await person.type("Fax")
        await person.press("enter")
        await person.sees_line(r"8\s+4\s+Fax")
        await person.press("K", "K")
        await person.until(lambda: _rows(person) == ["8 4", "2 4", "5 3", "7 5"], "the row is not the first")
        await person.press("down", "down", "x")
        await person.until(lambda: _rows(person) == ["8 4", "2 4", "7 5"], "the row is not gone")
        await person.press("n", "up", "esc")
        await person.sees("3 of 100")
        await person.press("esc")
        await person.sees("Unsaved changes: ctrl+o saves")
        await person.press("ctrl+o")
        await person.sees_line(r"\* Numbering plan\s+3: 8 4 Fax; 2 4 Offices; 7 5")
        await person.press("ctrl+o")
        await person.sees("Numbering plan: 3 → 3: + 8 4 Fax; - 5 3 Welcome services")
        await person.sees('"numberingPlan": [')
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("ctrl+z", "enter")
        await person.sees("Undone.")


async def test_a_plan_that_leaves_out_numbers_in_use_is_refused_at_its_field(service: str) -> None:
    async with story(profile(service)) as person:
        await _edits(person)
        await _types_over(person, "Numbering prefix", "4")
        await person.on_field("Numbering plan")
        await person.press("enter")
        await person.sees("Offices")
        await person.press("x", "ctrl+o")
        await person.sees_line(r"\* Numbering plan\s+2: ")
        await person.press("ctrl+o")
        # It is reported before the review, and nothing typed is lost.
        await person.sees_line(r"\* Numbering plan\s+2: .*excludes")
        await person.sees("excludes numbers in use: 2001, 2002, 2003, 2004, 2005 and")
        await person.does_not_see("PUT ")
        await person.sees_line(r"\* Numbering prefix\s+4")


def _rows(person: Story) -> list[str]:
    """Prefix and digits of the rows in the table, as they stand."""
    inside = [line.strip("│ \n") for line in person.lines if line.count("│") >= 2]
    cells = [line.removeprefix("! ").split() for line in inside]
    return [f"{row[0]} {row[1]}" for row in cells if len(row) > 1 and row[0].isdigit() and row[1].isdigit()]


async def test_a_row_that_is_wrong_is_not_kept_and_not_lost(service: str) -> None:
    async with story(profile(service)) as person:
        await _edits(person)
        await person.on_field("Custom dialing rules")
        await person.press("enter")
        await person.sees("Match pattern", "2 of 100")
        await person.press("n")
        await person.type("^(00")
        await person.sees("is not a regular expression")
        await person.press("ctrl+o")
        await person.sees("Custom dialing rules", "is not a regular expression", "^(00")
        await person.press("enter", "end")
        await person.type(")")
        await person.press("tab")
        await person.type("+")
        await person.press("ctrl+o")
        await person.sees_line(r"\* Custom dialing rules\s+3: .*")


async def test_two_administrators_at_once_both_keep_what_they_typed(service: str) -> None:
    async with story(profile(service)) as first, story(profile(service, SUPERADMIN)) as second:
        await _edits(first)
        await _edits(second)
        await _types_over(first, "Short code prefix", "#")
        await _finds(first, "header_2")
        await first.type("X-First: yes")
        await first.press("esc")
        await _types_over(second, "Short code prefix", "**")
        await _finds(second, "header_1")
        await second.press("ctrl+u")
        await second.type("X-Second: yes")
        await second.press("ctrl+o", "enter")
        await second.sees("Changed. ctrl+z undoes it.")
        await first.press("ctrl+o")
        await first.sees("Another administrator changed: Short code prefix, Custom SIP header 1.")
        await first.sees("Your values replace: Short code prefix.")
        await first.sees("Short code prefix: ** → #  (also changed by another")
        await first.sees("Custom SIP header 2: — → X-First: yes")
        await first.press("esc")
        await first.sees("1 conflict")
        await _finds(first, "header")
        await first.sees_line(r" Custom SIP header 1\s+X-Second: yes")
        await first.sees_line(r"\* Custom SIP header 2\s+X-First: yes")
        await first.press("esc")
        await first.press(*["up"] * 35)
        await first.sees_line(r"Short code prefix\s+#\s+conflict: \*\*")
        await first.on_field("Short code prefix")
        await first.sees("Another administrator set **", "ctrl+g uses it")
        await first.press("ctrl+g")
        await first.sees_line(r" Short code prefix\s+\*\*")
        await first.does_not_see("1 conflict")


async def _prohibits(person: Story, pattern: str) -> None:
    await _finds(person, "prohibited")
    await person.on_field("Prohibited numbers patterns")
    await person.press("enter")
    await person.sees("of 1000")
    await person.press("n")
    await person.type(pattern)
    await person.press("ctrl+o")
    await person.sees_line(r"\* Prohibited numbers patterns")


async def test_rows_that_two_administrators_add_at_once_both_stay(service: str) -> None:
    async with story(profile(service)) as first, story(profile(service, SUPERADMIN)) as second:
        await _edits(first)
        await _edits(second)
        await _prohibits(first, "0900")
        await _prohibits(second, "0800")
        await second.press("ctrl+o", "enter")
        await second.sees("Changed. ctrl+z undoes it.")
        await first.press("ctrl+o")
        await first.sees("Another administrator changed: Prohibited numbers patterns.", "+ 0900")
        await first.does_not_see("- 0800")
        await first.press("enter")
        await first.sees("Changed. ctrl+z undoes it.")
        await first.press("B")
        await first.sees_line(r"\s0900\s")
        await first.sees_line(r"\s0800\s")


async def test_a_change_during_the_preview_stops_the_request(service: str) -> None:
    async with story(profile(service)) as first, story(profile(service, SUPERADMIN)) as second:
        await _edits(first)
        await _edits(second)
        await _types_over(first, REPEATED, "4")
        await first.press("ctrl+o")
        await first.sees(f"{REPEATED}: 3 → 4")
        await _types_over(second, REPEATED, "5")
        await second.press("ctrl+o", "enter")
        await second.sees("Changed. ctrl+z undoes it.")
        await first.press("enter")
        await first.sees("Not sent: another administrator has just changed the record.")
        await first.press("esc")
        await first.sees_line(rf"{REPEATED}\s+4\s+conflict: 5")
        await first.press("ctrl+o")
        await first.sees(f"{REPEATED}: 5 → 4  (also changed by another")
        await first.press("enter")
        await first.sees("Changed. ctrl+z undoes it.")


async def test_a_number_is_tried_step_by_step(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees(NORTHWIND)
        await person.press("T")
        await person.sees(f"Test a number on {NORTHWIND}")
        await person.type("200")
        await person.sees("200 is incomplete", "More digits are needed")
        await person.type("1")
        await person.sees("2001 is a number of your own.", "Main number of Clara Novak.")
        for dialled, verdict, why in (
            ("2998", "is not assigned", "2998 is unassigned."),
            ("0 210 992 001", "is an external call", "The call uses the trunk Harbour Lisbon."),
            ("0 601 234 567", "is barred", "The company's list prohibits +35160 (Premium"),
            ("112", "is an emergency call", "The emergency group is alerted."),
            ("*100", "reaches a service", "*100 calls the service voicemail."),
            ("118", "is an external call", "Directory enquiries to reception changes"),
        ):
            await person.press("ctrl+u")
            await person.type(dialled)
            await person.sees(f"{dialled} {verdict}", why)


async def test_a_number_is_tried_with_what_is_being_edited(service: str) -> None:
    async with story(profile(service)) as person:
        await _edits(person)
        await _types_over(person, "Outgoing prefix", "9")
        await _finds(person, "barring restrictions")
        await person.press("n")
        await person.sees("No number is prohibited")
        await person.press("f5")
        await person.sees("With the unsaved changes of this form.")
        await person.type("9 601 234 567")
        await person.sees("9 601 234 567 is an external call", "The outgoing prefix 9 is removed.")
        await person.press("esc")
        await person.sees("2 changed")


async def test_a_trunk_is_linked_when_there_is_an_outgoing_prefix(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as person:
        name = "Northwind Logistics voice"
        await _edits(person, name)
        await _types_over(person, "Outgoing prefix", "")
        await person.sees_line(r"External trunk ID\s.*needs Outgoing prefix")
        await person.type("0")
        await person.on_field("External trunk ID")
        await person.press("enter")
        await person.sees("Harbour Lisbon", "Two border controllers in Lisbon")
        await person.does_not_see("Meridian Atlantic")
        await person.type("hybrid north")
        await person.does_not_see("Harbour Lisbon")
        await person.press("enter")
        await person.sees_line(r"\* External trunk ID\s+Harbour hybrid North\s+[0-9a-f]+")
        await person.press("ctrl+o")
        await person.sees("External trunk ID: — → Harbour hybrid North")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("e")
        await person.sees_line(r"External trunk ID\s+Harbour hybrid North")
        await _types_over(person, "Outgoing prefix", "")
        await person.sees("requires an outgoing prefix")
        assert person.screen.count("requires an outgoing prefix") == 1


async def test_support_reads_what_may_be_called(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees(NORTHWIND)
        await person.puts_cursor_on(NORTHWIND)
        await person.press("B")
        await person.sees(f"Barring of {NORTHWIND}", "Allowed calls", "Prohibited numbers")
        await person.sees_line(r"custom_numbers\s+the numbers of the company's list .*active")
        await person.sees_line(r"\+35160\s+Premium services, Portugal")
        await person.press("end")
        await person.sees_line(r"Numbers\s+112")
        await person.sees_line(r"Alerts a group\s+yes")


async def test_a_subscriber_who_may_call_inside_only_is_barred_where_the_company_is_not(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("Clara Novak")
        await person.puts_cursor_on("Clara Novak")
        await person.press("e")
        await person.sees("Options of Clara Novak")
        await person.on_field("Barring permissions")
        await person.press("l", "ctrl+o")
        await person.sees("Barring permissions: ")
        await person.press("enter")
        await person.is_ready()
        await person.sees("NUMBER ▲")
        await person.press("T")
        await person.sees("As Clara Novak.")
        await person.type("0 210 992 001")
        await person.sees("is barred", "Only internal calls are permitted.")


async def test_hostile_texts_in_a_plan_are_drawn_as_they_are(hostile_service: str) -> None:
    async with story(profile(hostile_service, SUPERADMIN)) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees("You are owned")
        await person.puts_cursor_on("You are owned")
        await person.press("enter")
        await person.sees("Identity", "FRA")
        await person.press("e")
        await person.sees("▸ Edit", f"{len(fields_of(EDITED))} fields")
        await _finds(person, "announcementProfile")
        await person.sees("needs company_admin")
        await person.press("esc")
        await _finds(person, "numberingPlan")
        await person.on_field("Numbering plan")
        await person.press("enter")
        await person.sees("[@click=", "1 of 100")
        await person.press("enter", "tab", "tab", "end")
        await person.type("!")
        await person.press("ctrl+o")
        await person.sees_line(r"\* Numbering plan\s+.*\[@click=")
        await person.press("ctrl+o")
        await person.sees("Numbering plan: 1 → 1: + 9 4")


async def test_contradictions_are_shown_at_the_fields_that_can_resolve_them(service: str) -> None:
    async with story(profile(service)) as person:
        await _edits(person)
        await person.on_field("Numbering digits")
        await person.press("ctrl+u")
        await person.sees("a numbering prefix requires the number of digits; numbering prefixes require")
        await person.sees("a fixed length requires the number of digits")
        await person.sees("Numbering prefix needs Numbering digits")
        warned = person.app.screen.query_one("#hint", Static).visual
        assert isinstance(warned, Content)
        assert [str(span.style) for span in warned.spans] == [STYLES["warn"]]
        await person.type("4")
        await person.sees("no changes")
        await person.press(*["up"] * 6)
        # The trunk is not for a company's administrator to take away.
        await person.on_field("Outgoing prefix")
        await person.press("ctrl+u", "ctrl+o")
        await person.sees_line(r"\* Outgoing prefix\s+needed by External trunk ID")
        await person.sees("a trunk requires an outgoing prefix")
        await person.does_not_see("Affects 1 CloudPBX")
        await person.type("0")
        await person.sees("no changes")
