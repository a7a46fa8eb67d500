"""Which company a record belongs to: a column in lists across companies, and a key from any record to its company."""

from __future__ import annotations

import pytest

from tests.stories.driver import Story, profile, story
from tests.stories.shell.test_find import finds, puts_cursor_on


def asked(person: Story, operation_id: str) -> int:
    return sum(call.operation_id == operation_id for call in person.app.frame.workspace.log.exchanges)


async def test_a_list_across_companies_names_them_with_one_request_and_is_filtered_by_them(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="sites") as person:
        await person.is_ready()
        await person.sees_line(r"^▌Airport 16 +● active +Storm & Sons")
        await person.press("/")
        await person.type("company:north")
        await person.press("enter")
        await person.sees("10 of 71")
        await person.sees_line(r"Évora shop +▲ on hold +Northwind Retail")
        await person.goes("cloudpbxs")
        await person.sees_line(r"^▌Bluebird switchboard +● connected +Bluebird Clinics")
        await person.goes("invoicefiles")
        await person.sees_line(r"CDR_voice_2026-\d\d_AP-20-01.csv +Lighthouse Direct")
        assert asked(person, "list_companies") == 1


async def test_a_filter_by_company_finds_rows_whose_names_were_not_shown_yet(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("sites company:retail")
        await person.sees("3 of 71")
        await person.sees_line(r"Évora shop +▲ on hold +Northwind Retail")
        assert asked(person, "list_companies") == 1


async def test_users_of_several_companies_are_sorted_by_company_without_another_request(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="users") as person:
        await person.is_ready()
        await person.sees_line(r"^▌Adam Arslan .* Storm & Sons +● active")
        await person.press("s", "c")
        await person.sees_line(r"^ NAME +LOGIN +COMPANY ▲")
        await person.sees_line(r"^.\S+ \S+ +\S+ +Aloe Cosmetics")
        assert asked(person, "list_companies") == 0


@pytest.mark.parametrize("place", ["users", "sites", "cloudpbxs"])
async def test_lists_of_one_company_do_not_name_it(service: str, place: str) -> None:
    async with story(profile(service), place=place) as person:
        await person.is_ready()
        await person.until(lambda: "NAME" in person.lines[1], "the list")
        assert "COMPANY" not in person.lines[1]


async def test_a_list_below_a_company_does_not_name_it_and_the_role_lens_shows_what_its_role_sees(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.press("U")
        await person.sees_line(r"^ NAME ▲ +LOGIN")
        assert "COMPANY" not in person.lines[1]
        await person.goes("users")
        await person.sees_line(r"^ NAME ▲ .* COMPANY")
        await person.goes("templates")
        await person.sees_line(r"^ NAME ▲ .* COMPANY")
        await person.sees_line(r"Clinics .* Harbour Telecom")
        await person.goes("users")
        await person.goes("as company_admin")
        await person.sees("as company_admin would see it")
        await person.until(lambda: "COMPANY" not in person.lines[1], "the column of a role that sees one company")


async def test_a_device_a_recording_and_an_api_key_lead_to_their_company_and_back(service: str) -> None:
    async with story(profile(service), place="cloudpbxs") as person:
        await person.is_ready()
        await person.press("D")
        await person.sees("SIP devices of Northwind voice")
        await person.is_ready()
        await person.press("b")
        await person.sees("▸ Northwind Telecom", "Findings")
        await person.press("esc")
        await person.sees("SIP devices of Northwind voice")
        await person.press("esc", "R")
        await person.sees("Recordings of Northwind voice")
        await person.is_ready()
        await person.press("enter")
        await person.sees("File name")
        await person.press("b")
        await person.sees("▸ Northwind Telecom", "Findings")
        await person.goes("apikeys")
        await person.is_ready()
        before = asked(person, "get_user")
        await person.press("b")
        await person.sees("▸ Northwind Telecom", "Findings")
        assert asked(person, "get_user") == before


async def test_an_invoice_an_application_and_a_result_of_a_search_lead_to_their_company(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.press("b")
        await person.until(lambda: person.app.frame.place.kind == "companies", "the company of the owner")
        assert asked(person, "get_user") == 1
        await person.press("esc")
        await finds(person, "user@demo.example")
        await puts_cursor_on(person, "sipdevices")
        await person.press("b")
        await person.until(lambda: person.app.frame.place.kind == "companies", "the company of the device")
        await person.goes("invoicefiles")
        await person.is_ready()
        await person.press("b")
        await person.sees("▸ Lighthouse Direct")


async def test_a_list_of_invoices_and_one_invoice_lead_to_their_company(service: str) -> None:
    async with story(profile(service, "bp_finance@demo.example"), place="invoices") as person:
        await person.is_ready()
        await person.press("b")
        await person.sees("▸ Harbour Telecom Partners", "Findings")
        await person.press("esc")
        await person.sees("NUMBER")
        await person.press("enter")
        await person.until(lambda: person.app.frame.place.record_id, "the invoice")
        await person.press("b")
        await person.sees("▸ Harbour Telecom Partners", "Findings")


async def test_a_record_without_a_company_gives_the_reason(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="clientsversions") as person:
        await person.is_ready()
        await person.press("b")
        await person.sees("this record belongs to no company")
        await person.goes("companies")
        await person.is_ready()
        await person.press("b")
        await person.sees("this is a company")
