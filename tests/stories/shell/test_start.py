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
