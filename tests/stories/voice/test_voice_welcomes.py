"""Welcome services at the keyboard: where their calls go, opened and closed by hand, their overflows and numbers."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story


async def _on_service(person: Story, name: str) -> None:
    await person.is_ready()
    await person.goes("welcomeservices")
    await person.sees("▸ Welcome services of Northwind voice")
    await person.is_ready()
    await person.puts_cursor_on(f"▌{name}")


async def test_a_call_flow_shows_the_way_of_a_call_at_a_typed_time(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Reception")
        await person.press("w")
        await person.sees("Call flow of Reception", "Calls to +351 21 099 0000, +351 21 099 5500")
        await person.type("2027-03-07 10:00")
        await person.sees("Sun 2027-03-07 10:00, Europe/Lisbon")
        await person.sees("Reception: Closed by the office hours Office", "until Mon 2027-03-08 09:00")
        await person.sees_line(r"├┄┄ open   ┄┄┄  To Clara Novak\s")
        await person.sees_line(r"└━━ closed ━━━▸ To the voicemail of Clara Novak  ◂ current")
        await person.sees_line(r"Then Mon 2027-03-08 09:00  open    To Clara Novak")
        await person.press("ctrl+u")
        await person.type("2026-12-25 10:00")
        await person.sees("Closed by an exception for this day", "until Mon 2026-12-28 09:00")
        await person.press("ctrl+u")
        await person.type("2027-03-09 11:20")
        await person.sees_line(r"├━━ open   ━━━▸ To Clara Novak  ◂ current")
        await person.sees_line(r"Tue  ·{18}█{8}··█{8}·{12}")
        await person.press("ctrl+u")
        await person.type("whenever")
        await person.sees("enter a time: 18:00, Sun 10:00")
        await person.press("esc")
        await person.does_not_see("Call flow of Reception")


async def test_an_overflow_that_refers_to_the_other_one_is_followed(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Faults line")
        await person.press("w")
        await person.sees_line(r"open   .* As in closed hours")
        await person.sees_line(r"│ +▸ To the voicemail of")


async def test_a_service_is_closed_by_hand_and_left_to_its_hours_again(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Sales")
        await person.press("M")
        await person.sees("Opening mode of Sales", "by the hours")
        await person.type("closed")
        await person.press("enter")
        await person.sees("Manual mode: by the hours → closed by hand", '"mode": "closed"')
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.sees_line(r"▌Sales\s+▲ closed")
        await person.press("w")
        await person.sees("Sales: Closed by hand", "│  closed permanently")
        await person.press("esc", "ctrl+z")
        await person.sees("Manual mode: closed by hand → by the hours")
        await person.does_not_see("Changed again")
        await person.press("enter")
        await person.sees("Undone.")


async def test_overflows_are_edited_as_forms_and_further_numbers_are_chosen(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Shop enquiries")
        await person.press("e")
        await person.sees("Edit Shop enquiries")
        await person.sees_line(r"Office hours\s+Shops\s+\w{24}")
        await person.on_field("Closed hours overflow")
        await person.press("enter")
        await person.on_field("Type")
        await person.type("n")
        await person.sees_line(r'Destination ID .*only when Type is "to a user" or "')
        await person.sees_line(r'To voicemail .*only when Type is "to a user"')
        await person.on_field("Number")
        await person.type("+351213000199")
        await person.press("ctrl+o")
        await person.sees_line(r"Closed hours overflow\s+\+351213000199")
        await person.on_field("Open hours overflow")
        await person.press("enter")
        await person.sees("▸ Open hours overflow", "Destination ID")
        await person.on_field("Destination ID")
        await person.press("enter")
        await person.type("byrne")
        await person.sees_line(r"Una Byrne +\d+")
        await person.does_not_see("Clara Novak")
        await person.press("enter")
        await person.sees_line(r"Destination ID .*Una Byrne")
        await person.press("ctrl+o")
        await person.sees_line(r"Open hours overflow\s+Una Byrne")
        await person.on_field("Secondary DDIs")
        await person.press("enter")
        await person.type("99209")
        await person.does_not_see("+351210990000")
        await person.press("enter")
        await person.sees_line(r"Secondary DDIs\s+\+351210992090")
        await person.press("ctrl+o")
        await person.sees("→ Una Byrne", "→ +351213000199", "Secondary DDIs: — → +351210992090")
        await person.press("enter")
        await person.sees_line(r"▌Shop enquiries\s+▲ closed\s.*Una Byrne\s+\+3512130001")


async def test_an_attendant_that_another_service_calls_is_searched_and_others_are_typed(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Accounts department")
        await person.press("e")
        await person.on_field("Open hours overflow")
        await person.press("enter")
        await person.on_field("Type")
        await person.type("a")
        await person.sees_line(r"Type \*\s+To an automatic attendant")
        await person.on_field("Destination ID")
        await person.press("ctrl+u", "enter")
        await person.sees("Sales menu", "Support menu", "Shops menu")
        await person.type("support")
        await person.does_not_see("Sales menu")
        await person.press("enter")
        await person.sees_line(r"Destination ID .*Support menu")
        await person.press("ctrl+o")
        await person.sees_line(r"Open hours overflow\s+Support menu")


async def test_a_refused_overflow_is_shown_beside_its_field(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Sales")
        await person.press("e")
        await person.sees("Edit Sales")
        await person.on_field("Open hours overflow")
        await person.press("enter")
        await person.sees("▸ Open hours overflow")
        await person.on_field("Type")
        await person.type("o")
        await person.press("ctrl+o")
        await person.sees_line(r"Open hours overflow\s+as when open")
        await person.press("ctrl+o", "enter")
        await person.sees("refers to itself")
        await person.press("esc")
        await person.sees_line(r"Open hours overflow\s+as when open\s+refers to itself")


async def test_a_welcome_service_is_created_with_its_hours_number_and_overflow(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Sales")
        await person.press("n")
        await person.sees("New welcome service")
        await person.type("Night shift")
        await person.press("ctrl+o")
        await person.sees_line(r"Open hours overflow \*\s+—\s+is required")
        await person.press("enter")
        await person.sees("▸ Open hours overflow")
        await person.on_field("Type")
        await person.type("c")
        await person.press("ctrl+o")
        await person.sees_line(r"Open hours overflow \*\s+as when closed")
        await person.on_field("Office hours")
        await person.press("enter")
        await person.type("shops")
        await person.does_not_see("Mornings")
        await person.press("enter")
        await person.sees_line(r"Office hours\s+Shops\s+\w{24}")
        await person.press("ctrl+o")
        await person.sees("Open hours overflow: — → as when closed", "Office hours: — → Shops")
        await person.press("enter")
        await person.sees_line(r"▌Night shift\s+(● open|▲ closed)")
        await person.press("w")
        await person.sees_line(r"open .*As in closed hours")
        await person.sees_line(r"▸ Nothing is set for closed hours: the call ends")
        await person.press("esc", "x")
        await person.type("Night shift")
        await person.press("enter")
        await person.is_gone("Night shift")


async def test_a_subscriber_that_a_service_calls_is_not_deleted_and_others_name_what_becomes_free(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subscribers")
        await person.sees("▸ Subscribers of Northwind voice")
        await person.is_ready()
        name = (await person.sees_line(r"▌2001 +(\w+ \w+)"))[1]
        await person.press("x")
        await person.sees(f"{name} cannot be deleted yet", "Change these first:")
        await person.sees_line("1  welcome service Reception sends the calls of its open hours here")
        await person.sees_line("2  welcome service Reception sends the calls of its closed hours here")
        await person.press("1")
        await person.sees("▸ Reception")
        await person.press("esc", "down", "x")
        await person.sees_line(r"DDI number: \+351 21 099 2002 → becomes free")
        await person.sees_line(r"Affects 1 subscriber(, \d devices?)?, 1 DDI number")
        await person.press("esc")
