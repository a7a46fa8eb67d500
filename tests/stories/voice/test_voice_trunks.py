"""External trunks at the keyboard: listed, opened, and what depends on them."""

from __future__ import annotations

from tests.stories.driver import profile, story


async def test_a_trunk_lists_the_cloudpbxs_that_use_it(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("trunks")
        await person.sees("▸ External trunks", "PLATFORM")
        await person.is_ready()
        await person.puts_cursor_on("Harbour Lisbon")
        await person.press("enter")
        await person.sees("Load balancer options", "Partners (BP)")
        await person.press("C")
        await person.sees("▸ CloudPBXs of Harbour Lisbon", "Northwind voice", "Harbour offices", " of 6")
        await person.does_not_see("Bluebird switchboard")
        await person.press("esc", "esc")
        await person.sees("▸ External trunks", "Coast hybrid")
        await person.puts_cursor_on("Harbour Porto")
        await person.press("C")
        await person.sees("▸ CloudPBXs of Harbour Porto", "No CloudPBXs here.")
