"""The search over everything, typed: from what a caller says to the record, also without the service."""

from __future__ import annotations

import pytest
from textual import events

from svc_tui.console.views.find import FindView
from svc_tui.interface.catalogue import operation
from tests.stories.beside import other_client
from tests.stories.driver import Story, form_fields, profile, story
from tests.stories.wire import wired


async def finds(s: Story, text: str) -> None:
    """Type a search and wait for its end."""
    await s.goes(f"find {text}")
    await s.until(lambda: " request" in s.status, f"the search for {text} does not end")


async def puts_cursor_on(s: Story, kind: str) -> None:
    """Move down to the first result of a kind."""
    view = s.app.frame.view
    assert isinstance(view, FindView)
    await s.press("home")
    while view.hit is None or view.hit.kind != kind:
        before = view.sheet.cursor
        await s.press("down")
        assert view.sheet.cursor != before, f"no {kind}\n{s.screen}"


async def test_an_email_address_leads_to_the_user_and_back(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await finds(s, "user@demo.example")
        await s.sees("Users (1)", "Companies (1)", "Subscribers (1)", "SIP devices (1)", "Licences (4)", "9 results")
        assert "Find: user@demo.example" in s.top
        await s.press("enter")
        await s.sees("Findings", "Last login", "Identity")
        await s.press("esc")
        await s.sees("9 results")
        await s.press("esc")
        await s.sees_line(r"^ \d+ applications")


async def test_a_site_is_found_with_the_name_of_its_company(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as s:
        await s.is_ready()
        await finds(s, "lisbon")
        await s.sees_line(r"Lisbon shop +active +Northwind Retail")


@pytest.mark.parametrize("text", ["<tel:+351-210-992-005>", "00351-210992005", '"210992005"', "2005"])
async def test_a_number_in_any_notation_leads_to_its_subscriber(service: str, text: str) -> None:
    async with story(profile(service)) as s:
        await s.is_ready()
        await finds(s, text)
        await s.sees("Subscribers (1)")
        await s.sees_line(r"Una Byrne +2005, \+351210992005   Northwind voice")
        await puts_cursor_on(s, "subscribers")
        await s.press("enter")
        await s.sees("Short number", "Voicemail number")
        assert f"Find: {text} ▸ Una Byrne" in s.top


async def test_what_is_copied_from_a_link_is_searched_for_where_places_are_typed(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await s.press(":")
        s.app.post_message(events.Paste("\u200b\n Vera <mailto:user@demo.example>\n"))
        await s.press("enter")
        await s.sees("Users (1)")
        assert "Find: user@demo.example" in s.top


async def test_a_mac_address_leads_to_its_device(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as s:
        await s.is_ready()
        await finds(s, "02-74-A1-2B-79-CD")
        await puts_cursor_on(s, "sipdevices")
        await s.press("enter")
        await s.sees("02:74:a1:2b:79:cd", "Device type")


async def test_a_part_of_a_name_leads_to_the_settings_of_the_company_and_is_changed_in_place(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example"), place="companies") as s:
        await s.is_ready()
        await s.press("ctrl+k")
        await s.sees("What can be found", "a MAC address in any notation")
        await s.type("wind ret")
        await s.sees("Northwind Retail")
        await s.press("enter")
        await s.sees("Companies (1)")
        await s.press("/")
        await s.type("wind log")
        await s.sees("Northwind Logistics")
        await s.does_not_see("Northwind Retail")
        await s.press("esc")
        await s.sees("Northwind Retail")
        await s.on_field("Northwind Retail")
        await s.press("enter")
        await s.sees("Northwind Retail", "Status")
        await s.press("e")
        await s.sees("Northwind Retail ▸ Edit", f"{form_fields('update_company')} fields")
        await s.press("esc", "esc", "esc")
        await s.sees_line(r"^ \d+ companies")


@pytest.fixture
async def last_number(service: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A number in the last CloudPBX of the list, while the search asks one at a time."""
    monkeypatch.setattr("svc_tui.workspace.search.scopes.AT_A_TIME", 1)
    async with other_client(service, "support@demo.example") as other:
        systems = (await other.send(operation("list_cloudpbxs"))).body["data"]
        listed = await other.send(operation("list_ddi_numbers"), path={"systemId": systems[-1]["id"]})
        return str(listed.body["data"][0]["numberE164"])


async def test_a_number_beyond_the_first_cloudpbxs_is_found_without_a_key(service: str, last_number: str) -> None:
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await finds(s, last_number)
        await s.sees("DDI numbers (1)", f" {last_number}")
        await s.does_not_see("searches the rest")


async def test_a_number_beyond_what_is_searched_by_itself_is_found_by_searching_the_rest(
    service: str, last_number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc_tui.workspace.search.search.MOST_BY_ITSELF", 0)
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await finds(s, last_number)
        await s.sees("only in 1 of 6 CloudPBXs", "m searches the rest")
        await s.does_not_see("DDI numbers (1)")
        await s.press("m")
        await s.sees("DDI numbers (1)", f" {last_number}")


async def test_a_number_that_was_typed_is_searched_further_when_it_is_accepted(service: str, last_number: str) -> None:
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await s.press("ctrl+k")
        await s.type(last_number)
        await s.sees("only in 1 of 6 CloudPBXs")
        await s.does_not_see("DDI numbers (1)")
        await s.press("enter")
        await s.sees("DDI numbers (1)", f" {last_number}")


async def test_back_leads_to_the_results_with_the_cursor_where_it_was(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await finds(s, "user@demo.example")
        await puts_cursor_on(s, "subscribers")
        await s.goes("companies")
        await s.sees("demo ▸ Companies")
        await s.press("-")
        await s.sees("Find: user@demo.example", "Subscribers (1)")
        await s.until(lambda: s.app.frame.view.cursor.startswith("subscribers "), "the cursor")
        await s.press("-")
        await s.sees("demo ▸ Applications")
        await s.press("+")
        await s.sees("Find: user@demo.example")
        await s.press("+")
        await s.sees("demo ▸ Companies")


async def test_a_search_without_a_text_closes_with_its_prompt(service: str) -> None:
    async with story(profile(service), place="companies") as s:
        await s.is_ready()
        await s.press("ctrl+k")
        await s.sees("What can be found")
        await s.press("esc")
        await s.sees("1 company")


async def test_an_invoice_number_leads_to_its_invoice_and_its_lines(service: str) -> None:
    async with other_client(service, "bp_finance@demo.example") as other:
        own = (await other.send(operation("get_own_user"))).body["data"]["companyId"]
        listed = await other.send(operation("list_company_invoices"), path={"companyId": own})
        number = listed.body["data"][2]["invoiceNumber"]
    async with story(profile(service, "bp_finance@demo.example"), place="companies") as s:
        await s.is_ready()
        await finds(s, number)
        await s.sees("Invoices (1)", "Not searched")
        await s.on_field(number)
        await s.press("enter")
        await s.sees("Amount", number)
        await s.press("G")
        await s.sees("Storm & Sons: Workshop", " × ")


async def test_keys_typed_after_the_text_wait_for_the_first_result(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as s:
        await s.is_ready()
        await s.goes("find user@demo.example")
        await s.press("enter")
        await s.sees("Findings", "Last login", "Identity")


async def test_a_role_without_access_reads_why_something_was_not_searched(service: str) -> None:
    async with story(profile(service, "directory_admin@demo.example"), place="directoryentries") as s:
        await s.is_ready()
        await finds(s, "2005")
        await s.sees("Nothing found as extension, reference.", "Not searched", "Recordings: needs company_admin")


async def test_without_the_service_cached_records_are_found_and_the_rest_comes_with_it(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, "support@demo.example"), place="users") as s:
        await s.is_ready()
        wire.away = True
        wire.cut()
        await s.press("r")
        await s.sees("Offline")
        await s.goes("find nowhere")
        await s.sees("Nothing found as name, login in the cache. Service not searched yet.")
        await s.goes("find agnes.jansen15")
        await s.sees("Users (1)", "Agnes Jansen", "cached", "1 result, 1 from the cache   Offline: only cached records")
        wire.away = False
        await s.press("r")
        await s.sees("Subscribers (1)", "Northwind voice")
        await s.until(lambda: " request" in s.status, "the search does not end")
        await s.does_not_see("cached")


async def test_the_console_opens_at_a_search_which_asks_the_service_after_the_login(service: str) -> None:
    async with story(profile(service, "support@demo.example"), place="find/user@demo.example") as s:
        await s.sees("Find: user@demo.example", "Users (1)", "Subscribers (1)")
        await s.does_not_see("only cached records were searched")


async def test_the_cursor_is_on_the_best_result_until_it_is_moved(service: str) -> None:
    async with wired(service) as (wire, url):
        # The names of companies for the column of the list are not cached yet.
        wire.hold = b"GET /api/svc/admin/v1.0/companies"
        async with story(profile(url, "bp_admin@demo.example"), place="cloudpbxs") as s:
            await s.until(wire.held.is_set, "nothing is held")
            await s.sees("Northwind voice")
            wire.away, wire.hold = True, b""
            wire.cut()
            await s.press("r")
            await s.sees("Offline")
            await s.goes("find northwind")
            await s.sees("Northwind voice", "cached")
            view = s.app.frame.view
            assert isinstance(view, FindView)
            assert view.cursor.startswith("cloudpbxs ")
            wire.away = False
            await s.press("r")
            await s.until(lambda: " request" in s.status, "the search does not end")
            # The companies came later and fit as well, and they are above.
            assert view.cursor.startswith("companies ")
            assert "Companies (3)" in s.lines[1]
            await puts_cursor_on(s, "cloudpbxs")
            selected = view.cursor
            await s.press("r")
            await s.until(lambda: " request" in s.status, "the search does not end")
            assert view.cursor == selected


async def test_many_results_of_a_kind_leave_room_for_the_others_and_are_all_shown_on_request(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as s:
        await s.is_ready()
        await finds(s, "north")
        await s.sees("Companies (3)", "Sites (6)", "North 52", "External trunks (1)")
        view = s.app.frame.view
        assert isinstance(view, FindView)
        await s.press("G")
        while not view.shortened:
            await s.press("up")
        await s.sees("Users (20)", "15 more")
        await s.press("enter")
        await s.does_not_see("15 more")
        assert view.hit is not None and view.hit.kind == "users"
        await s.press("enter")
        await s.sees("Findings", "Last login")


async def test_a_contact_that_is_found_by_a_field_that_lists_do_not_show_names_the_field(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as s:
        await s.is_ready()
        await finds(s, "planner")
        await s.sees_line(r"Bertrand Almeida +Job title: Planner, bertrand\.almeida")
