"""The linear mode, read step by step as a screen reader does."""

from __future__ import annotations

import re
from dataclasses import replace

from svc_tui.console.core.demo import Demo
from svc_tui.console.shell.linear import changes
from svc_tui.console.shell.linear_page import LinearLine, LinearPage
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, DEFAULT_ACCOUNT, PASSWORD
from tests.stories.driver import TERMINAL, Story, form_fields, profile, story

#: The lines of the form of an application: its fields, and the one that sends it.
LINES = form_fields("update_application") + 1
LINEAR = replace(TERMINAL, linear=True)


class Reader:
    """A user who hears the lines of the console, and sees nothing."""

    def __init__(self, person: Story) -> None:
        assert person.app.linear is not None
        self.person, self.lines, self._heard = person, person.app.linear.read, 0

    @property
    def last(self) -> str:
        """The line with the cursor."""
        return self.lines[-1] if self.lines else ""

    async def hears(self, *lines: str) -> None:
        """These lines are read, soon and in this order; the last one has the cursor."""
        await self.hears_among(*lines)
        # A page that is drawn in two steps is read in two.
        await self.person.until(lambda: self.last == lines[-1], f"the cursor is not on {lines[-1]!r} in {self.lines}")

    async def hears_among(self, *lines: str) -> None:
        """These lines are read, soon and in this order; others may follow."""
        for line in lines:
            await self.person.until(
                lambda line=line: line in self.lines[self._heard :], f"{line!r} is not in {self.lines[self._heard :]}"
            )
            self._heard = self.lines.index(line, self._heard) + 1

    async def presses(self, *keys: str) -> None:
        self._heard = len(self.lines)
        await self.person.press(*keys)


async def test_a_list_a_record_a_form_and_a_dialog_read_aloud(service: str) -> None:
    async with story(profile(service), terminal=LINEAR) as person:
        reader = Reader(person)
        first = "Row 1 of 58: Branch Planner; state blocked; type web; env not deployed; origin partner programme"
        await person.until(lambda: any(line.startswith(first) for line in reader.lines), "the list is not read")
        await person.is_ready()
        assert "Applications" in reader.lines and any(line.startswith("Keys: enter Open") for line in reader.lines)
        await reader.presses("down")
        # Without the day of its creation: the demo's dates are counted from the day on which it starts.
        second = "Row 2 of 58: Branch Studio; state active; type desktop; env deployed; origin import 2024"
        await person.until(lambda: reader.last.startswith(second), "the second row is not read")
        before = len(reader.lines)
        await reader.presses("space")
        await person.until(lambda: any("1 marked" in line for line in reader.lines[before:]), "the mark is not read")
        assert len(reader.lines) == before + 2
        await reader.presses("pgdn", "down", "down", "enter")
        await person.until(lambda: "Applications, Maintenance Portal" in reader.lines, "the record is not read")
        await person.until(lambda: reader.last.startswith("1 of "), "the first field is not read")
        assert "State: Active" in reader.lines
        await reader.presses("e")
        await person.until(lambda: reader.last.startswith(f"1 of {LINES}, Name"), "the form is not read")
        assert "Owner: Clara Novak; needs superadmin or app_superadmin" in reader.lines
        await reader.presses("down")
        await person.until(lambda: f"2 of {LINES}, Description" in reader.last, "the field is not read")
        await person.type("!")
        await person.until(lambda: reader.last.endswith("!"), "the typed text is not read")
        await reader.presses("ctrl+o")
        await reader.hears(
            "Edit application Maintenance Portal",
            "Affects 1 application.",
            "Keys: enter Send   ↑↓ Scroll   ctrl+y Command   esc Back",
        )
        await reader.presses("esc", "esc")
        await reader.hears("Discard unsaved changes?", "Keys: y Leave   enter/esc Stay")
        await reader.presses("y")
        # The record was read before: only its title and the cursor are read again.
        await person.until(lambda: reader.last.startswith("1 of "), "the cursor is not read")
        assert reader.lines[-2] == "Applications, Maintenance Portal"
        await reader.presses("ctrl+l")
        await person.until(lambda: "State: Active" in reader.lines[before:], "the page is not read again")
        await reader.presses(":")
        await person.type("nowhere")
        await person.until(lambda: reader.last.endswith(": :nowhere"), "the prompt is not read")
        await reader.presses("enter")
        await person.until(lambda: "Unknown view “nowhere”" in " ".join(reader.lines[-2:]), "the message is not read")


