"""Welcome services at the keyboard: where their calls go, opened and closed by hand, their overflows and numbers."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story


async def _on_service(person: Story, name: str) -> None:
    await person.is_ready()
    await person.goes("welcomeservices")
    await person.sees("▸ Welcome services of Northwind voice")
    await person.is_ready()
    await person.puts_cursor_on(f"▌{name}")


async def test_a_picture_tells_where_a_call_goes_at_a_time_one_types(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Reception")
        await person.press("W")
        await person.sees("Where calls to Reception go", "Calls to +351 21 099 0000, +351 21 099 5500")
        await person.type("2027-03-07 10:00")
        await person.sees("Sun 2027-03-07 10:00, Europe/Lisbon")
        await person.sees("Reception: Closed by the office hours Office", "until Mon 2027-03-08 09:00")
        await person.sees_line(r"├┄┄ open   ┄┄┄  To Clara Novak\s")
        await person.sees_line(r"└━━ closed ━━━▸ To the voicemail of Clara Novak  ◂ these calls")
        await person.sees_line(r"Then Mon 2027-03-08 09:00  open    To Clara Novak")
        await person.press("ctrl+u")
        await person.type("2026-12-25 10:00")
        await person.sees("Closed by an exception of this day", "until Mon 2026-12-28 09:00")
        await person.press("ctrl+u")
        await person.type("2027-03-09 11:20")
        await person.sees_line(r"├━━ open   ━━━▸ To Clara Novak  ◂ these calls")
        await person.sees_line(r"Tue  ·{18}█{8}··█{8}·{12}")
        await person.press("ctrl+u")
        await person.type("whenever")
        await person.sees("write a time: 18:00, Sun 10:00")
        await person.press("esc")
        await person.does_not_see("Where calls to Reception go")


async def test_one_overflow_that_is_as_the_other_is_followed(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Faults line")
        await person.press("W")
        await person.sees_line(r"open   .* As in closed hours ▸ To the voicemail of")


async def test_a_service_is_closed_by_hand_and_left_to_its_hours_again(service: str) -> None:
    async with story(profile(service)) as person:
        await _on_service(person, "Sales")
        await person.press("M")
        await person.sees("Sales is open", "by the hours")
        await person.type("closed")
        await person.press("enter")
        await person.sees("Manual mode: by the hours → closed by hand", '"mode": "closed"')
        await person.press("enter")
        await person.sees("Changed. ctrl+z undoes it.")
        await person.sees_line(r"▌Sales\s+closed")
        await person.press("W")
        await person.sees("Sales: Closed by hand", "│  for good")
        await person.press("esc", "ctrl+z")
        await person.sees("Manual mode: closed by hand → by the hours")
        await person.press("enter")
        await person.sees("Undone.")
