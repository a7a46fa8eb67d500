"""The start of the console."""

from __future__ import annotations

import gc

from tests.stories.driver import profile, story


async def test_garbage_is_collected_again_after_the_first_picture(service: str) -> None:
    gc.disable()
    try:
        async with story(profile(service)) as user:
            await user.is_ready()
            await user.until(gc.isenabled, "garbage collection")
            assert gc.get_freeze_count() > 0
    finally:
        gc.enable()
        gc.unfreeze()


async def test_all_faults_of_the_key_map_are_listed_until_they_are_read(service: str) -> None:
    keymap = {"edit": "x", "no.such.action": "f5", "nor.this": "f6"}
    async with story(profile(service, keymap=keymap)) as user:
        await user.sees("Key map of the profile", "x is both")
        await user.sees("unknown action “no.such.action”", "unknown action “nor.this”")
        await user.press("enter")
        await user.does_not_see("Key map of the profile")
        await user.is_ready()


async def test_a_theme_that_does_not_exist_is_reported_once(service: str) -> None:
    async with story(profile(service, theme="neon")) as user:
        await user.sees("Theme of the profile", "Unknown theme “neon” is ignored. Themes: terminal, dark, light.")
        await user.press("enter")
        await user.does_not_see("Theme of the profile")
        await user.is_ready()
