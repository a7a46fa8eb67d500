"""The tour: its captions name the current keys, a failed step is reported, and it is read in three minutes."""

from __future__ import annotations

import asyncio

import pytest

from svc_tui.console.core.demo import Demo
from svc_tui.console.core.tour import ActionKey, Step, Text, TourTask
from svc_tui.console.shell import tour, tour_tasks
from svc_tui.console.shell.registry import registry
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from tests.stories.driver import Story, profile, story

STEPS = [step for job in tour_tasks.TASKS for step in job.steps]


def _demo(pace: float) -> Demo:
    return Demo(lambda: "", tour=pace)


async def ended(person: Story) -> None:
    """Wait until the tour has ended the console."""
    async with asyncio.timeout(150):
        while person.app.return_value is None:
            await person.pilot.pause(0.05)


def test_the_captions_fit_and_name_keys() -> None:
    keys = registry({}).keys
    for step in STEPS:
        caption = tour.caption_of(step, keys)
        assert len(caption) < 80, caption
        assert "{" not in caption, caption
    assert len(tour_tasks.TASKS) == 5


def test_the_tour_takes_less_than_three_minutes() -> None:
    keys = registry({}).keys
    reading = sum(tour.reading_seconds(tour.caption_of(step, keys)) for step in STEPS)
    typed = sum(len(key.text) if isinstance(key, Text) else 1 for step in STEPS for key in step.keys)
    assert 60 < reading + typed * tour.TYPING < 180


async def test_the_tour_presses_the_keys_of_the_key_map(service: str) -> None:
    remapped = profile(service, DEFAULT_ACCOUNT.login, keymap={"find": "f6", "find_open": "O", "section_4": "f4"})
    async with story(remapped, first="home", demo=_demo(0)) as person:
        await person.sees("f6 searches all areas at once.")
        # The tour reports by itself which step does not show what it expects; all its steps may take longer than one.
        await ended(person)
        assert person.app.return_value == 0, person.screen


async def test_a_step_that_does_not_find_what_it_expects_ends_the_test_with_a_failure(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tour, "PATIENCE", 0.5)
    wrong = Step("{section_2} opens the companies.", (ActionKey("section_2"),), "No such company")
    monkeypatch.setattr(tour_tasks, "TASKS", (TourTask("fail", (wrong,)),))
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home", demo=_demo(0)) as person:
        await ended(person)
        assert person.app.return_value == 1
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home", demo=_demo(0.01)) as person:
        await person.sees("The tour stopped at “1 of 1: fail”: “No such company” did", "demo ▸ Companies")
        await person.does_not_see("any key stops")


async def test_the_end_of_the_tour_is_reported_over_the_view_that_it_opened(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tour_tasks, "TASKS", tour_tasks.TASKS[-1:])
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home", demo=_demo(0.001)) as person:
        await person.sees("The tour has ended.")
        # The caption covers the line of messages until it is removed.
        await person.does_not_see("any key stops")
        await person.is_ready()
        await person.until(
            lambda: "The tour has ended. : lists all places." in person.status, "the end is not reported"
        )
