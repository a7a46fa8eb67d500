"""A refresh that hangs on the way: refreshing again replaces it, and esc gives it up."""

from __future__ import annotations

import pytest

from tests.stories.driver import profile, story
from tests.stories.wire import wired

LIST, RECORD = b"GET /api/svc/applications/v1.0/applications?", b"GET /api/svc/applications/v1.0/applications/"


@pytest.mark.parametrize(
    ("keys", "request_line", "seen"), [((), LIST, "58 applications"), (("enter",), RECORD, "Name")]
)
async def test_refreshing_again_replaces_a_refresh_that_hangs(
    service: str, keys: tuple[str, ...], request_line: bytes, seen: str
) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.press(*keys)
        await person.is_ready()
        wire.hold = request_line
        await person.press("r")
        await wire.held.wait()
        await person.sees("refreshing")
        await person.press("r")
        await person.is_ready()
        assert not wire.released.is_set(), "the first response is still held"
        await person.sees(seen)
        await person.press("esc")
        await person.does_not_see("Refresh cancelled")


@pytest.mark.parametrize(
    ("keys", "request_line", "stays"), [((), LIST, "Branch Planner"), (("enter",), RECORD, "Name")]
)
async def test_esc_gives_up_a_refresh_that_hangs_and_stays_on_the_view(
    service: str, keys: tuple[str, ...], request_line: bytes, stays: str
) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.press(*keys)
        await person.is_ready()
        top = person.top
        wire.hold = request_line
        await person.press("r")
        await wire.held.wait()
        await person.press("esc")
        await person.sees("Refresh cancelled.", stays)
        await person.is_ready()
        assert person.top == top