async def test_the_findings_of_the_start_page_and_its_counts_are_read(service: str) -> None:
    async with story(profile(service), terminal=LINEAR, first="home") as person:
        reader = Reader(person)
        await person.until(lambda: "4 subscriptions end, renew or run out of licences" in reader.lines, "not read")
        await person.until(lambda: "4  Subscriptions: 13" in reader.lines, "the counts are not read")
        await person.until(lambda: reader.last.endswith(", 2 applications are blocked"), "the cursor is not read")
        # The places are the same before and after the login of a profile with a password.
        assert not any("needs a login" in line for line in reader.lines)


async def test_a_quotation_is_read_with_the_values_of_its_columns(service: str) -> None:
    async with story(profile(service, "bp_finance@demo.example"), terminal=LINEAR, first="subscriptions") as person:
        reader = Reader(person)
        await reader.hears_among("6 subscriptions in your company   live")
        await reader.presses(*"/business", "enter")
        await person.until(lambda: "Row 1 of 1: Business; " in reader.last, f"not found: {reader.lines}")
        await reader.presses("u")
        await reader.hears_among("EUR: TODAY, ▸ A", "Per month: 900.00, 900.00", "Next invoice: 1,107.00")
        await person.until(lambda: reader.last == "1 of 6, Licences: 200", "the cursor is not read")
        await reader.presses("backspace", "backspace", "backspace", *"230")
        await reader.hears_among("Per month: 900.00, 1,035.00", "1 of 7, Licences; changed: 230")


def test_a_growing_percentage_is_read_once() -> None:
    pages = [
        LinearPage("Home", (LinearLine("Users", True),), "", f"Preparing the demo data…{more}")
        for more in ("", " 44%", " 95%")
    ]
    assert changes(None, pages[0]) == ["Home", "Preparing the demo data…", "Users"]
    assert changes(pages[0], pages[1]) == changes(pages[1], pages[2]) == []
    assert changes(pages[2], replace(pages[2], message="Ready.")) == ["Ready.", "Users"]


def test_a_line_that_is_being_computed_is_read_once() -> None:
    page = LinearPage("Home", (LinearLine("1 of 14, Checking…", True),), status=": lists all places")
    preparing = replace(page, message="Preparing the demo data…", status="")
    assert changes(page, preparing) == ["Preparing the demo data…"]
    found = replace(page, lines=(LinearLine("1 of 16, 2 companies are in alert", True),))
    assert changes(page, found) == ["1 of 16, 2 companies are in alert"]


def test_a_value_that_is_computed_again_is_read_with_its_new_text_only() -> None:
    def page(amount: str) -> LinearPage:
        lines = (LinearLine(f"Per month: {amount}".strip()), LinearLine("Note: —"), LinearLine("Licences: 2", True))
        return LinearPage("Quotation", lines)

    assert changes(page("900.00"), page("")) == []
    assert changes(page(""), page("1,035.00")) == ["Per month: 1,035.00", "Licences: 2"]


async def test_what_a_message_hid_is_not_read_again(service: str) -> None:
    async with story(profile(service), terminal=LINEAR) as person:
        reader = Reader(person)
        await person.is_ready()
        await person.until(lambda: reader.last.startswith("Row 1 of 58: "), "the list is not read")
        count = next(line for line in reader.lines if line.startswith("58 applications"))
        await reader.presses(":")
        await person.type("nowhere")
        await reader.presses("enter")
        await person.until(lambda: "Unknown view “nowhere”" in " ".join(reader.lines), "the message is not read")
        await reader.presses("esc", "down")
        await person.until(lambda: reader.last.startswith("Row 2 of 58: "), "the second row is not read")
        assert reader.lines.count(count) == 1


def test_counts_that_arrive_are_read_without_the_lines_that_stay() -> None:
    def page(*counts: str) -> LinearPage:
        names = ("Applications", "Companies", "Users", "Sites", "Offers", "Invoices", "Calls", "Hours", "Numbers")
        tasks = tuple(LinearLine(f"Task {number}") for number in range(5))
        places = tuple(LinearLine(f"{name}:{count}") for name in names for count in counts)
        more = tuple(LinearLine(f"{name} of customers:{count}") for name in names for count in counts)
        return LinearPage("Home", (LinearLine("Places"), *places, *more, *tasks, LinearLine("Try", True)), "enter Open")

    read = changes(page(""), page(" 12"))
    assert len(read) == 19 and read[-1] == "Try" and not any("Task" in line or line == "Places" for line in read)
    assert "Keys: enter Open" in changes(page(), page(" 12"))


def test_a_refresh_that_changes_no_row_is_not_read() -> None:
    pages = [
        LinearPage("Companies", (LinearLine("Row 1 of 2: Aloe", True),), "", f"2 companies{more}")
        for more in ("   from cache, read at 12:00", "   from cache, read at 12:00 · refreshing", "")
    ]
    assert changes(pages[0], pages[1]) == changes(pages[1], pages[2]) == []
    marked = replace(pages[2], message="2 companies   1 marked")
    assert changes(pages[2], marked) == ["2 companies   1 marked", "Row 1 of 2: Aloe"]


