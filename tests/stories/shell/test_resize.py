"""Other sizes of the terminal while the console runs."""

from __future__ import annotations

import pytest

from tests.stories.driver import Story, profile, story


async def opens(user: Story, *, record: bool) -> list[str]:
    """Go to an application; returns the lines of the list with its pane, or of the record."""
    await user.is_ready()
    await user.puts_cursor_on("Campus Client")
    if record:
        await user.press("enter")
    await user.sees("Business", "OAuth 2.0")
    return user.lines[1:-2]


@pytest.mark.parametrize("record", [False, True], ids=["list", "record"])
async def test_a_widened_terminal_shows_the_same_as_a_start_in_it(service: str, record: bool) -> None:
    async with story(profile(service), size=(150, 40), place="applications") as user:
        wide = await opens(user, record=record)
    async with story(profile(service), size=(120, 40), place="applications") as user:
        await opens(user, record=record)
        await user.pilot.resize_terminal(150, 40)
        await user.until(lambda: user.lines[1:-2] == wide, "the screen differs after the resize")


async def test_a_list_without_rows_has_the_room_of_the_pane_until_there_is_something_to_show(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), size=(120, 40), place="invoices") as user:
        await user.sees("has no invoices")
        assert user.lines[1].count("╮") == 1, user.screen
        await user.goes("applications")
        await user.is_ready()
        assert user.lines[1].count("╮") == 2, user.screen
        await user.press("tab", "/")
        await user.type("no such name")
        await user.press("enter")
        await user.sees("No matches.")
        assert user.lines[1].count("╮") == 1, user.screen
        await user.press("esc")
        await user.sees("Business", "OAuth 2.0")
        assert user.lines[1].count("╮") == 2, user.screen
        await user.goes("report-seats")
        await user.sees("IN USE", "╮╭")
