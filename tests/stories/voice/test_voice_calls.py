"""Calls of a company: recordings found and deleted, and the welcome services that answer its numbers."""

from __future__ import annotations

import re

from tests.stories.driver import Story, profile, story


async def _sees_recordings(person: Story) -> None:
    await person.is_ready()
    await person.goes("recordings")
    await person.sees("▸ Recordings of Northwind voice", "DATE ▼", "1,250 recordings")


async def _filters(person: Story, text: str) -> None:
    await person.press("/")
    await person.type(text)
    await person.press("enter")


async def test_recordings_are_found_by_number_in_any_notation_and_by_name(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_recordings(person)
        for typed in ("213000111", "+351213000111", '"21 300 0111"'):
            await _filters(person, typed)
            await person.does_not_see("1,250 recordings")
            await person.is_ready()
            rows = [line for line in person.lines if re.match(r"[▌ ]\d{4}-", line)]
            assert rows
            assert all("+351 21 300 0111" in line for line in rows)
            await person.press("esc")
            await person.sees("1,250 recordings")
        await _filters(person, "recorded:byrne")
        await person.until(lambda: "Una Byrne" in person.cursor, "Una Byrne is not found")
        await person.does_not_see("Tomas Ruiz")


async def test_recordings_of_some_days_are_listed(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_recordings(person)
        first = person.cursor[1:11]
        await person.press("F")
        await person.sees("Filters", "From date", "Other number")
        await person.on_field("From date")
        await person.type(first)
        await person.press("ctrl+o")
        await person.does_not_see("1,250 recordings")
        await person.is_ready()
        days = {line[1:11] for line in person.lines if re.match(r"[▌ ]\d{4}-", line)}
        assert days
        assert min(days) >= first


async def test_the_recordings_of_one_subscriber(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("Una Byrne")
        await person.puts_cursor_on("Una Byrne")
        await person.press("R")
        await person.sees("Recordings of Una Byrne")
        await person.is_ready()
        rows = [line for line in person.lines if re.match(r"[▌ ]\d{4}-", line)]
        assert rows
        assert all("Una Byrne" in line for line in rows)


async def test_one_recording_and_many_in_batches_are_deleted(service: str) -> None:
    async with story(profile(service)) as person:
        await _sees_recordings(person)
        await person.press("x")
        name = (await person.sees_line(r"Delete recording (\S+\.mp3)"))[1]
        await person.sees("recordIds=", "Affects 1 recording.", "This cannot be undone.")
        await person.type(name)
        await person.press("enter")
        await person.sees("1 recording successfully deleted")
        await _filters(person, "recorded:byrne")
        await person.until(lambda: "Una Byrne" in person.cursor, "Una Byrne is not found")
        await person.is_ready()
        count = int((await person.sees_line(r"^ (\d+) recordings"))[1])
        assert count > 20
        await person.press("*")
        await person.sees(f"{count} marked")
        await person.press("x")
        await person.sees(
            f"Delete {count} recordings", f"batch 1 of 1: {count}", f"Type {count}, the number of records"
        )
        await person.type(str(count))
        await person.press("enter")
        await person.sees(f"{count} done   0 failed   0 left")
        await person.press("enter")
        await person.sees(f"Delete: {count} done, 0 failed, 0 not started.", "No matches")


async def test_an_organisation_administrator_looks_across_companies(service: str) -> None:
    async with story(profile(service, "organization_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("allrecordings")
        await person.sees("Recordings across companies", "DATE ▼")
        await _filters(person, "213000111")
        await person.sees("+351 21 300 0111")
        await person.is_ready()
        await person.press("enter")
        await person.sees("Call ID", "Company", "Number +351213000111")


async def test_a_superadmin_looks_at_the_recordings_of_a_company(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("allrecordings")
        await person.sees("Filter by companies, CloudPBXs or sites first.")
        await person.goes("companies")
        await person.sees("Bluebird Clinics")
        await person.puts_cursor_on("Bluebird Clinics")
        await person.press("R")
        await person.sees("Recordings across companies of Bluebird Clinics", "50 recordings")


async def test_an_ordinary_user_consults_no_recordings(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.sees("Bluebird switchboard")
        await person.puts_cursor_on("Bluebird")
        await person.press("R")
        await person.sees("Recordings: needs company_admin")


async def test_welcome_services_show_where_calls_go_now(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("welcomeservices")
        await person.sees("Welcome services of Northwind voice", "WHEN OPEN", "WHEN CLOSED")
        await person.sees_line(r"Reception\s+(● open|▲ closed)\s+\+351 21 099 0000\s+Clara Novak\s+voicemail of")
        await person.sees_line(r"Support\s+● open .*Support menu\s+as when open")
        await person.sees_line(r"Shop enquiries\s+▲ closed")


async def test_a_welcome_service_is_opened_and_keeps_its_fields(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("welcomeservices")
        await person.sees("Sales")
        await person.puts_cursor_on("Sales")
        await person.press("enter")
        await person.sees("▸ Sales", "Time zone", "Europe/Lisbon")
        await person.on_field("Office hours")
        await person.press("enter")
        await person.sees("▸ Office", "Office hours")


async def test_a_welcome_service_gets_another_number(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("welcomeservices")
        await person.sees("Shop enquiries")
        await person.puts_cursor_on("Shop enquiries")
        await person.press("e")
        await person.sees("Edit Shop enquiries")
        await person.on_field("External number ID")
        await person.press("enter")
        await person.type("99209")
        await person.does_not_see("+351210990000")
        await person.press("enter")
        await person.sees_line(r"External number ID.*\+351210992090")
        await person.press("ctrl+o", "enter")
        await person.sees_line(r"▌Shop enquiries\s+▲ closed\s+\+351 21 099 2090")


async def test_a_welcome_service_is_renamed_and_deleted(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("welcomeservices")
        await person.sees("Faults line")
        await person.puts_cursor_on("Faults line")
        await person.press("e")
        await person.sees("Edit Faults line", "Closed hours overflow")
        await person.press("end")
        await person.type(" two")
        await person.press("ctrl+o")
        await person.sees("Name: Faults line → Faults line two")
        await person.press("enter")
        await person.sees_line(r"▌Faults line two\s+")
        await person.press("x")
        await person.type("Faults line two")
        await person.press("enter")
        await person.sees("Welcome service Faults line two successfully deleted")
        await person.is_gone("Faults line")


async def test_office_hours_show_the_number_of_open_days(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("officehours")
        await person.sees("Office hours of Northwind voice")
        await person.sees_line(r"Office\s+5 days a week, 4 exceptions")
        await person.sees_line(r"Around the clock\s+7 days a week")