async def test_the_login_is_read_without_the_password(service: str) -> None:
    async with story(profile(service, password=""), terminal=LINEAR) as person:
        reader = Reader(person)
        await person.sees("Log in to demo")
        await person.type("secret-7")
        await person.until(lambda: reader.last.endswith("•" * 8), "the length of the password is not read")
        assert not any("secret" in line for line in reader.lines)


async def test_a_newcomer_connects_finds_changes_undoes_and_leaves(service: str) -> None:
    """Each step with the lines that are read for it, in order; the last one has the cursor."""
    async with story(None, terminal=LINEAR, first="home") as person:
        reader = Reader(person)
        await reader.hears_among("svc-tui", "Welcome. There is no connection profile yet.")
        await reader.presses("n")
        await reader.hears("New profile", "Service address (https://service.example): ")
        for text, after in (
            (service, "Application ID (for this console, from the operator of the service): "),
            (APP_ID, "Application secret (also from the operator of the service): "),
            (APP_SECRET, "Login (optional) (name@company.example): "),
        ):
            await person.type(text)
            await reader.presses("enter")
            await reader.hears(after)
        await person.type("company_admin@demo.example")
        await reader.presses("enter")
        await reader.hears("Profile name: work")
        await reader.presses("enter")
        await reader.hears("Show cached records without a login: always, until_logout or never: until_logout")
        await reader.presses("enter")
        await reader.hears("Log in to work", "Login: company_admin@demo.example", "Password: ")
        await person.type(PASSWORD)
        await person.until(lambda: reader.last == f"Password: {'•' * len(PASSWORD)}", "the password is not masked")
        await reader.presses("enter")
        # The start page is read as its numbers come, some of them below the login.
        await person.until(lambda: {"Home", "1  Applications: 58"} <= {*reader.lines}, "the start page is not read")
        await person.is_ready()
        await reader.presses("ctrl+k")
        await person.type("campus")
        await reader.hears("Home, Find: campus", "Text: /campus")
        await reader.presses("enter")
        await person.until(lambda: reader.last.startswith("1 of 2, Campus Client"), "the result is not read")
        await reader.presses("enter")
        await reader.hears_among("Home, Find: campus, Campus Client", "State: Active")
        await person.until(lambda: re.match(r"1 of \d+, Name: ", reader.last), "the record is not read")
        of_objects = next(line for line in reader.lines if line.startswith("Subscriptions: "))
        assert "; Offer name: Business API; Status: active" in of_objects
        assert "https://campus-client.northwind.example/login/done" in " ".join(reader.lines)
        await reader.presses("e")
        await person.until(
            lambda: reader.last == f"1 of {LINES}, Name; 1..255 characters: Campus Client", "no form is read"
        )
        await person.press("end")
        await person.type(" 2")
        await reader.presses("ctrl+o")
        await reader.hears_among("Edit application Campus Client", "Name: Campus Client → Campus Client 2")
        await reader.presses("enter")
        await reader.hears_among("Home, Find: campus, Campus Client 2", "Changed. ctrl+z undoes it.")
        await reader.presses("ctrl+z")
        await reader.hears_among("Undo: Edit Campus Client", "Name: Campus Client 2 → Campus Client")
        await reader.presses("enter")
        await reader.hears_among("Home, Find: campus, Campus Client", "Undone.")
        await reader.presses("q", "q", "q")
        await person.until(lambda: person.app.return_value == 0, "the console continues")
        assert not any(secret in line for line in reader.lines for secret in (PASSWORD, APP_SECRET))


async def test_the_captions_of_the_tour_are_read_until_a_key_stops_it(service: str) -> None:
    demo = Demo(lambda: "", tour=1)
    async with story(profile(service, DEFAULT_ACCOUNT.login), terminal=LINEAR, first="home", demo=demo) as person:
        reader = Reader(person)
        place = "Tour 1 of 5: "
        await person.until(lambda: any(line.startswith(place) for line in reader.lines), "no caption is read")
        caption = next(index for index, line in enumerate(reader.lines) if line.startswith(place))
        assert "searches all areas at once." in reader.lines[caption - 1]
        await reader.presses("down")
        await person.until(
            lambda: any(line.startswith("The tour has stopped.") for line in reader.lines), "the end is not read"
        )


async def test_the_audit_log_counts_changes(service: str) -> None:
    async with story(profile(service), place="audit") as person:
        await person.is_ready()
        await person.sees_line(r"^ \d+ changes ")
