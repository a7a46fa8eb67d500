"""Applications: found, opened, created, edited, stopped, restarted, deleted, with the keyboard alone."""

from __future__ import annotations

import re

from tests.stories.driver import profile, story


async def test_the_console_opens_on_the_applications_logged_in(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.sees("demo ▸ Applications", "company_admin", "NAME ▲", "58 applications", "enter Open")


async def test_a_wide_list_has_the_activity_in_words(service: str) -> None:
    async with story(profile(service), size=(104, 24)) as person:
        await person.is_ready()
        await person.sees_line(r"^ NAME ▲ .* ACTIVITY ")
        await person.sees_line(r"^[ ▌]Campus Client .* trade, vehicle")


async def test_creates_an_application_after_seeing_what_will_be_sent(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New application", "Name *")
        await person.type("Night shift")
        await person.press("ctrl+o")
        await person.sees("Type is required")
        await person.press("s")
        await person.sees_line(r"Type \*\s+Server")
        await person.press("down", "j")
        await person.sees_line(r"Activity \*\s+Information, communication")
        await person.press("ctrl+o")
        await person.sees("Create application", "Name: — → Night shift", "POST /api/svc/applications/v1.0/applications")
        await person.press("enter")
        await person.sees("Created.")
        await person.sees_line(r"▌Night shift\s+◌ new\s+server\s+not deployed")
        await person.press("up")
        await person.sees("59 applications")
        await person.press("/")
        await person.type("night")
        await person.press("enter")
        await person.sees("1 of 59", "/night", "Night shift")


async def test_the_owner_is_shown_by_name_with_the_id_that_is_copied(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("Applications ▸ Campus Client", "Owner")
        await person.until(lambda: re.search(r"Owner +[A-Z]\w+ [A-Z]\w+ +[0-9a-f]{24}", person.screen), "the name")
        await person.on_field("Owner")
        await person.press("enter")
        await person.sees("▸ Campus Client ▸ ", "Account")


async def test_edits_a_field_and_undoes_it(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("Applications ▸ Campus Client", "Identity", "Secret")
        await person.press("e")
        await person.sees("▸ Edit", "no changes")
        await person.on_field("Origin")
        await person.type("from a story")
        await person.sees("1 changed")
        await person.press("ctrl+o")
        await person.sees("Origin: — → from a story", "PUT /api/svc/applications", "Affects 1 application.")
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.sees_line(r"Origin\s+from a story")
        await person.press("ctrl+z")
        await person.sees("Undo: Edit Campus Client", "Affects 1 application.", "Origin: from a story → —")
        await person.press("enter")
        await person.sees("Undone.")
        await person.does_not_see("from a story")


async def test_stops_and_restarts_an_application(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Contract Sync")
        await person.sees_line(r"▌Contract Sync\s+● active")
        await person.press("S")
        await person.sees("Stop application Contract Sync", "/stop")
        await person.press("enter")
        await person.sees_line(r"▌Contract Sync\s+▲ stopped")
        await person.press("S")
        await person.sees("Stop: the application is stopped")
        await person.press("R", "enter")
        await person.sees_line(r"▌Contract Sync\s+● active")


async def test_deletes_an_application_only_after_its_name_was_typed(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Delivery Client")
        await person.press("x")
        await person.sees("Delete application Delivery Client", "Type Delivery Client to confirm", "cannot be undone")
        await person.press("enter")
        await person.sees("The name does not match.")
        await person.type("Delivery Client")
        await person.press("enter")
        await person.does_not_see("Delivery Client  ", "Delete application")
        await person.sees("successfully deleted")


async def test_a_refused_creation_stays_in_the_form(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("n")
        await person.type("Campus Client")
        await person.press("down", "w", "down", "a", "ctrl+o", "enter")
        await person.sees("exists")
        await person.press("esc")
        await person.sees_line(r"Name \*\s+Campus Client")
        await person.press("esc")
        await person.sees("Discard unsaved changes?")
        await person.press("n")
        await person.sees_line(r"Name \*\s+Campus Client")


async def test_marks_several_and_stops_them_as_a_job(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("/")
        await person.type("state:active maintenance")
        await person.press("enter")
        await person.sees("Maintenance Desk", "Maintenance Portal")
        await person.press("*")
        await person.sees_line(r"\d marked")
        await person.press("S")
        await person.sees("enter Try the first one")
        await person.press("enter")
        await person.sees("1 done", "enter Continue with the rest")
        await person.press("enter")
        await person.sees("0 left", "enter Close")
        await person.press("enter")
        await person.sees("not started")


async def test_a_greyed_action_shows_the_reason(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New: needs superadmin, app_admin or app_superadmin")
        await person.press("ctrl+p")
        await person.type("edit")
        await person.sees_line(r"Edit +e +needs superadmin, app_admin or app")


async def test_goes_anywhere_by_typing_its_name(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press(":")
        await person.type("use")
        await person.sees("  users ")
        await person.press("tab", "enter")
        await person.sees("demo ▸ Users", "Clara Novak")
        await person.goes("apps campus")
        await person.sees("/campus", "Campus Client")
        await person.press("-")
        await person.sees("demo ▸ Users")
        await person.press("-")
        await person.sees("demo ▸ Applications")


async def test_the_order_is_remembered_and_a_filter_belongs_to_the_visit(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("s", "s")
        await person.sees("STATE ▲")
        await person.press("/")
        await person.type("type:bot")
        await person.press("enter")
        await person.sees("STATE ▲", "/type:bot", "bot")
        await person.does_not_see("desktop")
        await person.goes("applications")
        await person.sees("STATE ▲", "58 applications")
        await person.does_not_see("/type:bot")
        await person.press("/")
        await person.type("type:bot")
        await person.press("enter")
        await person.does_not_see("desktop")
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.sees("STATE ▲", "58 applications")
        await person.does_not_see("/type:bot")
