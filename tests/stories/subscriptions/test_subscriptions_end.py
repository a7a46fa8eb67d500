"""Subscriptions come to their end: several at once, after it was seen what that takes away."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story
from tests.stories.subscriptions.test_quotations import FINANCE, sees_lists


async def _marks(person: Story, *names: str) -> None:
    for name in names:
        await person.puts_cursor_on(f"▌{name} ")
        await person.press("space")


async def test_ending_several_shows_the_losses_of_each_first(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await _marks(person, "Attendant", "Business, one year", "Conference")
        await person.press("x")
        await person.sees_line(r"Attendant\s+2 users lose the licence")
        await person.sees_line(r"Business, one year\s+5 users lose the licence · paid until 20\d\d-\d\d-\d\d")
        await person.sees_line(r"Conference\s+no user has a licence")
        await person.sees("7 assigned licences are lost at once; a term paid until 20")
        await person.sees("Type 3, the number of records, to start")
        await person.press("esc")
        await person.sees_line(r"Attendant\W+on hold")


async def test_subscriptions_that_cannot_be_ended_are_skipped_with_the_reason(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await _marks(person, "Attendant", "Enterprise, three years")
        await person.press("x")
        await person.sees_line(r"Enterprise, three years\s+a prepaid subscription can be terminated on")
        await person.sees("2 assigned licences are lost at once.", "Type 1, the number of records, to start")
        await person.type("1")
        await person.press("enter")
        await person.sees_line(r"Attendant\s+done")
        await person.press("enter")
        await person.is_gone("Attendant")
