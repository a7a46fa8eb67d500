"""An action on many marked records: what it does to which, before and after it is confirmed."""

from __future__ import annotations

import re

from tests.stories.driver import profile, story


async def test_the_records_that_are_deleted_are_listed_by_name_above_the_skipped_ones(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("*")
        await person.sees("58 marked")
        await person.press("x")
        await person.sees("Delete 58 applications")
        number = (await person.sees_line(r"Type (\d+), the number of records"))[1]
        await person.sees_line(rf"│ +Delete: {number} applications")
        await person.sees_line(r"│ +Campus Client +waiting")
        await person.press(*["pgdn"] * 4, *["down"] * 4)
        await person.sees_line(rf"│ +Skipped: {58 - int(number)} applications")


async def test_a_refused_number_is_no_longer_shown_after_the_right_one(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("*", "x")
        number = (await person.sees_line(r"Type (\d+), the number of records"))[1]
        await person.type("7777")
        await person.sees("not the number yet")
        await person.does_not_see("Try the first one")
        await person.press("enter")
        await person.sees("The number does not match.")
        await person.press("backspace")
        await person.does_not_see("The number does not match.")
        await person.press("enter")
        await person.sees("The number does not match.")
        await person.press("backspace", "backspace", "backspace")
        await person.type(number)
        await person.sees("the number matches:", "enter Try the first one")
        await person.press("enter")
        await person.sees_line(r"1 done +0 failed")
        await person.does_not_see("The number does not match.")
        await person.press("esc")


async def test_records_that_were_not_scrolled_into_view_have_their_names(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.press("*")
        marked = int((await person.sees_line(r"(\d+) marked"))[1])
        assert marked > 100
        await person.press("x")
        await person.sees(f"Delete {marked} applications")
        for _ in range(marked // 8):
            await person.press("pgdn")
        await person.sees_line(r"│ +[A-Z]")
        assert not re.search(r"[0-9a-f]{24}", person.screen)


async def test_the_edit_key_is_for_the_marked_records_not_the_one_under_the_cursor(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Branch Studio")
        await person.press("e")
        await person.sees("Edit: your role is limited to your own records")
        await person.press("k", "space")
        await person.sees("1 marked")
        await person.press("e")
        await person.sees("Edit: your role is limited to your own records")
