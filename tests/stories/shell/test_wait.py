"""`:wait FILTER` reports in the background when what was open fits a filter."""

from __future__ import annotations

from tests.stories.driver import Story, profile, story


async def typed(person: Story, text: str) -> None:
    await person.press(":")
    await person.type(text)
    await person.press("enter")


async def test_the_end_of_a_wait_is_reported_wherever_one_works(service: str) -> None:
    async with story(profile(service), place="applications") as person:
        await person.is_ready()
        await typed(person, "wait name:=Awaited")
        await person.sees("Waiting for name:=Awaited")
        await typed(person, "wait colour:red")
        await person.sees("colour")
        await typed(person, "companies")
        await person.sees("Companies")
        await typed(person, "wait")
        await person.sees("Applications · name:=Awaited: waiting")
        await person.press("enter")
        await person.app.frame.workspace.perform(
            "create_application", body={"name": "Awaited", "type": "web", "activity": "J"}
        )
        await person.sees("Now Applications · name:=Awaited")
        await typed(person, "wait")
        await person.sees("holds since")
