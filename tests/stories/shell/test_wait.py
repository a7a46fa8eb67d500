"""`:wait FILTER` reports in the background when what was open fits a filter."""

from __future__ import annotations

from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

COMPANY_ADMIN = "company_admin@demo.example"


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


async def test_a_wait_continues_after_its_list_was_closed_and_the_connection_was_lost(service: str) -> None:
    async with (
        wired(service) as (wire, url),
        other_client(service, COMPANY_ADMIN) as other,
        story(profile(url), place="companies") as person,
    ):
        await person.is_ready()
        await typed(person, "applications")
        await person.sees("▸ Applications")
        await typed(person, "wait name:=Returned")
        await person.sees("Waiting for name:=Returned")
        await typed(person, "companies")
        await person.sees("demo ▸ Companies")
        wire.away = True
        wire.cut()
        await person.press("r")
        await person.sees("○ offline")
        await call(other, "create_application", {"name": "Returned", "type": "web", "activity": "J"})
        wire.away = False
        await person.press("r")
        await person.sees("Now Applications · name:=Returned")
