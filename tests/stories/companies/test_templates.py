"""Customisation templates: made, broken and repaired, applied after a comparison, compared, with the keyboard alone."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story


async def _made(person: Story, name: str, *keys: str) -> None:
    """A template with these keys switched off."""
    await person.press("n")
    await person.sees("New template")
    await person.type(name)
    for key in keys:
        await person.on_field(key)
        await person.press("right")
    await person.press("ctrl+o", "enter")
    await person.sees("Created.")
    await person.sees_line(rf"▌{name}")


async def test_breaks_a_template_is_shown_what_must_follow_and_repairs_it_with_one_key(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New template")
        await person.type("Without files")
        await person.on_field("File storage")
        await person.press("right")
        await person.sees_line(r"File storage\s+Disabled")
        await person.sees("4 dependent fields: ctrl+g sets them")
        await person.sees("Disabled: Instant messages, File sharing,", "File copy, File transfer")
        await person.sees_line(r"Instant messages\s+Enabled\s+needs File storage")
        await person.press("ctrl+o")
        await person.sees_across_lines("Instant messages cannot be enabled while File storage is disabled")
        await person.does_not_see("Create template")
        await person.press("ctrl+g")
        await person.does_not_see("dependent field")
        for key in ("Instant messages", "File sharing", "File copy", "File transfer"):
            await person.on_field(f"{key}")
            await person.sees_line(rf"\* {key}\s+Disabled")
        await person.press("ctrl+o")
        await person.sees("Create template", "Name: — → Without files")
        await person.press("enter")
        await person.sees("Created.")
        await person.sees_line(r"▌Without files\s+other\s+private\s+6")


async def test_what_is_switched_on_brings_what_it_needs(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New template")
        await person.type("Quiet")
        await person.on_field("Use WebRTC audio")
        await person.press("right")
        await person.sees("Disabled: Use WebRTC video")
        await person.press("ctrl+g", "up")
        await person.sees_line(r"Use WebRTC video\s+Disabled")
        await person.press("left")
        await person.sees("1 dependent field", "Enabled: Use WebRTC audio")
        await person.press("ctrl+g")
        await person.sees_line(r"Use WebRTC audio\s+Enabled")
        await person.sees("1 changed")


async def test_applies_a_template_to_a_user_after_comparing_before_and_after(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await _made(person, "No recordings", "Recording conversation")
        await person.press("A")
        await person.sees("apply to", "c a company", "u a user")
        await person.press("u")
        await person.sees("Apply to which user?")
        await person.type("Clara")
        await person.sees("Clara Novak  company_admin")
        await person.press("enter")
        await person.sees("Apply No recordings to Clara Novak", "Affects 1 user.", "/templates/apply")
        await person.sees("Recording conversation: As the company → Disabled")
        await person.does_not_see("Alert notification sending")
        await person.press(*["down"] * 60)
        await person.sees("Alert notification sending: As the company → Enabled")
        await person.press("enter")
        await person.sees("Applied No recordings to Clara Novak.")
        await person.press("A", "u")
        await person.type("Clara")
        await person.sees("Clara Novak  company_admin")
        await person.press("enter")
        await person.sees("Nothing to change: all keys already have these values.")


async def test_makes_a_template_from_another_and_compares_the_two(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await _made(person, "First", "Use channel")
        await person.press("C")
        await person.sees("New template", "no changes")
        await person.type("Second")
        await person.on_field("Use room")
        await person.press("right", "ctrl+o")
        await person.sees("Create template", '"useChannelCustomisation": "disabled"')
        await person.press("enter")
        await person.sees_line(r"▌Second\s+other\s+private\s+3")
        await person.press("space", "g")
        await person.puts_cursor_on("First")
        await person.press("space", "d")
        await person.sees("Second ↔ First", "difference", "Equal fields")
        await person.sees_line(r"\* useRoomCustomisation\s+disabled\s+↔ enabled")
        await person.sees_line(r"\* name\s+Second\s+↔ First")


async def test_a_public_template_shows_why_it_is_read_only(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await person.puts_cursor_on("Same as company")
        await person.press("e")
        await person.sees("Edit: public templates are read-only: duplicate one to change it")
        await person.press("A")
        await person.sees("u a user", "only for users")


async def test_applies_a_template_to_a_company_and_sees_what_it_had_before(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await person.puts_cursor_on("Reception desk")
        await person.press("A", "c")
        await person.sees("Apply to which company?", "Northwind Telecom")
        await person.type("Northwind Telecom")
        await person.press("enter")
        await person.sees("Apply Reception desk to Northwind Telecom", "Template: Telephony first → Reception desk")
        await person.sees("Use WebRTC audio: Enabled → Disabled", "Use soft phone mode: Forced → Enabled")
        await person.press("enter")
        await person.sees("Applied Reception desk to Northwind Telecom.")


async def test_deletes_a_template_after_its_name_was_typed(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await _made(person, "Short lived")
        await person.press("x")
        await person.sees("Delete template Short lived", "This cannot be undone.")
        await person.type("Short lived")
        await person.press("enter")
        await person.sees("successfully deleted")


async def test_a_name_that_is_taken_is_refused_and_the_rest_is_kept(service: str) -> None:
    async with story(profile(service), place="templates") as person:
        await person.is_ready()
        await person.press("n")
        await person.type("Telephony first")
        await person.on_field("Use GIF")
        await person.press("right", "ctrl+o", "enter")
        await person.sees("Your input is kept: esc goes back.")
        await person.sees_across_lines(
            "A record like this already exists: The company already has a template named Telephony first."
        )
        await person.press("esc")
        await person.sees("A record like this already exists: ")
        await person.sees_line(r"\* Use GIF\s+Disabled")
