"""Settings of a company: found, changed in several groups, reviewed, sent as one; refused ones stay."""

from __future__ import annotations

import pytest

from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.long_form import LongFormView
from svc_tui.server.demo.repeatable import id_of
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, form_fields, profile, story

#: What the status line says of the form of a company.
SETTINGS = f"{form_fields('update_company')} fields"


async def _opens_settings(person: Story, company: str = "Northwind Telecom") -> None:
    await person.is_ready()
    await person.goes("companies")
    await person.sees(company)
    await person.puts_cursor_on(company)
    await person.press("enter")
    await person.sees(f"Companies ▸ {company}", "Findings")
    await person.press("e")
    await person.sees(f"{company} ▸ Edit", SETTINGS, "no changes")


async def _finds(person: Story, words: str) -> None:
    await person.press("ctrl+f")
    await person.type(words)
    await person.press("enter")
    await person.sees(f"/{words}")


async def test_three_settings_of_different_groups_go_as_one_update(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_settings(person)
        await person.on_field("Slogan")
        await person.press("ctrl+u")
        await person.type("Every call arrives")
        await _finds(person, "retention")
        await person.sees(f"1 of {SETTINGS}", "How long recordings are kept", "60..365 days")
        await person.on_field("Recording retention")
        await person.press("ctrl+u")
        await person.type("40")
        await person.sees("must be 60 or more")
        await person.press("backspace", "backspace")
        await person.type("120")
        await person.press("esc")
        await person.does_not_see("/retention")
        await _finds(person, "avatar shape")
        await person.press("s")
        await person.sees_line(r"Avatar shape\s+Square")
        await person.sees("3 changed")
        await person.press("ctrl+o")
        await person.sees("Slogan: Calls that arrive → Every call arrives", "retention: 90 → 120")
        await person.sees("Avatar shape: Circle → Square")
        await person.sees("PUT /api/svc/admin/v1.0/companies/", "Affects 1 company.")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.on_field("Slogan")
        await person.sees_line(r"Slogan\s+Every call arrives")
        await person.on_field("Avatar shape")
        await person.sees_line(r"Avatar shape\s+Square")


async def test_a_value_that_another_administrator_changed_is_shown_before_it_is_replaced(
    service: str,
) -> None:
    company = id_of("company", "northwind")
    async with story(profile(service)) as person, other_client(service) as client:
        await _opens_settings(person)
        await person.on_field("Slogan")
        await person.press("ctrl+u")
        await person.type("Mine")
        await person.on_field("City")
        await person.press("ctrl+u")
        await person.type("Porto")
        await call(client, "update_company", {"slogan": "Theirs", "street": "Rua Nova 1"}, companyId=company)
        await person.press("ctrl+o")
        await person.sees("Slogan: Theirs → Mine", "City: Lisboa → Porto")
        await person.sees("Changed by another administrator since you opened the form: Slogan.")
        assert "street" not in person.screen
        await person.press("esc")
        await person.sees_line(r"Street +Rua Nova 1")
        await person.press("ctrl+o")
        await person.sees("Slogan: Theirs → Mine")
        await person.does_not_see("Changed by another administrator")
        await call(client, "update_company", {"slogan": "Theirs again"}, companyId=company)
        await person.press("enter")
        await person.sees_across_lines("Not sent: another administrator has just changed Slogan. Review your changes")
        await person.press("esc")
        await person.sees("Not sent: another administrator")
        await person.press("ctrl+o")
        await person.sees("Slogan: Theirs again → Mine")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.press("ctrl+z")
        await person.sees("Slogan: Mine → Theirs again", "City: Porto → Lisboa")
        await person.press("enter")
        await person.sees("Undone.")


async def test_the_reason_of_a_read_only_field_leaves_room_for_its_value(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as person:
        await _opens_settings(person, "Bluebird Clinics")
        await _finds(person, "website")
        await person.sees_line(r"Website +https://bluebird\.example +your role is")


async def test_the_form_of_a_partner_begins_at_the_first_field_that_its_role_may_set(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example")) as person:
        await _opens_settings(person, "Bluebird Clinics")
        await person.sees("A freemium company cannot take paid offers · space changes, enter lists all")
        await _finds(person, "identity")
        await person.sees_line(r"Name +Bluebird Clinics +your role is")


async def test_what_another_administrator_changed_in_the_same_way_is_not_sent_again(service: str) -> None:
    company = id_of("company", "northwind")
    async with story(profile(service)) as person, other_client(service) as client:
        await _opens_settings(person)
        await person.on_field("Slogan")
        await person.press("ctrl+u")
        await person.type("The same")
        await call(client, "update_company", {"slogan": "The same"}, companyId=company)
        await person.press("ctrl+o")
        await person.sees("Nothing to send: the record already has these values.")
        await person.press("esc")
        await person.sees("Companies ▸ Northwind Telecom", "Findings")


async def test_what_the_service_refuses_stays_and_so_do_the_others(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_settings(person)
        await person.press("ctrl+u")
        await person.type("Default")
        await person.on_field("City")
        await person.press("ctrl+u")
        await person.type("Lisbon")
        await person.press("ctrl+o")
        await person.sees("Name: Northwind Telecom → Default", "City: ")
        await person.press("enter")
        await person.sees("reserved", "Your input is kept")
        await person.press("esc")
        await person.sees_line(r"\* Name\s+Default\s+.*reserved")
        await person.sees_line(r"\* City\s+Lisbon")
        await person.press("ctrl+u")
        await person.type("Northwind Telecom")
        await person.does_not_see("reserved")
        await person.sees("1 changed")
        await person.press("ctrl+o", "enter")
        await person.sees("Changed.")


async def test_record_shows_everything_about_recordings(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_settings(person)
        await person.press("ctrl+f")
        await person.type("record")
        await person.sees("Recording and voicemail", "Record incoming calls only", "Meeting recording")
        await person.sees("allowCloudPbxRecording", "set by superadmin", "deprecated", "needs superadmin")
        await person.does_not_see("Slogan")
        await person.press("esc")
        await person.sees("Slogan", SETTINGS)


async def test_addresses_have_their_limit_and_custom_data_its_pairs(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await _opens_settings(person, "Juniper Labs")
        await _finds(person, "csEmailList")
        await person.press("enter")
        await person.sees("at most 10", "one per line")
        await person.type("a@b.example")
        await person.press("enter")
        await person.type("nomail")
        await person.sees("2 of 10", "nomail does not have the right format")
        await person.press("backspace", *["backspace"] * 6)
        await person.press("ctrl+o")
        await person.sees_line(r"\* Customer success emails\s+a@b\.example")
        await person.press("esc")
        await _finds(person, "customData")
        await person.on_field("Custom data")
        await person.press("enter")
        await person.sees("key=value, one per line")
        await person.type("cost centre")
        await person.sees("line 1 is not key=value")
        await person.type("=4711")
        await person.does_not_see("is not key=value")
        await person.press("ctrl+o")
        await person.sees("cost centre 4711", "2 changed")


async def test_a_contact_is_chosen_by_name(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_settings(person)
        await _finds(person, "companyContactId")
        await person.press("enter")
        await person.type("una")
        await person.sees("Una Byrne  user@demo.example")
        await person.press("enter")
        await person.sees_line(r"\* Company contact\s+Una Byrne\s+[0-9a-f]+")
        await person.press("ctrl+o")
        await person.sees('"companyContactId": "')


async def test_one_s_own_company_is_a_place(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("companies/own")
        await person.sees("▸ Northwind Telecom", "Findings")
        await person.goes("companies/own/sites")
        await person.sees("▸ Sites", "Porto")


async def test_a_country_is_chosen_by_its_name(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_settings(person)
        await _finds(person, "country;")
        await person.press("enter")
        await person.sees("Type to search")
        await person.type("united states")
        await person.sees("USA")
        await person.press("enter")
        await person.sees_line(r"\* Country\s+USA")
        await person.press("esc")
        await person.on_field("State or province")
        await person.type("Ohio")
        await person.sees_line(r"\* State or province\s+Ohio")


@pytest.mark.parametrize("width", [80, 200])
async def test_a_setting_is_found_in_the_details_by_its_name_and_edited_from_there(service: str, width: int) -> None:
    async with story(profile(service), place="companies", size=(width, 24)) as person:
        await person.is_ready()
        await person.press("enter")
        await person.sees("Findings", "Subscriptions")
        await person.press("/")
        await person.sees("a label or value")
        await person.type("slogan")
        await person.sees_line(r"Slogan +\w")
        await person.does_not_see("Website", "Last import")
        await person.press("enter")
        await person.sees("/slogan")
        await person.press("e")
        await person.sees("Northwind Telecom ▸ Edit")
        view = person.app.frame.view
        assert isinstance(view, LongFormView)
        assert view.wire == "slogan"
        await person.press("esc")
        await person.sees("/slogan")
        await person.press("esc")
        await person.does_not_see("/slogan")
        # The cursor stays on the field.
        detail = person.app.frame.view
        assert isinstance(detail, DetailView)
        assert detail.field is not None and detail.field[0] == "slogan"
        await person.press("/")
        await person.type("nowhere")
        await person.sees("No matches. esc clears the filter.")
        await person.press("esc")
        await person.does_not_see("No matches", "/nowhere")
        await person.press("esc")
        await person.sees_line(r"^ 1 company")


async def test_the_palette_shows_which_settings_another_role_may_set(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.puts_cursor_on("Northwind Telecom")
        await person.press("enter")
        await person.sees("Companies ▸ Northwind Telecom", "Findings")
        await person.press("ctrl+p")
        await person.type("currency")
        await person.sees_line(r"Currency\s.*needs superadmin")
        await person.press("esc")
        await person.goes("as superadmin")
        await person.sees("as superadmin, read-only")
        await person.press("ctrl+p")
        await person.type("currency")
        await person.sees("Currency")
        await person.does_not_see("needs superadmin")


async def test_what_the_role_may_not_set_stands_behind_one_line_with_the_reason(service: str) -> None:
    async with story(profile(service)) as person:
        await _opens_settings(person)
        view = person.app.frame.view
        assert isinstance(view, LongFormView)
        assert not [spec.wire for spec in view.fields() if view.form.why_not(spec.wire)]
        await person.sees(f"{len(view.fields())} of {SETTINGS}")
        view.end()
        view.move(-1)
        await person.sees_line(r"\d+ fields? +needs ")
        await person.sees("enter Show")
        hidden = {wire for wires in view._folded().values() for wire in wires}
        await person.press("enter")
        await person.until(lambda: view.wire in hidden, "the cursor is on none of them")
        await person.does_not_see(f" of {SETTINGS}")
        # Their values and reasons are read as before.
        assert view.fields() == view.form.specs
        await person.press("esc")
        # One that is searched for is shown at once, and so is one that is asked for by its name.
        await person.press("e")
        await person.sees(f" of {SETTINGS}")
        await _finds(person, "currency")
        await person.sees_line(r"Currency +.*needs superadmin")
        await person.press("esc")
        await person.sees(f" of {SETTINGS}")
