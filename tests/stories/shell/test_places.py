"""Getting anywhere: the menu of places, the digits, the palette, and what leads to records below others."""

from __future__ import annotations

import pytest

from svc_tui.console.shell.resources import ALL
from svc_tui.console.widgets.menu import Menu
from tests.stories.driver import Story, profile, story

ORGANISATION = "organization_admin@demo.example"


def calls(person: Story) -> int:
    return len(person.app.frame.workspace.log.exchanges)


async def test_the_menu_lists_every_place_with_counts_and_reasons_and_requests_nothing(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        before = calls(person)
        await person.press(":")
        await person.sees("Users and access", "Directories", "Console")
        menu = person.app.frame.query_one(Menu)
        assert {line.name for line in menu.lines} >= {resource.name for resource in ALL if resource.report is None}
        await person.sees_line(r"^  applications +58 ")
        await person.sees_line(r"invoices  needs supera…")
        await person.type("inv")
        await person.sees_line(r"^  invoices +Invoices +needs superadmin or bp_")
        await person.press("tab")
        await person.until(lambda: person.footer.startswith(" Invoices   needs superadmin or bp_finance"), "the reason")
        await person.press("tab")
        await person.sees(":invoicefiles ")
        await person.press("tab")
        await person.sees(":invoices ")
        await person.press("shift+tab")
        await person.sees(":invoicefiles ")
        assert calls(person) == before
        await person.press("esc")
        await person.sees("Branch Planner")
        await person.does_not_see("Users and access")
        # A report is not in the whole menu, but it is found with its title.
        await person.press(":")
        await person.type("report-rec")
        await person.sees_line(r"^  report-reconciliation +[A-Z]\w+")


async def test_a_completed_place_opens_with_the_filter_behind_it(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press(":")
        await person.type("use")
        await person.press("tab")
        await person.type(" clara")
        await person.press("enter")
        await person.sees("demo ▸ Users", "Clara Novak", "/clara")


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("1", "Applications"), ("2", "Companies"), ("3", "Users"), ("4", "Subscriptions"), ("5", "CloudPBXs"),
        ("6", "Recordings"), ("7", "Directory"), ("8", "Invoices"), ("9", "Dashboard"),
    ],
)  # fmt: skip
async def test_a_digit_opens_a_frequent_place(service: str, key: str, title: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="sites") as person:
        await person.is_ready()
        await person.press(key)
        await person.sees(title)
        await person.until(lambda: f"▸ {title}" in person.top or f"{title} belong" in person.screen, title)


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("invoice", "Invoicing files"), ("licence", "Licences"), ("phone number", "DDI numbers"), ("PBX", "CloudPBXs"),
        ("contact", "Directory"), ("forwarding", "Subscribers"),
    ],
)  # fmt: skip
async def test_the_palette_finds_a_place_by_what_users_call_it(service: str, words: str, place: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type(words)
        await person.sees(f"│ {place} ")


async def test_the_palette_finds_a_setting_of_the_record_by_its_name(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.puts_cursor_on("Northwind Telecom")
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("retention")
        await person.sees_line(r"Recording retention +Edit: ")
        await person.does_not_see("Your OAuth tokens")
        await person.press("enter")
        await person.sees("▸ Edit", "no changes", "60..365 days")
        await person.press("ctrl+u")
        await person.type("120")
        await person.press("ctrl+o")
        await person.sees("retention: 90 → 120")


async def test_the_palette_finds_the_settings_of_a_cloudpbx_and_the_options_of_a_subscriber(service: str) -> None:
    async with story(profile(service), place="cloudpbxs") as person:
        await person.sees("Northwind voice")
        await person.is_ready()
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("outgoing prefix")
        await person.sees_line(r"Outgoing prefix +Edit: ")
        await person.press("esc", "S")
        await person.sees("Subscribers of Northwind voice")
        await person.is_ready()
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("external call forward")
        await person.sees_line(r"External call forward +Options: ")
        await person.press("enter")
        await person.sees("▸ Options of ", "no changes")
        await person.press("n")
        await person.sees_line(r"\* External call forward \* +Not allowed")
        await person.press("esc")
        await person.sees("Discard unsaved changes?")
        await person.press("y", "ctrl+p")
        await person.sees("Actions and places")
        await person.type("users can select")
        await person.sees_line(r"Users can select the company .* +only for the whole CloudPBX")


async def test_the_palette_offers_no_options_that_the_role_may_not_set(service: str) -> None:
    async with story(profile(service, "support@demo.example"), place="cloudpbxs") as person:
        await person.is_ready()
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("outgoing prefix")
        await person.sees("No results.")


async def test_the_palette_greys_a_setting_that_the_role_may_not_set_in_this_company(service: str) -> None:
    async with story(profile(service), place="companies/own") as person:
        await person.sees("Subscriptions")
        await person.until(lambda: not person.app.frame.workspace.busy, "not read")
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("offer type")
        await person.sees_line(r"Offer type +needs ")
        await person.press("ctrl+u")
        await person.type("state or province")
        await person.sees_line(r"State or province +only when Country is USA or CAN")


async def test_the_palette_finds_the_settings_of_the_own_company_on_the_start_page(service: str) -> None:
    async with story(profile(service), place="home") as person:
        await person.sees("Needs attention")
        await person.until(lambda: person.app.frame.workspace.caller is not None, "not logged in")
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("recording retention")
        await person.sees_line(r"Recording retention +Edit company: ")
        await person.press("enter")
        await person.sees("▸ Edit", "no changes", "60..365 days")
        await person.press("esc", "esc")
        await person.sees("Needs attention")


async def test_the_palette_offers_no_settings_of_the_own_company_to_roles_that_may_set_none(service: str) -> None:
    async with story(profile(service, "user@demo.example"), place="home") as person:
        await person.sees("Your account")
        await person.press("ctrl+p")
        await person.sees("Actions and places")
        await person.type("recording retention")
        await person.sees("No results.")


async def test_the_palette_begins_with_what_can_be_done_here(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("ctrl+p")
        # What the record or the role refuses stands further below.
        await person.sees("Actions and places", "Open the application", "New application")
        await person.does_not_see("Page down", "Edit the application")


async def test_the_palette_opens_a_place_and_greys_what_the_role_lacks(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("ctrl+p")
        await person.type(":invoices")
        await person.sees_line(r"│ Invoices +needs superadmin or bp_finance")
        await person.press("esc", "ctrl+p")
        await person.type("address book")
        await person.sees("│ Directory ")
        await person.press("enter")
        await person.sees("demo ▸ Directory")


async def test_leaving_unsaved_rows_by_a_place_asks_first(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New application")
        await person.type("Not sent")
        await person.press("ctrl+p")
        await person.type(":companies")
        await person.sees("│ Companies ")
        await person.press("enter")
        await person.sees("Discard unsaved changes?")
        await person.press("n")
        await person.sees_line(r"Name \*\s+Not sent")


async def test_devices_of_one_of_several_cloudpbxs_are_reached_with_enter(service: str) -> None:
    async with story(profile(service, ORGANISATION)) as person:
        await person.is_ready()
        await person.goes("devices")
        await person.sees("SIP devices belong to a CloudPBX. Choose one: enter opens its SIP devices.")
        await person.puts_cursor_on("Northwind Logistics")
        await person.until(lambda: "enter opens its SIP devices" in person.status, "where enter leads")
        await person.press("enter")
        await person.sees("SIP devices of Northwind Logistics voice")


async def test_a_link_keeps_what_it_shows_through_the_choice_of_a_parent(service: str) -> None:
    async with story(profile(service, ORGANISATION)) as person:
        await person.is_ready()
        await person.goes("sipdevices?filter=e&sort=-description")
        await person.sees("SIP devices belong to a CloudPBX. Choose one: enter opens its SIP devices.")
        await person.puts_cursor_on("Northwind Logistics")
        await person.until(lambda: "enter opens its SIP devices" in person.status, "where enter leads")
        assert "/e" not in person.status
        await person.press("enter")
        await person.sees("SIP devices of Northwind Logistics voice", " /e ", "DESCRIPTION ▼")


async def test_records_two_levels_down_are_reached_one_choice_after_the_other(service: str) -> None:
    async with story(profile(service, ORGANISATION)) as person:
        await person.is_ready()
        await person.goes("registrations")
        await person.sees("Registrations belong to a CloudPBX.")
        await person.puts_cursor_on("Northwind Logistics")
        await person.press("enter")
        await person.sees("Registrations belong to a subscriber. Choose one: enter opens its")
        await person.puts_cursor_on("Mina Park")
        await person.press("enter")
        await person.sees("Registrations of Mina Park")


async def test_the_footer_of_80_columns_always_has_places_the_filter_and_help(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for place in ("applications", "companies", "users", "cloudpbxs", "subscriptions", "directoryentries"):
            await person.goes(place)
            await person.until(lambda: "/ Filter  : Go  ? Help" in person.footer, f"the keys in the footer of {place}")
        await person.goes("account")
        await person.until(lambda: ": Go  ? Help" in person.footer, "the keys in the footer of a record")


async def test_an_unbound_key_is_reported_once(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("%")
        await person.sees("% does nothing here. ? shows the keys.")
        await person.press("down")
        await person.does_not_see("does nothing here")
        await person.press("%")
        await person.does_not_see("does nothing here")
