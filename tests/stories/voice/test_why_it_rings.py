"""Why a phone rings or not: from a number, a subscriber, a device and a user, while the service stops and returns."""

from __future__ import annotations

from pathlib import Path

from tests.stories.driver import profile, story
from tests.support.process import serving, serving_demo


async def test_the_path_of_a_call_survives_that_the_service_stops(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url), size=(120, 40)) as person:
            await person.is_ready()
            await person.goes("subscribers")
            await person.sees("Una Byrne", "ONLINE", "online")
            await person.puts_cursor_on("Una Byrne")
            await person.press("P")
            await person.sees("external only")
            await person.type("external")
            await person.press("enter")
            await person.sees("Affects 1 subscriber.")
            await person.press("enter")
            await person.sees_line(r"Una Byrne.*external")
            await person.press("T")
            await person.sees("Without a number: calls to Una Byrne.", "Main number of Una Byrne.")
            await person.press("enter")
            await person.sees("Path of the call", "In words", "The extension is active.")
            await person.sees("Changes of the last days", "company_admin@demo.example", "external_only")
            server.end()
            await person.press("r")
            await person.sees("not current: the service does not respond")
            await person.sees("Main number of Una Byrne.", "The extension is active.")
            with serving(tmp_path, port=port):
                await person.press("r")
                await person.does_not_see("not current")
                await person.sees("Main number of Una Byrne.")


async def test_a_number_of_our_own_answers_from_its_side(service: str) -> None:
    async with story(profile(service), place="cloudpbxs") as person:
        await person.sees("Northwind voice")
        await person.press("T")
        await person.type("210992005")
        await person.sees("is a number of your own.", "Main number of Una Byrne.", "Extension", "Overflow")
        await person.press("ctrl+u")
        await person.type("0213456700")
        await person.sees("is an external call")
        await person.does_not_see("a number of your own")


async def test_a_welcome_service_is_asked_at_another_time(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("ddis")
        await person.sees("DDI numbers of Northwind voice")
        await person.press("/")
        await person.type("Sales")
        await person.press("enter")
        await person.until(lambda: "Sales" in person.cursor, "the number of Sales is not found")
        await person.press("T")
        await person.sees("Answered by the welcome service Sales.", "CloudPBX")
        await person.press("t")
        await person.sees("Time of the call")
        await person.type("Sun 03:00")
        await person.press("enter")
        await person.sees("Closed by the office hours", "Sun ")


async def test_a_device_and_a_user_are_followed_to_their_extension(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("sipdevices")
        await person.sees("ONLINE", "online")
        await person.press("/")
        await person.type("Spare")
        await person.press("enter")
        await person.until(lambda: "Spare, Porto" in person.cursor, "no spare device is found")
        await person.sees("offline")
        await person.press("T")
        await person.sees("Does not ring: The device is assigned to no subscriber.")
        await person.goes("users")
        await person.sees("Users", "LOGIN")
        await person.press("/")
        await person.type("una byrne")
        await person.press("enter")
        await person.until(lambda: "Una Byrne" in person.cursor, "Una Byrne is not found")
        await person.press("T")
        await person.sees("Calls to Una Byrne", "Main number of Una Byrne.")
        await person.press("down", "enter")
        await person.sees("DDI number")
